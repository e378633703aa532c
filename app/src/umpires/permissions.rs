//! Permissions by match: its own umpire, those whom that umpire names as helpers, and commentators.

use std::sync::Arc;

use ledger::{Author, MatchId};
use record::History;
use store::matches::{commentators, helpers};

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
        let named = commentators::of_match(self.logs.pool(), Scope::of(match_id).log_id(), match_id).await?;
        Ok(named.iter().any(|named| named == umpire))
    }
}

/// The one rule of who acts in a match, and who sees more of it than everybody.
async fn check(logs: &Logs, history: &History, by: &Author) -> Result<(), AppError> {
    let Author::Umpire(id) = by else { return Ok(()) };
    if history.umpire_now() == by {
        return Ok(());
    }
    let match_id = history.match_id;
    let helpers = helpers::of_match(logs.pool(), Scope::of(match_id).log_id(), match_id).await?;
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

    /// Names an umpire as helper for a match. Only its own umpire does; naming one again changes nothing.
    ///
    /// # Errors
    /// The match is another umpire's, there is no such umpire, or the database.
    pub async fn name_helper(&self, history: &History, by: &Author, helper: &str) -> Result<(), AppError> {
        let by = own(history, by)?;
        let place = (Scope::of(history.match_id).log_id(), history.match_id);
        Ok(helpers::name(self.logs.pool(), place, helper, &by, self.system.now().to_utc()).await?)
    }

    /// Ends an umpire's help. Only the match's own umpire does; ending it again changes nothing.
    ///
    /// # Errors
    /// The match is another umpire's, or the database.
    pub async fn dismiss_helper(&self, history: &History, by: &Author, helper: &str) -> Result<(), AppError> {
        own(history, by)?;
        let (log_id, match_id) = (Scope::of(history.match_id).log_id(), history.match_id);
        Ok(helpers::dismiss(self.logs.pool(), log_id, match_id, helper).await?)
    }

    /// The pseudonyms of a match's helpers.
    ///
    /// # Errors
    /// The database.
    pub async fn helpers(&self, match_id: MatchId) -> Result<Vec<String>, AppError> {
        Ok(helpers::of_match(self.logs.pool(), Scope::of(match_id).log_id(), match_id).await?)
    }

    /// Names an umpire as commentator of a match. Only its own umpire does; naming one again changes nothing.
    ///
    /// # Errors
    /// The match is another umpire's, there is no such umpire, or the database.
    pub async fn name_commentator(&self, history: &History, by: &Author, named: &str) -> Result<(), AppError> {
        let by = own(history, by)?;
        let place = (Scope::of(history.match_id).log_id(), history.match_id);
        Ok(commentators::name(self.logs.pool(), place, named, &by, self.system.now().to_utc()).await?)
    }

    /// Lets a commentator write no more. Only the match's own umpire does; doing it again changes nothing.
    ///
    /// # Errors
    /// The match is another umpire's, or the database.
    pub async fn dismiss_commentator(&self, history: &History, by: &Author, named: &str) -> Result<(), AppError> {
        own(history, by)?;
        let (log_id, match_id) = (Scope::of(history.match_id).log_id(), history.match_id);
        Ok(commentators::dismiss(self.logs.pool(), log_id, match_id, named).await?)
    }

    /// The pseudonyms of a match's commentators.
    ///
    /// # Errors
    /// The database.
    pub async fn commentators(&self, match_id: MatchId) -> Result<Vec<String>, AppError> {
        Ok(commentators::of_match(self.logs.pool(), Scope::of(match_id).log_id(), match_id).await?)
    }
}

/// The pseudonym of an umpire whose match it is.
fn own(history: &History, by: &Author) -> Result<String, AppError> {
    match by {
        Author::Umpire(id) if history.umpire_now() == by => Ok(id.to_string()),
        _ => Err(AppError::NotYourMatch),
    }
}
