//! The names of players and events, for searches that forgive a slip and for suggestions. They are the same for every
//! reader, and are read once for each version of the lists.
//!
//! They are compared in this program and not in the database, so that every database finds the same.

use std::sync::Arc;

use store::archive::names::{self, KeyRange};

pub use store::archive::names::NameKind;

use super::Archive;
use crate::error::AppError;
use crate::scope::LOG;

const NAMES_MAX: i64 = 20_000;

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

/// About what a name takes with its letters.
const NAME_BYTES: usize = 200;

impl Archive {
    pub async fn known_names(&self) -> Result<Arc<Vec<KnownName>>, AppError> {
        self.read_once("names", |names: &Vec<KnownName>| names.len() * NAME_BYTES, self.read_names()).await
    }

    async fn read_names(&self) -> Result<Vec<KnownName>, AppError> {
        let mut names = Vec::new();
        for kind in [NameKind::Player, NameKind::Event] {
            let keys = names::keys(&self.reading, LOG, kind, &KeyRange::default(), NAMES_MAX).await?;
            let written = names::names(&self.reading, LOG, kind, &keys).await?;
            names.extend(keys.into_iter().zip(written).map(|(key, name)| KnownName::new(kind, key, name)));
        }
        Ok(names)
    }
}
