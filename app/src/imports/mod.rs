//! Importing matches of the past: checked, compared with those in the record, and appended.

mod duplicates;
mod event_date;
mod validation;

use std::sync::Arc;

use ledger::{Head, MatchId};
use record::write::{self, Import};
use store::Submit;
use store::matches::imports::{self, ImportTurn};
use tokio::sync::{Mutex as AsyncMutex, MutexGuard};

pub use duplicates::{between, same_occasion_key};
pub use event_date::EventDate;
pub use validation::invalid;
pub(crate) use validation::{check_date, unreadable};

use crate::act::Act;
use crate::archive::Archive;
use crate::error::AppError;
use crate::recorder::Recorder;
use crate::scope::Scope;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImportedMatch {
    pub match_id: MatchId,
    pub is_new: bool,
}

#[derive(Debug)]
pub struct Turn<'t> {
    _here: MutexGuard<'t, ()>,
    _everywhere: ImportTurn,
}

#[derive(Debug)]
pub struct Imports {
    recorder: Arc<Recorder>,
    archive: Arc<Archive>,
    /// Whoever waits for a turn on this node takes no connection.
    turn: AsyncMutex<()>,
}

impl Imports {
    pub(crate) fn new(recorder: Arc<Recorder>, archive: Arc<Archive>) -> Self {
        Self { recorder, archive, turn: AsyncMutex::default() }
    }

    /// Waits for a turn, on all nodes: of one match that is imported several times at once, the second finds the first.
    pub async fn turn(&self) -> Result<Turn<'_>, AppError> {
        let here = self.turn.lock().await;
        let turn = Turn { _here: here, _everywhere: imports::turn(self.recorder.logs.pool()).await? };
        // Somebody who went away in the middle of a turn left a match that no list has yet.
        self.recorder.index.follow().await?;
        Ok(turn)
    }

    pub async fn import(&self, act: &Act, import: &Import, source: Option<&str>) -> Result<MatchId, AppError> {
        Ok(self.import_once(act, import, source).await?.match_id)
    }

    pub async fn import_once(
        &self,
        act: &Act,
        import: &Import,
        source: Option<&str>,
    ) -> Result<ImportedMatch, AppError> {
        let match_id = self.import_id(act);
        let submit = self.import_submit(act, import, source);
        if self.recorder.repeated(match_id, &submit).await? {
            return Ok(ImportedMatch { match_id, is_new: false });
        }
        let host_key = self.recorder.vault.keys().host_public_text();
        let written =
            self.recorder.compose(match_id, &act.by, |context| write::import(context, import, source, &host_key))?;
        self.recorder.append(match_id, Head::GENESIS, written, Some(submit)).await?;
        self.recorder.index.update(match_id).await?;
        Ok(ImportedMatch { match_id, is_new: true })
    }

    pub async fn has_entered(&self, act: &Act, import: &Import, source: Option<&str>) -> Result<bool, AppError> {
        match self.recorder.repeated(self.import_id(act), &self.import_submit(act, import, source)).await {
            Err(AppError::SubmitReused) => Ok(true),
            other => other,
        }
    }

    #[must_use]
    pub fn import_id(&self, act: &Act) -> MatchId {
        self.recorder.id_of(Scope::Record, act)
    }

    fn import_submit(&self, act: &Act, import: &Import, source: Option<&str>) -> Submit {
        act.submit(&self.recorder.vault, &["import", &import.lines().join("\n"), source.unwrap_or_default()])
    }
}
