//! The choices in the form of a filter. They are the same for every filter, and are read once for each version of the
//! lists.

use std::sync::{Arc, PoisonError};

use store::archive::choices;

use super::{Archive, ArchiveVersion};
use crate::error::AppError;
use crate::scope::LOG;
use crate::umpires::UmpireNames;

/// The most umpires.
const UMPIRES: i64 = 100;
/// The most ways of ending; the rules have about 30.
const ENDINGS: i64 = 100;

/// The newest matches with tags, whose tags are counted.
const TAGGED: i64 = 500;
/// The most tags: the most frequent ones.
const TAGS: i64 = 50;

/// The values that matches of the archive have.
#[derive(Debug, Default)]
pub struct FilterChoices {
    /// Players by name; none if there are more than fit on a page.
    pub players: Vec<String>,
    /// Tournaments, likewise.
    pub events: Vec<String>,
    /// Umpires, by pseudonym.
    pub umpires: Vec<String>,
    /// The public names of umpires.
    pub umpire_names: Arc<UmpireNames>,
    /// Ways of ending, as words of the notation.
    pub endings: Vec<String>,
    /// The keys of tags and of their names.
    pub tags: Vec<String>,
}

/// The choices that were read last, and the version of the lists.
pub(crate) type CachedChoices = Option<(ArchiveVersion, Arc<FilterChoices>)>;

impl Archive {
    /// The choices for the last known version of the lists.
    ///
    /// # Errors
    /// The database.
    pub async fn filter_choices(&self) -> Result<Arc<FilterChoices>, AppError> {
        // The version first: then the choices are at least as new.
        let version = self.known_archive_version().await?;
        let last = self.choices.lock().unwrap_or_else(PoisonError::into_inner).clone();
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
        let pool = &self.reading;
        let umpires = choices::umpires(pool, LOG, UMPIRES).await?;
        let endings = choices::endings(pool, LOG, ENDINGS).await?;
        let umpire_names = self.umpires.learn_names().await?;
        let tags = choices::tags(pool, LOG, TAGGED, TAGS).await?;
        let offered = Arc::new(FilterChoices { players, events, umpires, umpire_names, endings, tags });
        *self.choices.lock().unwrap_or_else(PoisonError::into_inner) = Some((version, offered.clone()));
        Ok(offered)
    }
}
