//! The players in the archive, by name. People with the same name are one player here, and the page says so.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use record::name_key;
use store::archive::players;

use super::Archive;
use super::Count;
use super::paging::{KEYS_READ, page};
use crate::error::AppError;
use crate::scope::LOG;

pub use store::archive::players::Tally;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSummary {
    pub key: String,
    pub name: String,
    pub matches: Count,
    pub last: DateTime<Utc>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub won: i64,
    pub lost: i64,
    pub other: i64,
    /// Void: for nobody, and in no statistics.
    pub void: i64,
    pub running: i64,
}

impl Score {
    #[must_use]
    pub fn of<'t>(tallies: impl IntoIterator<Item = &'t Tally>) -> Self {
        let mut score = Self::default();
        for tally in tallies {
            match tally.standing.as_str() {
                "won" => score.won += tally.n,
                "lost" => score.lost += tally.n,
                "void" => score.void += tally.n,
                "*" => score.running += tally.n,
                _ => score.other += tally.n,
            }
        }
        score
    }

    #[must_use]
    pub const fn all(&self) -> i64 {
        self.ended() + self.running + self.void
    }

    #[must_use]
    pub const fn ended(&self) -> i64 {
        self.won + self.lost + self.other
    }
}

impl Archive {
    pub async fn players(
        &self,
        begins: &str,
        after: Option<&str>,
        before: Option<&str>,
    ) -> Result<(Vec<PlayerSummary>, bool), AppError> {
        let (keys, more) = self.player_keys(begins, after, before).await?;
        let rows = players::list(&self.reading, LOG, &keys).await?.into_iter();
        let listed = rows.map(|row| PlayerSummary {
            key: row.key,
            name: row.name,
            matches: Count::of(row.matches),
            last: row.last,
        });
        Ok((listed.collect(), more))
    }

    pub(crate) async fn player_keys(
        &self,
        begins: &str,
        after: Option<&str>,
        before: Option<&str>,
    ) -> Result<(Vec<String>, bool), AppError> {
        let (pool, limit) = (&self.reading, KEYS_READ);
        let keys = match before {
            None => players::keys_after(pool, LOG, begins, after, limit).await?,
            Some(before) => players::keys_before(pool, LOG, begins, before, limit).await?,
        };
        Ok(page(keys, before.is_some()))
    }

    pub async fn player_name(&self, key: &str) -> Result<Option<String>, AppError> {
        Ok(players::name(&self.reading, LOG, key).await?)
    }

    pub async fn known_players(&self, keys: &[String]) -> Result<BTreeSet<String>, AppError> {
        let names = if keys.is_empty() { Vec::new() } else { self.names_of_players(keys).await? };
        Ok(names.iter().map(|name| name_key(name)).collect())
    }

    pub(crate) async fn names_of_players(&self, keys: &[String]) -> Result<Vec<String>, AppError> {
        Ok(players::names(&self.reading, LOG, keys).await?)
    }

    pub async fn tallies(&self, key: &str, against: Option<&str>) -> Result<Vec<Tally>, AppError> {
        Ok(players::tallies(&self.reading, LOG, key, against).await?)
    }

    pub async fn opponents(&self, key: &str) -> Result<Vec<(String, String, i64)>, AppError> {
        let met = players::opponents(&self.reading, LOG, key).await?;
        Ok(met.into_iter().map(|met| (met.key, met.name, met.n)).collect())
    }
}
