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

/// The most planned matches in a list.
const LISTED: i64 = 50;

/// A match to be planned.
#[derive(Clone, Debug)]
pub struct Plan<'p> {
    /// The time when it is to begin.
    pub starts_at: DateTime<Utc>,
    /// The ruleset's id.
    pub ruleset: &'p str,
    /// The players.
    pub names: engine::BySeat<&'p str>,
    /// The tournament; empty if there is none.
    pub event: &'p str,
    /// The fields of the umpire's form, as the form reads them.
    pub fields: &'p str,
}

impl Umpires {
    /// Announces a match. The same form again replaces it, unless the match was opened.
    ///
    /// # Errors
    /// The author is not an umpire, or the database.
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

    /// The planned matches that were not opened or dropped, the next one first.
    ///
    /// # Errors
    /// The database.
    pub async fn planned(&self) -> Result<Vec<Planned>, AppError> {
        Ok(planned::list(self.logs.pool(), LOG, LISTED).await?)
    }

    /// Notes that a planned match was opened: it is not announced any more. Its names are erased here, because they can be
    /// withdrawn only in the match.
    ///
    /// # Errors
    /// The database.
    pub async fn plan_opened(&self, plan: SubmitId, match_id: MatchId) -> Result<(), AppError> {
        Ok(planned::note_opened(self.logs.pool(), plan, match_id).await?)
    }

    /// Drops a planned match, and erases its names. Dropping it again changes nothing.
    ///
    /// # Errors
    /// The database.
    pub async fn drop_plan(&self, plan: SubmitId) -> Result<(), AppError> {
        Ok(planned::drop(self.logs.pool(), plan).await?)
    }
}
