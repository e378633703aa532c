//! The tournaments in the archive.

use chrono::{DateTime, Utc};
use store::archive::events;

use super::Archive;
use super::Count;
use super::paging::{KEYS_READ, page};
use crate::error::AppError;
use crate::scope::LOG;

const STANDINGS: i64 = 200;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventSummary {
    pub key: String,
    pub name: String,
    pub matches: Count,
    pub first: DateTime<Utc>,
    pub last: DateTime<Utc>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventPage {
    pub event: EventSummary,
    pub standings: Vec<Standing>,
    pub rulesets: Vec<(String, i64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    pub place: usize,
    pub key: String,
    pub name: String,
    pub won: i64,
    pub lost: i64,
    pub other: i64,
    pub running: i64,
}

impl Archive {
    pub async fn events(
        &self,
        after: Option<&str>,
        before: Option<&str>,
    ) -> Result<(Vec<EventSummary>, bool), AppError> {
        let (keys, more) = self.event_keys(after, before).await?;
        Ok((self.named_events(&keys).await?, more))
    }

    pub(crate) async fn event_keys(
        &self,
        after: Option<&str>,
        before: Option<&str>,
    ) -> Result<(Vec<String>, bool), AppError> {
        let (pool, limit) = (&self.reading, KEYS_READ);
        let keys = match before {
            None => events::keys_after(pool, LOG, after, limit).await?,
            Some(before) => events::keys_before(pool, LOG, before, limit).await?,
        };
        Ok(page(keys, before.is_some()))
    }

    pub(crate) async fn names_of_events(&self, keys: &[String]) -> Result<Vec<String>, AppError> {
        Ok(events::names(&self.reading, LOG, keys).await?)
    }

    async fn named_events(&self, keys: &[String]) -> Result<Vec<EventSummary>, AppError> {
        let rows = events::list(&self.reading, LOG, keys).await?.into_iter();
        Ok(rows
            .map(|row| EventSummary {
                key: row.key,
                name: row.name,
                matches: Count::of(row.matches),
                first: row.first,
                last: row.last,
            })
            .collect())
    }

    pub async fn event(&self, key: &str) -> Result<Option<EventPage>, AppError> {
        let Some(event) = self.named_events(&[key.to_owned()]).await?.into_iter().next() else { return Ok(None) };
        let pool = &self.reading;
        let standings = events::players(pool, LOG, key, STANDINGS).await?.into_iter().map(|row| Standing {
            place: 0,
            key: row.key,
            name: row.name,
            won: row.won,
            lost: row.lost,
            other: row.other,
            running: row.running,
        });
        let standings = with_places(standings.collect());
        let rulesets = events::rulesets(pool, LOG, key).await?;
        Ok(Some(EventPage { event, standings, rulesets }))
    }
}

fn with_places(mut all: Vec<Standing>) -> Vec<Standing> {
    let mut above: Option<(i64, i64, usize)> = None;
    for (n, standing) in all.iter_mut().enumerate() {
        standing.place = match above {
            Some((won, lost, place)) if (won, lost) == (standing.won, standing.lost) => place,
            _ => n + 1,
        };
        above = Some((standing.won, standing.lost, standing.place));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_players_share_a_place() {
        let standing =
            |won, lost| Standing { place: 0, key: "a".into(), name: "A".into(), won, lost, other: 0, running: 0 };
        let with_places = with_places(vec![standing(3, 0), standing(1, 1), standing(1, 1), standing(0, 2)]);
        assert_eq!(with_places.iter().map(|standing| standing.place).collect::<Vec<_>>(), [1, 2, 2, 4]);
    }
}
