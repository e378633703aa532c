//! Permissions by match: its own umpire, and those whom that umpire names as helpers and commentators. A handover ends
//! what was named before it: nobody keeps a hand in a match that its new umpire does not know of.

use std::sync::Arc;

use ledger::{Author, LogId, MatchId};
use record::History;
use store::accounts::activity::{self, NewEvent};
use store::matches::named_umpires::{self, Naming};

pub use store::matches::named_umpires::Duty;

use super::Umpires;
use crate::account::{AccountEvent, Actor, EventKind};
use crate::error::AppError;
use crate::logs::Logs;
use crate::scope::Scope;
use crate::slug::slug;

#[derive(Clone, Debug)]
pub(crate) struct Permissions {
    logs: Arc<Logs>,
}

impl Permissions {
    pub(crate) const fn new(logs: Arc<Logs>) -> Self {
        Self { logs }
    }

    pub(crate) async fn check(&self, history: &History, by: &Author) -> Result<(), AppError> {
        check(&self.logs, history, by).await
    }

    pub(crate) async fn is_commentator(&self, history: &History, umpire: &str) -> Result<bool, AppError> {
        Ok(named(&self.logs, history, Duty::Commentator).await?.iter().any(|named| named == umpire))
    }
}

/// The one rule of who acts in a match, and who sees more of it than everybody.
async fn check(logs: &Logs, history: &History, by: &Author) -> Result<(), AppError> {
    let Author::Umpire(id) = by else { return Ok(()) };
    if history.umpire_now() == by {
        return Ok(());
    }
    let helpers = named(logs, history, Duty::Helper).await?;
    if helpers.contains(&id.to_string()) { Ok(()) } else { Err(AppError::NotYourMatch) }
}

impl Umpires {
    /// Refuses an umpire whose match it is not, and whom its umpire did not name: what the players send, when, and what
    /// umpires note is for nobody else. An admin is no exception.
    pub async fn check(&self, history: &History, by: &Author) -> Result<(), AppError> {
        check(&self.logs, history, by).await
    }

    /// Names an umpire as helper or commentator of a match. Only its own umpire does; naming one again changes nothing.
    pub async fn name(&self, history: &History, actor: &Actor, duty: Duty, umpire: &str) -> Result<(), AppError> {
        let (by, match_id) = (own(history, actor)?, history.match_id);
        if named(&self.logs, history, duty).await?.iter().any(|named| named == umpire) {
            return Ok(());
        }
        let (at, note) = (self.system.now().to_utc(), slug(match_id));
        let event = NewEvent { at, kind: kind(duty, true), umpire_id: Some(umpire), actor, note: &note };
        Ok(named_umpires::name(self.logs.pool(), place(match_id), duty, &by, &event).await?)
    }

    /// Dismisses one. Only the match's own umpire does; doing it again changes nothing.
    pub async fn dismiss(&self, history: &History, actor: &Actor, duty: Duty, umpire: &str) -> Result<(), AppError> {
        own(history, actor)?;
        let (at, note) = (self.system.now().to_utc(), slug(history.match_id));
        let event = NewEvent { at, kind: kind(duty, false), umpire_id: Some(umpire), actor, note: &note };
        Ok(named_umpires::dismiss(self.logs.pool(), place(history.match_id), duty, &event).await?)
    }

    pub async fn named(&self, history: &History, duty: Duty) -> Result<Vec<String>, AppError> {
        named(&self.logs, history, duty).await
    }

    pub async fn namings(&self, match_id: MatchId) -> Result<Vec<AccountEvent>, AppError> {
        Ok(activity::of_match(self.logs.pool(), &slug(match_id)).await?)
    }
}

async fn named(logs: &Logs, history: &History, duty: Duty) -> Result<Vec<String>, AppError> {
    let namings = named_umpires::of_match(logs.pool(), place(history.match_id), duty).await?;
    Ok(namings.into_iter().filter(|naming| holds(history, naming)).map(|naming| naming.umpire).collect())
}

fn holds(history: &History, naming: &Naming) -> bool {
    let is_theirs = matches!(history.umpire_now(), Author::Umpire(id) if id.as_str() == naming.named_by);
    is_theirs && history.handovers.last().is_none_or(|last| last.at.to_utc() <= naming.named_at)
}

const fn kind(duty: Duty, is_named: bool) -> EventKind {
    match (duty, is_named) {
        (Duty::Helper, true) => EventKind::HelperNamed,
        (Duty::Helper, false) => EventKind::HelperDismissed,
        (Duty::Commentator, true) => EventKind::CommentatorNamed,
        (Duty::Commentator, false) => EventKind::CommentatorDismissed,
    }
}

fn place(match_id: MatchId) -> (LogId, MatchId) {
    (Scope::of(match_id).log_id(), match_id)
}

fn own(history: &History, actor: &Actor) -> Result<String, AppError> {
    match (history.umpire_now(), &actor.umpire_id) {
        (Author::Umpire(id), Some(by)) if id.as_str() == by => Ok(by.clone()),
        _ => Err(AppError::NotYourMatch),
    }
}
