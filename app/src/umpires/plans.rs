//! Matches that are announced for later. They are outside the log until an umpire opens them.

use chrono::{DateTime, Utc};
use engine::games::declared::{self, DECLARED, Declaration};
use ledger::MatchId;
use store::SubmitId;
use store::matches::planned::{self, NewPlanned};

use super::Umpires;
use crate::account::{Role, Umpire};
use crate::error::AppError;
use crate::scope::LOG;
use crate::views::listed_ruleset;

pub use store::matches::planned::Planned;

const LISTED: i64 = 50;
const EACH_MAX: i64 = 50;

impl Umpires {
    /// Announces a match. Its form is kept as it was sent, and the list shows what it says.
    pub async fn plan(
        &self,
        umpire: &Umpire,
        form: SubmitId,
        starts_at: DateTime<Utc>,
        fields: &[(String, String)],
    ) -> Result<(), AppError> {
        self.own_plan(umpire, form).await?;
        let text = |name: &str| fields.iter().find(|(sent, _)| sent == name).map_or("", |(_, value)| value.trim());
        // Lists know a declared game by its title.
        let game = Declaration::read(text("game").lines()).ok().filter(|_| text("ruleset") == DECLARED);
        let game = game.map(|game| listed_ruleset(&declared::ruleset(game.into())).to_owned());
        let planned = NewPlanned {
            form,
            umpire: &umpire.id,
            starts_at,
            ruleset: game.as_deref().unwrap_or_else(|| text("ruleset")),
            p1: text("p1"),
            p2: text("p2"),
            event: text("event"),
            fields: &serde_json::to_string(fields).unwrap_or_default(),
        };
        let put = planned::put(self.logs.pool(), LOG, &planned, EACH_MAX).await?;
        if put { Ok(()) } else { Err(AppError::TooManyPlans) }
    }

    pub async fn planned(&self) -> Result<Vec<Planned>, AppError> {
        Ok(planned::list(self.logs.pool(), LOG, LISTED).await?)
    }

    pub async fn find_plan(&self, form: SubmitId) -> Result<Option<Planned>, AppError> {
        Ok(planned::of_form(self.logs.pool(), LOG, form).await?)
    }

    /// The plan for an umpire who changes, drops or opens it: whoever planned it, or an admin. Whose a plan is never
    /// changes.
    pub async fn own_plan(&self, umpire: &Umpire, form: SubmitId) -> Result<Option<Planned>, AppError> {
        let found = self.find_plan(form).await?;
        let may = |planned: &Planned| planned.umpire == umpire.id || umpire.role == Role::Admin;
        if found.as_ref().is_none_or(may) { Ok(found) } else { Err(AppError::NotYourPlan) }
    }

    /// Notes that a planned match was opened: it is not announced any more. Its names are erased here, because they can be
    /// withdrawn only in the match.
    pub async fn plan_opened(&self, plan: SubmitId, match_id: MatchId) -> Result<(), AppError> {
        Ok(planned::note_opened(self.logs.pool(), plan, match_id).await?)
    }

    pub async fn drop_plan(&self, umpire: &Umpire, plan: SubmitId) -> Result<(), AppError> {
        self.own_plan(umpire, plan).await?;
        Ok(planned::drop(self.logs.pool(), plan).await?)
    }
}
