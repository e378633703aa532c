//! The list of matches: its pages by key, in both directions, and how many there are.

use chrono::{DateTime, Datelike, Utc};
use sqlx::{FromRow, Postgres, QueryBuilder};
use thiserror::Error;
use uuid::Uuid;

use super::{Archive, Filter};
use crate::account;
use crate::error::AppError;
use crate::scope::{LOG, Scope};

/// Matches on one page of the list.
const PAGE_MATCHES: usize = 50;
/// Matches that are read at a time where all of them are wanted.
const STREAMED: usize = 500;
/// Where counting ends: whoever reads a list does not need to know whether it has 40,000 matches or 41,000.
pub(crate) const COUNTED: i64 = 1_000;
/// From so many matches on, those with some words are found by walking the list in its order. Of 100,000 matches one of 25
/// is one then, and the walk is short; with fewer it would be long.
const WITH_WORDS: i64 = 4_000;

/// What of a match a list needs.
const COLUMNS: &str = "a.match_id, a.slug, a.game, a.ruleset, a.event, a.date, a.p1, a.p2, a.p1_key, a.p2_key, a.dmo, \
                       a.mode, a.umpire, a.result, a.reason, a.rounds, a.score_p1, a.score_p2, a.rulings, a.verdict, \
                       a.head, a.played_at, a.changed_at, \
                       (select u.public_name from umpires as u where u.id = a.umpire) as umpire_name";

/// A match in the list.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct ListedMatch {
    /// Its id.
    pub match_id: Uuid,
    /// Its short name.
    pub slug: String,
    /// Its game.
    pub game: String,
    /// Its ruleset's id.
    pub ruleset: String,
    /// The tournament.
    pub event: Option<String>,
    /// When it was played, as it was written.
    pub date: Option<String>,
    /// The first player.
    pub p1: String,
    /// The second player.
    pub p2: String,
    /// The first player's name as it is compared; none where it was withdrawn.
    pub p1_key: Option<String>,
    /// The second player's.
    pub p2_key: Option<String>,
    /// `p1` or `p2`: the seat of the DMO, where there is one.
    pub dmo: Option<String>,
    /// `live`, `recorded` or `imported`.
    pub mode: String,
    /// Who opened it, by pseudonym.
    pub umpire: String,
    /// `p1`, `p2`, `undecided`, `void` or `*`.
    pub result: String,
    /// The reason's word.
    pub reason: String,
    /// Rounds played.
    pub rounds: i32,
    /// The first player's score, where the game has one.
    pub score_p1: Option<i32>,
    /// The second player's score.
    pub score_p2: Option<i32>,
    /// Rulings and strikes.
    pub rulings: i32,
    /// What its verification found when it was run last: a word of [`VerdictFilter`](super::VerdictFilter).
    pub verdict: String,
    /// How many entries all of this was derived from.
    pub head: i32,
    /// What the list is ordered by.
    pub played_at: DateTime<Utc>,
    /// The clock of the last entry.
    pub changed_at: DateTime<Utc>,
    /// The name under which the umpire who opened it wants to be known.
    pub umpire_name: Option<String>,
}

/// A place in the list: that of a match. Matches come and go without moving it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    played_at: DateTime<Utc>,
    match_id: Uuid,
}

/// Which page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// What is older than this place.
    After(Place),
    /// What is newer than this place, up to it.
    Before(Place),
    /// The oldest.
    Last,
}

/// A page of the list.
#[derive(Clone, Debug, Default)]
pub struct Page {
    /// Its matches, newest first.
    pub matches: Vec<ListedMatch>,
    /// Where the page before it ends; none on the first.
    pub newer: Option<Place>,
    /// Where the page after it begins; none on the last.
    pub older: Option<Place>,
}

/// How many matches there are, as far as they are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Count {
    /// At most 1,000.
    pub counted: u32,
    /// True if there are more.
    pub more: bool,
}

/// The place of a page is not one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("this address names a page of the list that does not exist")]
pub struct PlaceError;

impl Place {
    /// The place of a match that was played then.
    #[must_use]
    pub const fn at(played_at: DateTime<Utc>, match_id: Uuid) -> Self {
        Self { played_at, match_id }
    }

    /// What the list is ordered by.
    #[must_use]
    pub const fn key(&self) -> (DateTime<Utc>, Uuid) {
        (self.played_at, self.match_id)
    }

    const fn of(listed: &ListedMatch) -> Self {
        Self::at(listed.played_at, listed.match_id)
    }
}

impl ListedMatch {
    /// The name of one of its players as it was written then.
    #[must_use]
    pub fn name_of(&self, key: &str) -> Option<&str> {
        let seats = [(&self.p1_key, &self.p1), (&self.p2_key, &self.p2)];
        seats.into_iter().find_map(|(of, name)| (of.as_deref() == Some(key)).then_some(name.as_str()))
    }
}

impl Page {
    /// The matches that follow the beginning of a page, the nearest to it first, and whether there are more of them.
    fn of(mut matches: Vec<ListedMatch>, at: Option<&At>, more: bool) -> Self {
        matches.truncate(PAGE_MATCHES);
        if direction(at).0 {
            matches.reverse();
        }
        let (first, last) = (matches.first().map(Place::of), matches.last().map(Place::of));
        let (newer, older) = match at {
            None => (None, last.filter(|_| more)),
            Some(At::After(_)) => (first, last.filter(|_| more)),
            Some(At::Before(_)) => (first.filter(|_| more), last),
            Some(At::Last) => (first.filter(|_| more), None),
        };
        Self { matches, newer, older }
    }
}

/// True if a page is read towards the newer matches, and what it begins beyond.
const fn direction(at: Option<&At>) -> (bool, Option<&Place>) {
    match at {
        None => (false, None),
        Some(At::After(place)) => (false, Some(place)),
        Some(At::Before(place)) => (true, Some(place)),
        Some(At::Last) => (true, None),
    }
}

impl Count {
    /// What a count that ends at one more than 1,000 found.
    pub(crate) fn of(found: i64) -> Self {
        Self { counted: u32::try_from(found.min(COUNTED)).unwrap_or(0), more: found > COUNTED }
    }

    /// The number alone, where something else says what is counted.
    #[must_use]
    pub fn figure(self) -> String {
        if self.more { "more than 1,000".to_owned() } else { self.counted.to_string() }
    }
}

/// As an address writes it: microseconds and id.
impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.played_at.timestamp_micros(), self.match_id.simple())
    }
}

impl std::str::FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        let (micros, id) = text.rsplit_once('-').ok_or(PlaceError)?;
        let played_at = micros.parse().ok().and_then(DateTime::from_timestamp_micros);
        // PostgreSQL knows no time that is as far away as some that can be written.
        let played_at = played_at.filter(|at| (1..=9999).contains(&at.year())).ok_or(PlaceError)?;
        Ok(Self { played_at, match_id: Uuid::try_parse(id).map_err(|_| PlaceError)? })
    }
}

/// `1 match`, `312 matches`, `more than 1,000 matches`.
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
    /// A page of the list; the first where none is named.
    ///
    /// # Errors
    /// The database.
    pub async fn list(&self, filter: &Filter, at: Option<&At>) -> Result<Page, AppError> {
        let filter = &self.resolved(filter).await?;
        if !self.may_fit(filter).await? {
            return Ok(Page::default());
        }
        self.page_of_many(Scope::Record, filter, at).await
    }

    /// A page of the list, and how many matches there are. Where there are not many, their places are read once for both, and
    /// the page is found among these: which index leads to few matches, and which leads through many in order, is not for
    /// PostgreSQL to guess then.
    ///
    /// # Errors
    /// The database.
    pub async fn counted_list(&self, filter: &Filter, at: Option<&At>) -> Result<(Page, Count), AppError> {
        let filter = &self.resolved(filter).await?;
        if !self.may_fit(filter).await? {
            return Ok((Page::default(), Count::of(0)));
        }
        let (count, ids) = self.places(filter, at).await?;
        let Some(ids) = ids else { return Ok((self.page_of_many(Scope::Record, filter, at).await?, count)) };
        let shown = ids.get(..PAGE_MATCHES).unwrap_or(&ids);
        let mut matches = self.listed(shown).await?;
        if direction(at).0 {
            matches.reverse();
        }
        Ok((Page::of(matches, at, ids.len() > PAGE_MATCHES), count))
    }

    /// The newest practice matches of an umpire, by pseudonym. Practice is in no other list.
    ///
    /// # Errors
    /// The database.
    pub async fn practice(&self, umpire: &str) -> Result<Vec<ListedMatch>, AppError> {
        let filter = Filter { umpire: Some(umpire.to_owned()), ..Filter::default() };
        Ok(self.page_of_many(Scope::Practice, &filter, None).await?.matches)
    }

    /// A filter with the pseudonym in place of an umpire's public name.
    ///
    /// # Errors
    /// The database.
    async fn resolved(&self, filter: &Filter) -> Result<Filter, AppError> {
        let mut filter = filter.clone();
        if let Some(name) = filter.umpire.as_mut() {
            let id = account::publicly_named(self.logs.pool(), name).await.map_err(AppError::from_account)?;
            *name = id.unwrap_or_else(|| name.clone());
        }
        Ok(filter)
    }

    /// A page of a list, in the order of the list.
    async fn page_of_many(&self, scope: Scope, filter: &Filter, at: Option<&At>) -> Result<Page, AppError> {
        let (sql, order) = filter.query(scope.log_id(), format!("select {COLUMNS}"));
        let (backwards, place) = direction(at);
        // One more than is shown tells whether there is another page.
        let matches = self.rows(sql, order, backwards, place, PAGE_MATCHES + 1).await?;
        let more = matches.len() > PAGE_MATCHES;
        Ok(Page::of(matches, at, more))
    }

    /// These matches, newest first; without those that the archive does not have.
    ///
    /// # Errors
    /// The database.
    pub async fn listed(&self, matches: &[Uuid]) -> Result<Vec<ListedMatch>, AppError> {
        let mut sql = QueryBuilder::new(format!("select {COLUMNS} from archive as a where a.log_id = "));
        sql.push_bind(LOG.0).push(" and a.match_id = any(").push_bind(matches);
        sql.push(") order by a.played_at desc, a.match_id desc");
        Ok(sql.build_query_as().fetch_all(self.logs.reading_pool()).await?)
    }

    /// The newest matches of a list, for a page that shows a few of them: the number is part of the question, which is
    /// planned once and kept.
    ///
    /// # Errors
    /// The database.
    pub async fn newest(&self, filter: &Filter, most: u8) -> Result<Vec<ListedMatch>, AppError> {
        let (mut sql, order) = self.resolved(filter).await?.query(LOG, format!("select {COLUMNS}"));
        push_order(&mut sql, "", order, false, None);
        sql.push(format!(" limit {most}"));
        Ok(sql.build_query_as().fetch_all(self.logs.reading_pool()).await?)
    }

    /// The matches of a list from a place on, some hundreds at a time: for whoever wants all of them.
    ///
    /// # Errors
    /// The database.
    pub async fn walk(
        &self,
        filter: &Filter,
        after: Option<&Place>,
    ) -> Result<(Vec<ListedMatch>, Option<Place>), AppError> {
        let (sql, order) = self.resolved(filter).await?.query(LOG, format!("select {COLUMNS}"));
        let matches = self.rows(sql, order, false, after, STREAMED).await?;
        let next = matches.last().map(Place::of).filter(|_| matches.len() == STREAMED);
        Ok((matches, next))
    }

    /// The results that came last, as a feed tells them.
    ///
    /// # Errors
    /// The database.
    pub async fn results(&self, filter: &Filter, most: u32) -> Result<Vec<ListedMatch>, AppError> {
        let (mut sql, _) = self.resolved(filter).await?.query(LOG, format!("select {COLUMNS}"));
        sql.push(" and a.result <> '*' order by a.changed_at desc, a.match_id desc limit ");
        sql.push_bind(i64::from(most));
        Ok(sql.build_query_as().persistent(false).fetch_all(self.logs.reading_pool()).await?)
    }

    /// How many matches a filter leaves, counted up to 1,000.
    ///
    /// # Errors
    /// The database.
    pub async fn count(&self, filter: &Filter) -> Result<Count, AppError> {
        let filter = &self.resolved(filter).await?;
        if !self.may_fit(filter).await? {
            return Ok(Count::of(0));
        }
        let mut sql = filter.places(LOG, "select count(*) from (");
        sql.push(" limit ").push_bind(COUNTED + 1).push(") as found");
        Ok(Count::of(sql.build_query_scalar().persistent(false).fetch_one(self.logs.reading_pool()).await?))
    }

    /// How many matches a filter leaves, and where these are not many, those of a page: as many as it has and one more, the
    /// nearest to its beginning first.
    async fn places(&self, filter: &Filter, at: Option<&At>) -> Result<(Count, Option<Vec<Uuid>>), AppError> {
        let many = if filter.question().is_some() { WITH_WORDS } else { COUNTED + 1 };
        let mut sql = filter.places(LOG, "with found as materialized (");
        sql.push(" limit ").push_bind(many).push(") select n, case when n < ").push_bind(many);
        sql.push(" then array(select match_id from found");
        let (backwards, place) = direction(at);
        push_order(&mut sql, " where", "found", backwards, place);
        sql.push(" limit ").push_bind(i64::try_from(PAGE_MATCHES + 1).unwrap_or(i64::MAX));
        sql.push(") end from (select count(*) as n from found) as counted");
        let (found, ids): (i64, Option<Vec<Uuid>>) =
            sql.build_query_as().persistent(false).fetch_one(self.logs.reading_pool()).await?;
        Ok((Count::of(found), ids))
    }

    /// Planned for these very values (`persistent(false)`): which index leads through a filter is not the same for every
    /// value of it, and a plan that is kept would have to do for all.
    async fn rows(
        &self,
        mut sql: QueryBuilder<Postgres>,
        order: &'static str,
        backwards: bool,
        place: Option<&Place>,
        most: usize,
    ) -> Result<Vec<ListedMatch>, AppError> {
        push_order(&mut sql, " and", order, backwards, place);
        sql.push(" limit ");
        sql.push_bind(i64::try_from(most).unwrap_or(i64::MAX));
        Ok(sql.build_query_as().persistent(false).fetch_all(self.logs.reading_pool()).await?)
    }
}

/// What lies beyond a place, the nearest to it first; the word before the condition is ` where` or ` and`.
fn push_order(sql: &mut QueryBuilder<Postgres>, before: &str, table: &str, backwards: bool, place: Option<&Place>) {
    let (sign, way) = if backwards { (">", "asc") } else { ("<", "desc") };
    if let Some(place) = place {
        sql.push(format!("{before} ({table}.played_at, {table}.match_id) {sign} ("));
        sql.push_bind(place.played_at).push(", ").push_bind(place.match_id).push(")");
    }
    sql.push(format!(" order by {table}.played_at {way}, {table}.match_id {way}"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_comes_back_as_it_went() {
        let match_id = Uuid::from_u128(0xab);
        let place = Place { played_at: DateTime::from_timestamp_micros(-5).unwrap(), match_id };
        assert_eq!(place.to_string(), "-5-000000000000000000000000000000ab");
        assert_eq!(place.to_string().parse(), Ok(place));
        for broken in ["", "-", "12", "x-ab", "12-ab", "99999999999999999999-ab"] {
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
