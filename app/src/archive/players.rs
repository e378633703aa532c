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

/// A player in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerSummary {
    /// The key of the name.
    pub key: String,
    /// The name as it was written last.
    pub name: String,
    /// The number of the player's matches.
    pub matches: Count,
    /// The time when the last of them was played.
    pub last: DateTime<Utc>,
}

/// The numbers of results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Won.
    pub won: i64,
    /// Lost.
    pub lost: i64,
    /// Without a winner.
    pub other: i64,
    /// Void: for nobody, and in no statistics.
    pub void: i64,
    /// Not ended.
    pub running: i64,
}

impl Score {
    /// The sum of tallies.
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

    /// All of them.
    #[must_use]
    pub const fn all(&self) -> i64 {
        self.ended() + self.running + self.void
    }

    /// All that ended and count: void ones do not.
    #[must_use]
    pub const fn ended(&self) -> i64 {
        self.won + self.lost + self.other
    }
}

impl Archive {
    /// A page of the players whose key begins with a text, after or before a key; true if there are more in that
    /// direction.
    ///
    /// # Errors
    /// The database.
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

    /// The keys of a page of the players.
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

    /// The name of a player as it was written last; none if the archive has no such player.
    ///
    /// # Errors
    /// The database.
    pub async fn player_name(&self, key: &str) -> Result<Option<String>, AppError> {
        Ok(players::name(&self.reading, LOG, key).await?)
    }

    /// The keys of those of these players who have a page.
    ///
    /// # Errors
    /// The database.
    pub async fn known_players(&self, keys: &[String]) -> Result<BTreeSet<String>, AppError> {
        let names = if keys.is_empty() { Vec::new() } else { self.names_of_players(keys).await? };
        Ok(names.iter().map(|name| name_key(name)).collect())
    }

    pub(crate) async fn names_of_players(&self, keys: &[String]) -> Result<Vec<String>, AppError> {
        Ok(players::names(&self.reading, LOG, keys).await?)
    }

    /// A player's matches by ruleset, seat and result; those against one opponent if one is given.
    ///
    /// # Errors
    /// The database.
    pub async fn tallies(&self, key: &str, against: Option<&str>) -> Result<Vec<Tally>, AppError> {
        Ok(players::tallies(&self.reading, LOG, key, against).await?)
    }

    /// The dozen players whom a player met most often: key, name and number of matches.
    ///
    /// # Errors
    /// The database.
    pub async fn opponents(&self, key: &str) -> Result<Vec<(String, String, i64)>, AppError> {
        let met = players::opponents(&self.reading, LOG, key).await?;
        Ok(met.into_iter().map(|met| (met.key, met.name, met.n)).collect())
    }
}
