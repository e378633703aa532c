//! Places in the list of matches, from which pages begin.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Datelike, Utc};
use thiserror::Error;
use uuid::Uuid;

use super::filter::Sort;
use super::matches::MatchSummary;

/// The place of a match in the list. It stays the same when other matches come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    pub(super) rank: Option<i32>,
    pub(super) played_at: DateTime<Utc>,
    pub(super) match_id: Uuid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    After(Place),
    Before(Place),
    Last,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("this address names a page of the list that does not exist")]
pub struct PlaceError;

impl Place {
    #[must_use]
    pub const fn at(played_at: DateTime<Utc>, match_id: Uuid) -> Self {
        Self { rank: None, played_at, match_id }
    }

    #[must_use]
    pub const fn fits(&self, sort: Sort) -> bool {
        self.rank.is_some() != matches!(sort, Sort::Newest)
    }

    #[must_use]
    pub const fn key(&self) -> (DateTime<Utc>, Uuid) {
        (self.played_at, self.match_id)
    }

    #[must_use]
    pub fn of(listed: &MatchSummary, sort: Sort) -> Self {
        let rank = (sort != Sort::Newest).then(|| sort.rank(listed));
        Self { rank, ..Self::at(listed.played_at, listed.match_id) }
    }
}

/// In an address: microseconds and id, after the value of another order than that of time.
impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(rank) = self.rank {
            write!(f, "{rank}.")?;
        }
        write!(f, "{}-{}", self.played_at.timestamp_micros(), self.match_id.simple())
    }
}

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        let (rank, text) = match text.split_once('.') {
            Some((rank, text)) => (Some(rank.parse().map_err(|_| PlaceError)?), text),
            None => (None, text),
        };
        let (micros, id) = text.rsplit_once('-').ok_or(PlaceError)?;
        let played_at = micros.parse().ok().and_then(DateTime::from_timestamp_micros);
        // PostgreSQL has no times as far away as some that can be written.
        let played_at = played_at.filter(|at| (1..=9999).contains(&at.year())).ok_or(PlaceError)?;
        Ok(Self { rank, played_at, match_id: Uuid::try_parse(id).map_err(|_| PlaceError)? })
    }
}
