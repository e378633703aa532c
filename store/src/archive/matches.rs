//! The list of matches, newest first: by pages in both directions, and the number of matches.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId};
use sqlx::{FromRow, PgPool, Postgres, QueryBuilder};
use uuid::Uuid;

use super::COUNT_MAX;
use super::selection::Selection;
use crate::StoreError;

/// The number of matches from which those with some words are found by reading the list in its order. Of 100,000 matches
/// one of 25 has them then, and few rows are read; with fewer it would be many.
const MANY_WITH_WORDS: i64 = 4_000;

/// The columns of a list.
const COLUMNS: &str = "a.match_id, a.slug, a.game, a.ruleset, a.event, a.date, a.p1, a.p2, a.p1_key, a.p2_key, a.dmo, \
                       a.mode, a.umpire, a.result, a.reason, a.rounds, a.score_p1, a.score_p2, a.rulings, a.verdict, \
                       a.head, a.played_at, a.changed_at, \
                       (select u.public_name from umpires as u where u.id = a.umpire) as umpire_name";

/// A match in the list.
#[derive(Clone, Debug, PartialEq, Eq, FromRow)]
pub struct MatchSummary {
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
    /// The date on which it was played, as it was written.
    pub date: Option<String>,
    /// The first player.
    pub p1: String,
    /// The second player.
    pub p2: String,
    /// The key of the first player's name; none if it was withdrawn.
    pub p1_key: Option<String>,
    /// The key of the second player's name.
    pub p2_key: Option<String>,
    /// `p1` or `p2`: the seat of the DMO, if there is one.
    pub dmo: Option<String>,
    /// `live`, `recorded` or `imported`.
    pub mode: String,
    /// The pseudonym of the umpire who opened it.
    pub umpire: String,
    /// `p1`, `p2`, `undecided`, `void` or `*`.
    pub result: String,
    /// The reason's word.
    pub reason: String,
    /// The number of rounds.
    pub rounds: i32,
    /// The first player's score, if the game has one.
    pub score_p1: Option<i32>,
    /// The second player's score.
    pub score_p2: Option<i32>,
    /// The number of rulings and strikes.
    pub rulings: i32,
    /// The word of the verdict of its last check.
    pub verdict: String,
    /// The number of entries from which this was derived.
    pub head: i32,
    /// The time by which the list is ordered.
    pub played_at: DateTime<Utc>,
    /// The clock of the last entry.
    pub changed_at: DateTime<Utc>,
    /// The public name of the umpire who opened it.
    pub umpire_name: Option<String>,
}

impl MatchSummary {
    /// The name of one of its players as it was written then, by the key of the name.
    #[must_use]
    pub fn name_of(&self, key: &str) -> Option<&str> {
        let seats = [(&self.p1_key, &self.p1), (&self.p2_key, &self.p2)];
        seats.into_iter().find_map(|(of, name)| (of.as_deref() == Some(key)).then_some(name.as_str()))
    }
}

/// The direction in which a list is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards older matches.
    Older,
    /// Towards newer matches.
    Newer,
}

/// The beginning of a page: the matches beyond a place, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageStart {
    /// The direction.
    pub direction: Direction,
    /// Time and id of the match at the place; none at the end of the list.
    pub beyond: Option<(DateTime<Utc>, Uuid)>,
}

/// The matches of a page, the nearest to its beginning first.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn page(
    pool: &PgPool,
    log_id: LogId,
    selection: &Selection,
    start: PageStart,
    limit: i64,
) -> Result<Vec<MatchSummary>, StoreError> {
    let (mut sql, order) = selection.query(log_id, format!("select {COLUMNS}"));
    push_order(&mut sql, " and", order, start);
    sql.push(" limit ");
    sql.push_bind(limit);
    // Planned for these values: the best index is not the same for every value, and a stored plan would be for all.
    Ok(sql.build_query_as().persistent(false).fetch_all(pool).await?)
}

/// The number of matches of a selection, up to more than [`COUNT_MAX`]. If they are few, also the ids of a page, the
/// nearest to its beginning first. Then their places are read once for both: PostgreSQL need not guess which index leads
/// to few matches and which through many in order.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn count_and_page(
    pool: &PgPool,
    log_id: LogId,
    selection: &Selection,
    start: PageStart,
    limit: i64,
) -> Result<(i64, Option<Vec<Uuid>>), StoreError> {
    let many = if selection.words.is_some() { MANY_WITH_WORDS } else { COUNT_MAX + 1 };
    let mut sql = selection.places(log_id, "with found as materialized (");
    sql.push(" limit ").push_bind(many).push(") select n, case when n < ").push_bind(many);
    sql.push(" then array(select match_id from found");
    push_order(&mut sql, " where", "found", start);
    sql.push(" limit ").push_bind(limit);
    sql.push(") end from (select count(*) as n from found) as counted");
    Ok(sql.build_query_as().persistent(false).fetch_one(pool).await?)
}

/// The number of matches of a selection, up to one more than [`COUNT_MAX`].
///
/// # Errors
/// [`StoreError::Database`].
pub async fn count(pool: &PgPool, log_id: LogId, selection: &Selection) -> Result<i64, StoreError> {
    let mut sql = selection.places(log_id, "select count(*) from (");
    sql.push(" limit ").push_bind(COUNT_MAX + 1).push(") as found");
    Ok(sql.build_query_scalar().persistent(false).fetch_one(pool).await?)
}

/// The newest matches of a selection. Their number is part of the query's text, so that its plan is kept.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn newest(
    pool: &PgPool,
    log_id: LogId,
    selection: &Selection,
    most: u8,
) -> Result<Vec<MatchSummary>, StoreError> {
    let (mut sql, order) = selection.query(log_id, format!("select {COLUMNS}"));
    push_order(&mut sql, "", order, PageStart { direction: Direction::Older, beyond: None });
    sql.push(format!(" limit {most}"));
    Ok(sql.build_query_as().fetch_all(pool).await?)
}

/// The ended matches of a selection that changed last.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn latest_results(
    pool: &PgPool,
    log_id: LogId,
    selection: &Selection,
    most: u32,
) -> Result<Vec<MatchSummary>, StoreError> {
    let (mut sql, _) = selection.query(log_id, format!("select {COLUMNS}"));
    sql.push(" and a.result <> '*' order by a.changed_at desc, a.match_id desc limit ");
    sql.push_bind(i64::from(most));
    Ok(sql.build_query_as().persistent(false).fetch_all(pool).await?)
}

/// The matches with these ids, newest first. Ids that the archive does not have are left out.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn with_ids(pool: &PgPool, log_id: LogId, matches: &[Uuid]) -> Result<Vec<MatchSummary>, StoreError> {
    let mut sql = QueryBuilder::new(format!("select {COLUMNS} from archive as a where a.log_id = "));
    sql.push_bind(log_id.0).push(" and a.match_id = any(").push_bind(matches);
    sql.push(") order by a.played_at desc, a.match_id desc");
    Ok(sql.build_query_as().fetch_all(pool).await?)
}

/// The running matches of a log.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn running(pool: &PgPool, log_id: LogId) -> Result<Vec<MatchId>, StoreError> {
    let running = sqlx::query_scalar!("select match_id from archive where log_id = $1 and result = '*'", log_id.0);
    Ok(running.fetch_all(pool).await?.into_iter().map(MatchId).collect())
}

/// The running live matches of a log.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn running_live(pool: &PgPool, log_id: LogId) -> Result<Vec<MatchId>, StoreError> {
    let running = sqlx::query_scalar!(
        "select match_id from archive where log_id = $1 and mode = 'live' and result = '*'",
        log_id.0
    );
    Ok(running.fetch_all(pool).await?.into_iter().map(MatchId).collect())
}

/// The order of a page, and the condition that a match is beyond its beginning, after the word ` where` or ` and`.
fn push_order(sql: &mut QueryBuilder<Postgres>, before: &str, table: &str, start: PageStart) {
    let (sign, way) = match start.direction {
        Direction::Older => ("<", "desc"),
        Direction::Newer => (">", "asc"),
    };
    if let Some((played_at, match_id)) = start.beyond {
        sql.push(format!("{before} ({table}.played_at, {table}.match_id) {sign} ("));
        sql.push_bind(played_at).push(", ").push_bind(match_id).push(")");
    }
    sql.push(format!(" order by {table}.played_at {way}, {table}.match_id {way}"));
}
