//! The players in the archive, by name. People with the same name are one player here, and the page says so.

use std::collections::BTreeSet;

use record::name_key;
use serde::Serialize;
use store::archive::names::{self, KeyRange, NameKind};
use store::archive::players;
use utoipa::ToSchema;

pub use store::archive::players::{Opponent, PlayerName, PlayerRow, Tally};

use super::Archive;
use crate::error::AppError;
use crate::scope::LOG;

/// Results, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Score {
    pub won: i64,
    pub lost: i64,
    /// Without a winner.
    pub other: i64,
    /// Ruled void. They count for nobody, and are in none of the other numbers.
    pub void: i64,
    /// Not ended.
    pub running: i64,
    /// Those among all of these that are known by their result only.
    pub result_only: i64,
}

impl Score {
    #[must_use]
    pub fn of<'t>(tallies: impl IntoIterator<Item = &'t Tally>) -> Self {
        let mut score = Self::default();
        for tally in tallies {
            score.result_only += if tally.result_only { tally.n } else { 0 };
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
    pub async fn players(&self, range: &KeyRange<'_>) -> Result<(Vec<PlayerRow>, bool), AppError> {
        let (keys, more) = self.keys(NameKind::Player, range).await?;
        Ok((players::list(&self.reading, LOG, &keys).await?, more))
    }

    pub async fn player_name(&self, key: &str) -> Result<Option<String>, AppError> {
        Ok(players::name(&self.reading, LOG, key).await?)
    }

    pub async fn known_players(&self, keys: &[String]) -> Result<BTreeSet<String>, AppError> {
        let names = names::names(&self.reading, LOG, NameKind::Player, keys).await?;
        Ok(names.iter().map(|name| name_key(name)).collect())
    }

    pub async fn tallies(&self, key: &str, against: Option<&str>) -> Result<Vec<Tally>, AppError> {
        Ok(players::tallies(&self.reading, LOG, key, against).await?)
    }

    pub async fn opponents(&self, key: &str) -> Result<Vec<Opponent>, AppError> {
        Ok(players::opponents(&self.reading, LOG, key).await?)
    }
}
