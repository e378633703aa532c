//! What the form of a filter offers, read once for each state of the lists: it is the same for every filter.

use std::sync::{Arc, PoisonError};

use store::archive::choices;

use super::{Archive, ArchiveVersion};
use crate::error::AppError;
use crate::scope::LOG;
use crate::umpires::UmpireNames;

/// Umpires that are offered.
const UMPIRES: i64 = 100;
/// Ways of ending that are offered; the rules know about 30.
const ENDINGS: i64 = 100;

/// Matches whose tags are looked at, the newest that have some.
const TAGGED: i64 = 500;
/// Tags that are offered, the most frequent of these.
const TAGS: i64 = 50;

/// Names and words that matches of the archive have.
#[derive(Debug, Default)]
pub struct Offered {
    /// Players by name; none where there are more than fit on a page: a list of thousands suggests nothing.
    pub players: Vec<String>,
    /// Tournaments, in the same way.
    pub events: Vec<String>,
    /// Umpires, by pseudonym.
    pub umpires: Vec<String>,
    /// The names under which umpires want to be known.
    pub umpire_names: Arc<UmpireNames>,
    /// The ways in which matches ended, as words of the notation.
    pub endings: Vec<String>,
    /// Tags, and names of tags, as they are looked for.
    pub tags: Vec<String>,
}

/// What was offered last, and where the lists stood then.
pub(crate) type LastOffered = Option<(ArchiveVersion, Arc<Offered>)>;

impl Archive {
    /// What the form of a filter offers, as the lists stood when somebody asked for their version last.
    ///
    /// # Errors
    /// The database.
    pub async fn offered(&self) -> Result<Arc<Offered>, AppError> {
        // From before it is read, so that what is read is at least as new.
        let version = self.known_archive_version().await?;
        let last = self.offered.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, offered)) = last.filter(|(at, _)| *at == version) {
            return Ok(offered);
        }
        let players = match self.player_keys("", None, None).await? {
            (_, true) => Vec::new(),
            (keys, false) => self.names_of_players(&keys).await?,
        };
        let events = match self.event_keys(None, None).await? {
            (_, true) => Vec::new(),
            (keys, false) => self.names_of_events(&keys).await?,
        };
        let pool = self.logs.reading_pool();
        let umpires = choices::umpires(pool, LOG, UMPIRES).await?;
        let endings = choices::endings(pool, LOG, ENDINGS).await?;
        let umpire_names = self.umpires.learn_names().await?;
        let tags = choices::tags(pool, LOG, TAGGED, TAGS).await?;
        let offered = Arc::new(Offered { players, events, umpires, umpire_names, endings, tags });
        *self.offered.lock().unwrap_or_else(PoisonError::into_inner) = Some((version, offered.clone()));
        Ok(offered)
    }
}
