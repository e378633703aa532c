//! The list of matches: pages in both directions, and the number of matches.

use chrono::{DateTime, Datelike, Utc};
use store::archive::matches::{self, Beyond, Direction, PageStart};
use store::archive::selection::Selection;
use store::archive::{COUNT_MAX, kinds};
use thiserror::Error;
use uuid::Uuid;

use super::{Archive, Filter, Sort, VerdictFilter};
use crate::account;
use crate::error::AppError;
use crate::scope::{LOG, Scope};

pub use store::archive::matches::MatchSummary;

const PAGE_MATCHES: usize = 50;
const STREAMED: usize = 500;
const DRAMATIC_OF_NEWEST: i32 = 50;
/// The place of a match in the list. It stays the same when other matches come and go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    rank: Option<i32>,
    played_at: DateTime<Utc>,
    match_id: Uuid,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    After(Place),
    Before(Place),
    Last,
}

#[derive(Clone, Debug, Default)]
pub struct Page {
    pub matches: Vec<MatchSummary>,
    pub newer: Option<Place>,
    pub older: Option<Place>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count {
    /// At most 1,000.
    pub counted: u32,
    pub more: bool,
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

    fn of(listed: &MatchSummary, sort: Sort) -> Self {
        let rank = (sort != Sort::Newest).then(|| sort.order().rank(listed));
        Self { rank, ..Self::at(listed.played_at, listed.match_id) }
    }
}

impl Page {
    fn of(mut matches: Vec<MatchSummary>, sort: Sort, at: Option<&At>, more: bool) -> Self {
        matches.truncate(PAGE_MATCHES);
        if start(sort, at).direction == Direction::Newer {
            matches.reverse();
        }
        let (first, last) = (matches.first(), matches.last());
        let [first, last] = [first, last].map(|listed| listed.map(|listed| Place::of(listed, sort)));
        let (newer, older) = match at {
            None => (None, last.filter(|_| more)),
            Some(At::After(_)) => (first, last.filter(|_| more)),
            Some(At::Before(_)) => (first.filter(|_| more), last),
            Some(At::Last) => (first.filter(|_| more), None),
        };
        Self { matches, newer, older }
    }
}

fn start(sort: Sort, at: Option<&At>) -> PageStart {
    let (direction, place) = match at {
        None => (Direction::Older, None),
        Some(At::After(place)) => (Direction::Older, Some(place)),
        Some(At::Before(place)) => (Direction::Newer, Some(place)),
        Some(At::Last) => (Direction::Newer, None),
    };
    let beyond =
        |place: &Place| Beyond { rank: place.rank.unwrap_or(0), played_at: place.played_at, match_id: place.match_id };
    PageStart { order: sort.order(), direction, beyond: place.map(beyond) }
}

impl Count {
    #[must_use]
    pub fn is_at_most(self, n: usize) -> bool {
        !self.more && usize::try_from(self.counted).is_ok_and(|counted| counted <= n)
    }

    pub(crate) fn of(found: i64) -> Self {
        Self { counted: u32::try_from(found.min(COUNT_MAX)).unwrap_or(0), more: found > COUNT_MAX }
    }

    #[must_use]
    pub fn figure(self) -> String {
        if self.more { "more than 1,000".to_owned() } else { self.counted.to_string() }
    }
}

/// In an address: microseconds and id, after the value of another order than that of time.
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(rank) = self.rank {
            write!(f, "{rank}.")?;
        }
        write!(f, "{}-{}", self.played_at.timestamp_micros(), self.match_id.simple())
    }
}

impl std::str::FromStr for Place {
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

impl std::fmt::Display for Count {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (self.counted, self.more) {
            (_, true) => f.write_str("more than 1,000 matches"),
            (1, false) => f.write_str("1 match"),
            (counted, false) => write!(f, "{counted} matches"),
        }
    }
}

impl Archive {
    pub async fn list(&self, filter: &Filter, at: Option<&At>) -> Result<Page, AppError> {
        let selection = self.selection(filter).await?;
        if !self.may_exist(&selection).await? {
            return Ok(Page::default());
        }
        self.page(Scope::Record, &selection, Sort::Newest, at).await
    }

    pub async fn counted_list(&self, filter: &Filter, sort: Sort, at: Option<&At>) -> Result<(Page, Count), AppError> {
        let selection = self.selection(filter).await?;
        if !self.may_exist(&selection).await? {
            return Ok((Page::default(), Count::of(0)));
        }
        let (pool, start) = (&self.reading, start(sort, at));
        let (found, ids) = matches::count_and_page(pool, LOG, &selection, start, limit(PAGE_MATCHES + 1)).await?;
        let count = Count::of(found);
        let Some(ids) = ids else { return Ok((self.page(Scope::Record, &selection, sort, at).await?, count)) };
        let shown = ids.get(..PAGE_MATCHES).unwrap_or(&ids);
        let mut matches = self.listed(shown).await?;
        matches.sort_by_cached_key(|listed| shown.iter().position(|id| *id == listed.match_id));
        Ok((Page::of(matches, sort, at, ids.len() > PAGE_MATCHES), count))
    }

    pub async fn practice(&self, umpire: &str) -> Result<Vec<MatchSummary>, AppError> {
        let selection = Selection { umpire: Some(umpire.to_owned()), ..Selection::default() };
        Ok(self.page(Scope::Practice, &selection, Sort::Newest, None).await?.matches)
    }

    async fn selection(&self, filter: &Filter) -> Result<Selection, AppError> {
        let filter = &self.with_players(filter).await?;
        let Some(name) = &filter.umpire else { return Ok(filter.selection(None)) };
        let id = account::publicly_named(&self.serving, name).await.map_err(AppError::from_account)?;
        Ok(filter.selection(Some(id.unwrap_or_else(|| name.clone()))))
    }

    async fn with_players(&self, filter: &Filter) -> Result<Filter, AppError> {
        let mut filter = filter.clone();
        for name in [&mut filter.player, &mut filter.against].into_iter().flatten() {
            *name = self.player_key(name).await?;
        }
        Ok(filter)
    }

    async fn may_exist(&self, selection: &Selection) -> Result<bool, AppError> {
        Ok(kinds::may_exist(&self.reading, LOG, selection).await?)
    }

    /// Matches as a list may show them: none counts as checked while the entries are not what was signed.
    fn told(&self, mut matches: Vec<MatchSummary>) -> Vec<MatchSummary> {
        if self.signer.has_other_entries() {
            matches.iter_mut().for_each(|listed| VerdictFilter::Unchecked.word().clone_into(&mut listed.verdict));
        }
        matches
    }

    async fn page(&self, scope: Scope, selection: &Selection, sort: Sort, at: Option<&At>) -> Result<Page, AppError> {
        // One more than is shown tells whether there is another page.
        let (pool, limit) = (&self.reading, limit(PAGE_MATCHES + 1));
        let matches = self.told(matches::page(pool, scope.log_id(), selection, start(sort, at), limit).await?);
        let more = matches.len() > PAGE_MATCHES;
        Ok(Page::of(matches, sort, at, more))
    }

    pub async fn listed(&self, matches: &[Uuid]) -> Result<Vec<MatchSummary>, AppError> {
        Ok(self.told(matches::with_ids(&self.reading, LOG, matches).await?))
    }

    pub async fn newest(&self, filter: &Filter, most: u8) -> Result<Vec<MatchSummary>, AppError> {
        let selection = self.selection(filter).await?;
        Ok(self.told(matches::newest(&self.reading, LOG, &selection, most).await?))
    }

    pub async fn walk(
        &self,
        filter: &Filter,
        after: Option<&Place>,
    ) -> Result<(Vec<MatchSummary>, Option<Place>), AppError> {
        let selection = self.selection(filter).await?;
        let start = start(Sort::Newest, after.copied().map(At::After).as_ref());
        let matches = self.told(matches::page(&self.reading, LOG, &selection, start, limit(STREAMED)).await?);
        let next = matches.last().map(|listed| Place::of(listed, Sort::Newest)).filter(|_| matches.len() == STREAMED);
        Ok((matches, next))
    }

    /// The match of the week: the most dramatic one that was played since a time and has ended. If there is none, the
    /// most dramatic of the newest that have ended.
    pub async fn most_dramatic(&self, since: DateTime<Utc>) -> Result<Option<MatchSummary>, AppError> {
        let pool = &self.reading;
        let found = match matches::most_dramatic(pool, LOG, since).await? {
            None => matches::most_dramatic_of_newest(pool, LOG, DRAMATIC_OF_NEWEST).await?,
            found => found,
        };
        Ok(self.told(found.into_iter().collect()).pop())
    }

    pub async fn results(&self, filter: &Filter, most: u32) -> Result<Vec<MatchSummary>, AppError> {
        let selection = self.selection(filter).await?;
        Ok(self.told(matches::latest_results(&self.reading, LOG, &selection, most).await?))
    }

    pub async fn count(&self, filter: &Filter) -> Result<Count, AppError> {
        let selection = self.selection(filter).await?;
        if !self.may_exist(&selection).await? {
            return Ok(Count::of(0));
        }
        Ok(Count::of(matches::count(&self.reading, LOG, &selection).await?))
    }
}

fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_back_from_an_address() {
        let match_id = Uuid::from_u128(0xab);
        let place = Place::at(DateTime::from_timestamp_micros(-5).unwrap(), match_id);
        assert_eq!(place.to_string(), "-5-000000000000000000000000000000ab");
        assert_eq!(place.to_string().parse(), Ok(place));
        assert!(place.fits(Sort::Newest) && !place.fits(Sort::Closest));
        let ranked = Place { rank: Some(-1), ..place };
        assert_eq!(ranked.to_string(), "-1.-5-000000000000000000000000000000ab");
        assert_eq!(ranked.to_string().parse(), Ok(ranked));
        assert!(!ranked.fits(Sort::Newest) && ranked.fits(Sort::Closest));
        for broken in
            ["", "-", "12", "x-ab", "x.12-000000000000000000000000000000ab", "12-ab", "99999999999999999999-ab"]
        {
            assert_eq!(broken.parse::<Place>(), Err(PlaceError), "{broken}");
        }
    }

    #[test]
    fn counts_end_at_a_thousand() {
        let said = |counted, more| Count { counted, more }.to_string();
        assert_eq!(
            [said(1, false), said(0, false), said(1_000, true)],
            ["1 match", "0 matches", "more than 1,000 matches"]
        );
        let figure = |counted, more| Count { counted, more }.figure();
        assert_eq!([figure(312, false), figure(1_000, true)], ["312", "more than 1,000"]);
    }
}
