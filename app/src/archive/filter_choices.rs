//! The choices in the form of a filter. They are the same for every filter, and are read once for each version of the
//! lists.

use std::sync::{Arc, PoisonError};

use store::archive::choices;

use super::{Archive, ArchiveVersion};
use crate::error::AppError;
use crate::scope::LOG;
use crate::umpires::UmpireNames;

const UMPIRES: i64 = 100;
const ENDINGS: i64 = 100;

const TAGGED: i64 = 500;
const TAGS: i64 = 50;

#[derive(Debug, Default)]
pub struct FilterChoices {
    pub players: Vec<String>,
    pub events: Vec<String>,
    pub umpires: Vec<String>,
    pub umpire_names: Arc<UmpireNames>,
    pub endings: Vec<String>,
    pub tags: Vec<String>,
}

pub(crate) type CachedChoices = Option<(ArchiveVersion, Arc<FilterChoices>)>;

impl Archive {
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
