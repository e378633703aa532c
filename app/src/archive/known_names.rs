//! The names of players and events, for searches that forgive a slip and for suggestions. They are the same for every
//! reader, and are read once for each version of the lists.
//!
//! They are compared in this program and not in the database, so that every database finds the same.

use std::sync::{Arc, PoisonError};

use super::{Archive, ArchiveVersion};
use crate::error::AppError;
use crate::scope::LOG;

const NAMES_MAX: i64 = 20_000;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameKind {
    Player,
    Event,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownName {
    pub kind: NameKind,
    pub key: String,
    pub name: String,
    /// The letters of the key, and then those of each of its words: every search is compared with them.
    pub letters: Vec<String>,
}

impl KnownName {
    #[must_use]
    pub fn new(kind: NameKind, key: String, name: String) -> Self {
        let letters = std::iter::once(letters(&key)).chain(key.split(' ').map(letters)).collect();
        Self { kind, key, name, letters }
    }
}

/// The letters and digits of a key, so that `o'malley` and `omalley` are the same.
#[must_use]
pub fn letters(key: &str) -> String {
    key.chars().filter(|sign| sign.is_alphanumeric()).collect()
}

pub(crate) type CachedNames = Option<(ArchiveVersion, Arc<Vec<KnownName>>)>;

impl NameKind {
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Player => "player",
            Self::Event => "event",
        }
    }
}

impl Archive {
    pub async fn known_names(&self) -> Result<Arc<Vec<KnownName>>, AppError> {
        // The version first: then the names are at least as new.
        let version = self.known_archive_version().await?;
        let last = self.names.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, names)) = last.filter(|(at, _)| *at == version) {
            return Ok(names);
        }
        let pool = &self.reading;
        let players = store::archive::players::keys_after(pool, LOG, "", None, NAMES_MAX).await?;
        let player_names = self.names_of_players(&players).await?;
        let events = store::archive::events::keys_after(pool, LOG, None, NAMES_MAX).await?;
        let event_names = self.names_of_events(&events).await?;
        let known = |kind| move |(key, name)| KnownName::new(kind, key, name);
        let names = players.into_iter().zip(player_names).map(known(NameKind::Player));
        let names: Vec<_> = names.chain(events.into_iter().zip(event_names).map(known(NameKind::Event))).collect();
        let names = Arc::new(names);
        *self.names.lock().unwrap_or_else(PoisonError::into_inner) = Some((version, names.clone()));
        Ok(names)
    }
}
