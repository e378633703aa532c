//! The choices in the form of a filter. They are the same for every filter, and are read once for each version of the
//! lists.

use std::sync::Arc;

use store::archive::choices;
use store::archive::names::{self, KeyRange, NameKind};

use super::Archive;
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

/// About what a name takes.
const NAME_BYTES: usize = 64;

impl Archive {
    pub async fn filter_choices(&self) -> Result<Arc<FilterChoices>, AppError> {
        let bytes = |offered: &FilterChoices| {
            let lists = [&offered.players, &offered.events, &offered.umpires, &offered.endings, &offered.tags];
            lists.into_iter().map(Vec::len).sum::<usize>() * NAME_BYTES
        };
        self.read_once("choices", bytes, self.read_choices()).await
    }

    async fn read_choices(&self) -> Result<FilterChoices, AppError> {
        let pool = &self.reading;
        Ok(FilterChoices {
            players: self.few_names(NameKind::Player).await?,
            events: self.few_names(NameKind::Event).await?,
            umpires: choices::umpires(pool, LOG, UMPIRES).await?,
            umpire_names: self.umpires.learn_names().await?,
            endings: choices::endings(pool, LOG, ENDINGS).await?,
            tags: choices::tags(pool, LOG, TAGGED, TAGS).await?,
        })
    }

    /// All names of a kind, or none where they are more than a reader could choose from.
    async fn few_names(&self, kind: NameKind) -> Result<Vec<String>, AppError> {
        match self.keys(kind, &KeyRange::default()).await? {
            (_, true) => Ok(Vec::new()),
            (keys, false) => Ok(names::names(&self.reading, LOG, kind, &keys).await?),
        }
    }
}
