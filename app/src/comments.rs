//! Comments on moments of a match, and links to recordings of it. They are beside the record: no entry, bundle or export has them, and no check reads them.

use std::sync::Arc;

use ledger::{MatchId, SubmitId};
use record::History;
use store::matches::{comments, recordings};
use uuid::Uuid;

pub use store::matches::comments::{Comment, CommentPlace, Side};
pub use store::matches::recordings::Recording;

use crate::account::{Role, Umpire};
use crate::act::by_umpire;
use crate::error::AppError;
use crate::known_results::RecordingLink;
use crate::logs::Logs;
use crate::matches::Matches;
use crate::scope::Scope;
use crate::system::System;
use crate::text::CommentText;
use crate::umpires::Permissions;

#[derive(Debug)]
pub struct Comments {
    logs: Arc<Logs>,
    matches: Arc<Matches>,
    permissions: Permissions,
    system: Arc<System>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentRights {
    pub write: bool,
    pub withdraw_any: bool,
}

impl Comments {
    pub(crate) fn new(logs: Arc<Logs>, matches: Arc<Matches>, system: Arc<System>) -> Self {
        Self { permissions: Permissions::new(logs.clone()), logs, matches, system }
    }

    pub async fn of_match(&self, match_id: MatchId) -> Result<Vec<Comment>, AppError> {
        Ok(comments::of_match(self.logs.pool(), Scope::of(match_id).log_id(), match_id).await?)
    }

    /// What an umpire may do. Those who act in the match and its commentators write; those who act in it withdraw any, and
    /// so do admins.
    pub async fn rights(&self, history: &History, umpire: &Umpire) -> Result<CommentRights, AppError> {
        let acts = match self.permissions.check(history, &by_umpire(&umpire.id)).await {
            Ok(()) => true,
            Err(AppError::NotYourMatch) => false,
            Err(error) => return Err(error),
        };
        let write = acts || self.permissions.is_commentator(history, &umpire.id).await?;
        Ok(CommentRights { write, withdraw_any: acts || umpire.role == Role::Admin })
    }

    /// Writes a comment. The same form again writes nothing; false if it wrote something else before, or if that was withdrawn.
    pub async fn write(
        &self,
        history: &History,
        umpire: &Umpire,
        form: SubmitId,
        place: CommentPlace,
        text: CommentText,
    ) -> Result<bool, AppError> {
        if !self.rights(history, umpire).await?.write {
            return Err(AppError::NotYourMatch);
        }
        let (match_id, at) = (history.match_id, self.system.now().to_utc());
        let comment =
            Comment { id: Uuid::from_bytes(form.0), place, umpire: umpire.id.clone(), at, text: text.into_string() };
        let stands = comments::add(self.logs.pool(), Scope::of(match_id).log_id(), match_id, &comment).await?;
        self.changed(match_id);
        Ok(stands)
    }

    pub async fn withdraw(&self, history: &History, umpire: &Umpire, id: Uuid) -> Result<bool, AppError> {
        let any = self.rights(history, umpire).await?.withdraw_any;
        let (match_id, now) = (history.match_id, self.system.now().to_utc());
        let place = (Scope::of(match_id).log_id(), match_id);
        let withdrawn = comments::withdraw(self.logs.pool(), place, id, &umpire.id, any, now).await?;
        self.changed(match_id);
        Ok(withdrawn)
    }

    pub async fn recordings(&self, match_id: MatchId) -> Result<Vec<Recording>, AppError> {
        Ok(recordings::of_match(self.logs.pool(), (Scope::of(match_id).log_id(), match_id)).await?)
    }

    /// Links a recording of the match, or of a row and where it begins. The same form again links nothing. Whoever calls this
    /// has asked for the right: not every match with recordings is in the log.
    pub async fn link_recording(
        &self,
        match_id: MatchId,
        umpire: &Umpire,
        form: SubmitId,
        link: &RecordingLink,
        place: Option<(&str, i32)>,
    ) -> Result<(), AppError> {
        let recording = Recording {
            id: Uuid::from_bytes(form.0),
            label: place.map(|(label, _)| label.to_owned()),
            seconds: place.map(|(_, seconds)| seconds),
            address: link.as_str().to_owned(),
            umpire: umpire.id.clone(),
            at: self.system.now().to_utc(),
        };
        recordings::add(self.logs.pool(), (Scope::of(match_id).log_id(), match_id), &recording).await?;
        self.changed(match_id);
        Ok(())
    }

    /// Withdraws a recording: its own umpire does, and with `any` every other.
    pub async fn withdraw_recording(
        &self,
        match_id: MatchId,
        umpire: &Umpire,
        id: Uuid,
        any: bool,
    ) -> Result<bool, AppError> {
        let (place, now) = ((Scope::of(match_id).log_id(), match_id), self.system.now().to_utc());
        let withdrawn = recordings::withdraw(self.logs.pool(), place, id, (umpire.id.as_str(), any), now).await?;
        self.changed(match_id);
        Ok(withdrawn)
    }

    /// No page that was drawn before is shown again here. Other nodes find the change when they follow the log.
    fn changed(&self, match_id: MatchId) {
        self.matches.caches.forget(match_id);
    }
}
