//! Permissions by match: its own umpire, those whom that umpire names as helpers, and commentators.

use std::sync::Arc;

use ledger::{Author, LogId, MatchId};
use record::History;
use store::matches::named_umpires;

pub use store::matches::named_umpires::Duty;

use super::Umpires;
use crate::error::AppError;
use crate::logs::Logs;
use crate::scope::Scope;

/// Checks who may act for a match.
#[derive(Clone, Debug)]
pub(crate) struct Permissions {
    logs: Arc<Logs>,
}

impl Permissions {
    pub(crate) const fn new(logs: Arc<Logs>) -> Self {
        Self { logs }
    }

    /// Refuses an umpire whose match it is not, and whom its umpire did not name.
    pub(crate) async fn check(&self, history: &History, by: &Author) -> Result<(), AppError> {
        check(&self.logs, history, by).await
    }

    /// True if an umpire was named as commentator.
    pub(crate) async fn is_commentator(&self, match_id: MatchId, umpire: &str) -> Result<bool, AppError> {
        Ok(named(&self.logs, match_id, Duty::Commentator).await?.iter().any(|named| named == umpire))
    }
}

/// The one rule of who acts in a match, and who sees more of it than everybody.
async fn check(logs: &Logs, history: &History, by: &Author) -> Result<(), AppError> {
    let Author::Umpire(id) = by else { return Ok(()) };
    if history.umpire_now() == by {
        return Ok(());
    }
    let helpers = named(logs, history.match_id, Duty::Helper).await?;
    if helpers.contains(&id.to_string()) { Ok(()) } else { Err(AppError::NotYourMatch) }
}

impl Umpires {
    /// Refuses an umpire whose match it is not, and whom its umpire did not name: what the players send, when, and what
    /// umpires note is for nobody else. An admin is no exception.
    ///
    /// # Errors
    /// The match is another umpire's, or the database.
    pub async fn check(&self, history: &History, by: &Author) -> Result<(), AppError> {
        check(&self.logs, history, by).await
    }

    /// Names an umpire as helper or commentator of a match. Only its own umpire does; naming one again changes nothing.
    ///
    /// # Errors
    /// The match is another umpire's, there is no such umpire, or the database.
    pub async fn name(&self, history: &History, by: &Author, duty: Duty, umpire: &str) -> Result<(), AppError> {
        let (by, now) = (own(history, by)?, self.system.now().to_utc());
        Ok(named_umpires::name(self.logs.pool(), place(history.match_id), duty, umpire, &by, now).await?)
    }

    /// Dismisses one. Only the match's own umpire does; doing it again changes nothing.
    ///
    /// # Errors
    /// The match is another umpire's, or the database.
    pub async fn dismiss(&self, history: &History, by: &Author, duty: Duty, umpire: &str) -> Result<(), AppError> {
        own(history, by)?;
        Ok(named_umpires::dismiss(self.logs.pool(), place(history.match_id), duty, umpire).await?)
    }

    /// The pseudonyms of those who were named for a match.
    ///
    /// # Errors
    /// The database.
    pub async fn named(&self, match_id: MatchId, duty: Duty) -> Result<Vec<String>, AppError> {
        named(&self.logs, match_id, duty).await
    }
}

async fn named(logs: &Logs, match_id: MatchId, duty: Duty) -> Result<Vec<String>, AppError> {
    Ok(named_umpires::of_match(logs.pool(), place(match_id), duty).await?)
}

/// A match and its log.
fn place(match_id: MatchId) -> (LogId, MatchId) {
    (Scope::of(match_id).log_id(), match_id)
}

/// The pseudonym of an umpire whose match it is.
fn own(history: &History, by: &Author) -> Result<String, AppError> {
    match by {
        Author::Umpire(id) if history.umpire_now() == by => Ok(id.to_string()),
        _ => Err(AppError::NotYourMatch),
    }
}
