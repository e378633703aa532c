//! Matches of the past, entered: checked, told apart from those that are in the record, and appended.

mod duplicates;
mod event_date;
mod validation;

use std::sync::Arc;

use ledger::{Head, MatchId};
use record::write::{self, Import};
use store::Submit;

pub use duplicates::{between, same_occasion_key};
pub use event_date::EventDate;
pub use validation::invalid;

use crate::act::Act;
use crate::archive::Archive;
use crate::error::AppError;
use crate::recorder::Recorder;
use crate::scope::Scope;

/// A match of the past that is in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entered {
    /// Its id.
    pub match_id: MatchId,
    /// True if it was entered by this very act; else an earlier one of the same form did.
    pub is_new: bool,
}

/// Enters matches of the past into the record.
#[derive(Debug)]
pub struct Imports {
    recorder: Arc<Recorder>,
    archive: Arc<Archive>,
}

impl Imports {
    pub(crate) const fn new(recorder: Arc<Recorder>, archive: Arc<Archive>) -> Self {
        Self { recorder, archive }
    }

    /// Enters a match of the past, and gives its id.
    ///
    /// # Errors
    /// It is refused, or the database.
    pub async fn import(&self, act: &Act, import: &Import, source: Option<&str>) -> Result<MatchId, AppError> {
        Ok(self.enter_past(act, import, source).await?.match_id)
    }

    /// Enters a match of the past, and says whether it was new.
    ///
    /// # Errors
    /// It is refused, or the database.
    pub async fn enter_past(&self, act: &Act, import: &Import, source: Option<&str>) -> Result<Entered, AppError> {
        let match_id = self.import_id(act);
        let submit = self.import_submit(act, import, source);
        if self.recorder.repeated(match_id, &submit).await? {
            return Ok(Entered { match_id, is_new: false });
        }
        let host_key = self.recorder.vault.keys().host_public_text();
        let written =
            self.recorder.compose(match_id, &act.by, |context| write::import(context, import, source, &host_key))?;
        self.recorder.append(match_id, Head::GENESIS, written, Some(submit)).await?;
        self.recorder.index.update(match_id).await?;
        Ok(Entered { match_id, is_new: true })
    }

    /// True if this act has entered its match, with this source or another.
    ///
    /// # Errors
    /// The database.
    pub async fn has_entered(&self, act: &Act, import: &Import, source: Option<&str>) -> Result<bool, AppError> {
        match self.recorder.repeated(self.import_id(act), &self.import_submit(act, import, source)).await {
            Err(AppError::SubmitReused) => Ok(true),
            other => other,
        }
    }

    /// The id of the match that this act enters, or has entered.
    #[must_use]
    pub fn import_id(&self, act: &Act) -> MatchId {
        self.recorder.id_of(Scope::Record, act)
    }

    fn import_submit(&self, act: &Act, import: &Import, source: Option<&str>) -> Submit {
        act.submit(&self.recorder.vault, &["import", &import.lines().join("\n"), source.unwrap_or_default()])
    }
}
