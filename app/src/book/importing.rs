//! Matches of the past, entered.

use ledger::{Head, MatchId};
use record::write::{self, Import};
use store::Submit;

use super::{Act, Book, BookError};

/// A match of the past that is in the record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entered {
    /// Its id.
    pub match_id: MatchId,
    /// Whether it was entered by this very act; else an earlier one of the same form did.
    pub is_new: bool,
}

impl Book {
    /// Enters a match of the past, and gives its id.
    ///
    /// # Errors
    /// It is refused, or the database.
    pub async fn import(&self, act: &Act, import: &Import, source: Option<&str>) -> Result<MatchId, BookError> {
        Ok(self.enter_past(act, import, source).await?.match_id)
    }

    /// Enters a match of the past, and says whether it was new.
    ///
    /// # Errors
    /// It is refused, or the database.
    pub async fn enter_past(&self, act: &Act, import: &Import, source: Option<&str>) -> Result<Entered, BookError> {
        let match_id = self.id_of(act);
        let submit = self.import_submit(act, import, source);
        if self.repeated(&submit).await? {
            return Ok(Entered { match_id, is_new: false });
        }
        let host_key = self.keys.host_public_text();
        let written = self.at_desk(match_id, &act.by, |desk| write::import(desk, import, source, &host_key))?;
        self.append(match_id, Head::GENESIS, written, Some(submit)).await?;
        self.index(match_id).await?;
        Ok(Entered { match_id, is_new: true })
    }

    /// Whether this act has entered its match, with this source or another.
    ///
    /// # Errors
    /// The database.
    pub async fn has_entered(&self, act: &Act, import: &Import, source: Option<&str>) -> Result<bool, BookError> {
        match self.repeated(&self.import_submit(act, import, source)).await {
            Err(BookError::SubmitReused) => Ok(true),
            other => other,
        }
    }

    /// The id of the match that this act enters, or has entered.
    #[must_use]
    pub fn import_id(&self, act: &Act) -> MatchId {
        self.id_of(act)
    }

    fn import_submit(&self, act: &Act, import: &Import, source: Option<&str>) -> Submit {
        act.submit(&self.keys, &["import", &import.lines().join("\n"), source.unwrap_or_default()])
    }
}
