//! Players: by name, as one reads them in the archive. Two people of one name are one here, and say so on the page.

use chrono::{DateTime, Utc};

use super::Archive;
use super::Count;
use super::list::COUNTED;
use crate::error::AppError;
use crate::scope::LOG;

/// Names on one page.
const PAGE_NAMES: i64 = 50;

/// A player in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedPlayer {
    /// The name as it is compared.
    pub key: String,
    /// The name as it was written last.
    pub name: String,
    /// The player's matches.
    pub matches: Count,
    /// When the last of them was played.
    pub last: DateTime<Utc>,
}

/// Matches of a player that are alike.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The ruleset's id.
    pub ruleset: String,
    /// `p1` or `p2`.
    pub seat: String,
    /// True if the player was the DMO, where there was one.
    pub dmo: Option<bool>,
    /// `won`, `lost`, `undecided`, `void` or `*`.
    pub standing: String,
    /// How many.
    pub n: i64,
}

/// Results, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Won.
    pub won: i64,
    /// Lost.
    pub lost: i64,
    /// Without a winner, or not counting.
    pub other: i64,
    /// Not ended.
    pub running: i64,
}

impl Score {
    /// What tallies add up to.
    #[must_use]
    pub fn of<'t>(tallies: impl IntoIterator<Item = &'t Tally>) -> Self {
        let mut score = Self::default();
        for tally in tallies {
            match tally.standing.as_str() {
                "won" => score.won += tally.n,
                "lost" => score.lost += tally.n,
                "*" => score.running += tally.n,
                _ => score.other += tally.n,
            }
        }
        score
    }

    /// All of them.
    #[must_use]
    pub const fn all(&self) -> i64 {
        self.ended() + self.running
    }

    /// All that came to an end.
    #[must_use]
    pub const fn ended(&self) -> i64 {
        self.won + self.lost + self.other
    }
}

impl Archive {
    /// A page of the players, by name: those behind `after`, or those before `before` where that is given. `begins` is how
    /// their names begin, folded.
    ///
    /// # Errors
    /// The database.
    pub async fn players(
        &self,
        begins: &str,
        after: Option<&str>,
        before: Option<&str>,
    ) -> Result<(Vec<ListedPlayer>, bool), AppError> {
        let (keys, more) = self.player_keys(begins, after, before).await?;
        let rows = sqlx::query!(
            "select keys.key as \"key!\", last.name, last.played_at, ( \
                 select count(*) from (select 1 from archive_seats as s where s.log_id = $1 and s.key = keys.key limit $3) \
                 as found) as \"found!\" \
             from unnest($2::text[]) with ordinality as keys (key, n), \
             lateral (select s.name, s.played_at from archive_seats as s where s.log_id = $1 and s.key = keys.key \
                 order by s.played_at desc, s.match_id desc limit 1) as last order by keys.n",
            LOG.0,
            &keys,
            COUNTED + 1
        );
        let rows = rows.fetch_all(self.logs.reading_pool()).await?.into_iter();
        let listed = rows.map(|row| ListedPlayer {
            key: row.key,
            name: row.name,
            matches: Count::of(row.found),
            last: row.played_at,
        });
        Ok((listed.collect(), more))
    }

    /// The keys of a page of the players. Every name is looked up by itself in the index, so that the matches of a name are
    /// not read.
    pub(crate) async fn player_keys(
        &self,
        begins: &str,
        after: Option<&str>,
        before: Option<&str>,
    ) -> Result<(Vec<String>, bool), AppError> {
        let keys: Vec<String> = match before {
            None => {
                sqlx::query_scalar!(
                    "with recursive keys as ( \
                         (select key from archive_seats where log_id = $1 and key >= $2 and key < $2 || chr(1114111) \
                             and ($3::text is null or key > $3) order by key limit 1) \
                         union all select (select s.key from archive_seats as s where s.log_id = $1 and s.key > keys.key \
                             and s.key < $2 || chr(1114111) order by s.key limit 1) from keys where keys.key is not null \
                     ) select key as \"key!\" from keys where key is not null limit $4",
                    LOG.0,
                    begins,
                    after,
                    PAGE_NAMES + 1
                )
                .fetch_all(self.logs.reading_pool())
                .await?
            }
            Some(before) => {
                sqlx::query_scalar!(
                    "with recursive keys as ( \
                         (select key from archive_seats where log_id = $1 and key >= $2 and key < $3 \
                             and key < $2 || chr(1114111) order by key desc limit 1) \
                         union all select (select s.key from archive_seats as s where s.log_id = $1 and s.key < keys.key \
                             and s.key >= $2 order by s.key desc limit 1) from keys where keys.key is not null \
                     ) select key as \"key!\" from keys where key is not null limit $4",
                    LOG.0,
                    begins,
                    before,
                    PAGE_NAMES + 1
                )
                .fetch_all(self.logs.reading_pool())
                .await?
            }
        };
        let shown = usize::try_from(PAGE_NAMES).unwrap_or(usize::MAX);
        let more = keys.len() > shown;
        let mut keys: Vec<String> = keys.into_iter().take(shown).collect();
        if before.is_some() {
            keys.reverse();
        }
        Ok((keys, more))
    }

    /// The name of a player as it was written last; none where nobody of that name is in the archive.
    ///
    /// # Errors
    /// The database.
    pub async fn player_name(&self, key: &str) -> Result<Option<String>, AppError> {
        let name = sqlx::query_scalar!(
            "select name from archive_seats where log_id = $1 and key = $2 order by played_at desc, match_id desc limit 1",
            LOG.0,
            key
        );
        Ok(name.fetch_optional(self.logs.reading_pool()).await?)
    }

    pub(crate) async fn names_of_players(&self, keys: &[String]) -> Result<Vec<String>, AppError> {
        let names = sqlx::query_scalar!(
            "select last.name from unnest($2::text[]) with ordinality as keys (key, n), \
             lateral (select s.name from archive_seats as s where s.log_id = $1 and s.key = keys.key \
                 order by s.played_at desc, s.match_id desc limit 1) as last order by keys.n",
            LOG.0,
            keys
        );
        Ok(names.fetch_all(self.logs.reading_pool()).await?)
    }

    /// A player's matches by ruleset, seat and result; those against one opponent where one is named.
    ///
    /// # Errors
    /// The database.
    pub async fn tallies(&self, key: &str, against: Option<&str>) -> Result<Vec<Tally>, AppError> {
        // Two questions, so that PostgreSQL plans each of them once for everybody.
        let Some(other) = against else {
            let tallies = sqlx::query_as!(
                Tally,
                "select ruleset, seat, dmo, standing, count(*) as \"n!\" from archive_seats \
                 where log_id = $1 and key = $2 \
                 group by ruleset, seat, dmo, standing order by ruleset, seat, dmo, standing",
                LOG.0,
                key
            );
            return Ok(tallies.fetch_all(self.logs.reading_pool()).await?);
        };
        let tallies = sqlx::query_as!(
            Tally,
            "select ruleset, seat, dmo, standing, count(*) as \"n!\" from archive_seats \
             where log_id = $1 and key = $2 and other = $3 \
             group by ruleset, seat, dmo, standing order by ruleset, seat, dmo, standing",
            LOG.0,
            key,
            other
        );
        Ok(tallies.fetch_all(self.logs.reading_pool()).await?)
    }

    /// Whom a player met most often, a dozen: key, name and how many matches.
    ///
    /// # Errors
    /// The database.
    pub async fn opponents(&self, key: &str) -> Result<Vec<(String, String, i64)>, AppError> {
        let met = sqlx::query!(
            "select met.other as \"key!\", met.n as \"n!\", last.name from ( \
                 select other, count(*) as n from archive_seats where log_id = $1 and key = $2 and other is not null \
                 group by other order by n desc, other limit 12 \
             ) as met, lateral (select s.name from archive_seats as s where s.log_id = $1 and s.key = met.other \
                 order by s.played_at desc, s.match_id desc limit 1) as last order by met.n desc, met.other",
            LOG.0,
            key
        );
        let met = met.fetch_all(self.logs.reading_pool()).await?;
        Ok(met.into_iter().map(|met| (met.key, met.name, met.n)).collect())
    }
}
