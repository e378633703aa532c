//! Matches that are announced for later. They are outside the log until an umpire opens them.

use chrono::{DateTime, Utc};
use ledger::MatchId;
use store::SubmitId;
use store::matches::planned::{self, NewPlanned};

use super::Umpires;
use crate::act::Act;
use crate::error::AppError;
use crate::scope::LOG;

pub use store::matches::planned::Planned;

/// Matches that are listed.
const LISTED: i64 = 50;

/// What is planned.
#[derive(Clone, Debug)]
pub struct Plan<'p> {
    /// When it is to begin.
    pub starts_at: DateTime<Utc>,
    /// The ruleset's id.
    pub ruleset: &'p str,
    /// The players.
    pub names: engine::BySeat<&'p str>,
    /// The tournament; empty where there is none.
    pub event: &'p str,
    /// The fields of the desk's form, as the desk reads them.
    pub fields: &'p str,
}

impl Umpires {
    /// Announces a match. The same form again changes when it begins and what it holds, as long as it is not opened.
    ///
    /// # Errors
    /// The act is no umpire's, or the database.
    pub async fn plan(&self, act: &Act, plan: &Plan<'_>) -> Result<(), AppError> {
        let ledger::Author::Umpire(umpire) = &act.by else { return Err(AppError::NoMatch) };
        let planned = NewPlanned {
            form: act.form,
            umpire: umpire.as_str(),
            starts_at: plan.starts_at,
            ruleset: plan.ruleset,
            p1: plan.names.p1,
            p2: plan.names.p2,
            event: plan.event,
            fields: plan.fields,
        };
        Ok(planned::put(self.logs.pool(), LOG, &planned).await?)
    }

    /// The matches that are planned and not yet opened, the next one first.
    ///
    /// # Errors
    /// The database.
    pub async fn planned(&self) -> Result<Vec<Planned>, AppError> {
        Ok(planned::list(self.logs.pool(), LOG, LISTED).await?)
    }

    /// Remembers that a planned match was opened, so that it is announced no longer. The match has the names from then on,
    /// and they can be withdrawn there.
    ///
    /// # Errors
    /// The database.
    pub async fn plan_opened(&self, plan: SubmitId, match_id: MatchId) -> Result<(), AppError> {
        Ok(planned::note_opened(self.logs.pool(), plan, match_id).await?)
    }

    /// Announces a match no longer, and erases who was to play it. Said again, it changes nothing.
    ///
    /// # Errors
    /// The database.
    pub async fn drop_plan(&self, plan: SubmitId) -> Result<(), AppError> {
        Ok(planned::drop(self.logs.pool(), plan).await?)
    }
}
