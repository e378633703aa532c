//! The list of matches, newest first or in another order: by pages in both directions, and the number of matches.

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

const COLUMNS: &str = "a.match_id, a.slug, a.game, a.ruleset, a.event, a.date, a.p1, a.p2, a.p1_key, a.p2_key, a.dmo, \
                       a.mode, a.umpire, a.result, a.reason, a.rounds, a.score_p1, a.score_p2, a.rulings, a.verdict, \
                       a.head, a.played_at, a.changed_at, a.lead_changes, a.decision_row, a.lateness, a.swing, \
                       a.swing_row, a.comeback, a.closeness, a.drama, a.course, \
                       (select u.public_name from umpires as u where u.id = a.umpire) as umpire_name";

#[derive(Clone, Debug, Default, PartialEq, Eq, FromRow)]
pub struct MatchSummary {
    pub match_id: Uuid,
    pub slug: String,
    pub game: String,
    pub ruleset: String,
    pub event: Option<String>,
    pub date: Option<String>,
    pub p1: String,
    pub p2: String,
    /// The key of the first player's name; none if it was withdrawn.
    pub p1_key: Option<String>,
    pub p2_key: Option<String>,
    /// `p1` or `p2`: the seat of the DMO, if there is one.
    pub dmo: Option<String>,
    /// `live`, `recorded` or `imported`.
    pub mode: String,
    pub umpire: String,
    /// `p1`, `p2`, `undecided`, `void` or `*`.
    pub result: String,
    pub reason: String,
    pub rounds: i32,
    pub score_p1: Option<i32>,
    pub score_p2: Option<i32>,
    pub rulings: i32,
    pub verdict: String,
    pub head: i32,
    pub played_at: DateTime<Utc>,
    pub changed_at: DateTime<Utc>,
    pub lead_changes: i32,
    pub decision_row: Option<String>,
    pub lateness: i32,
    pub swing: i32,
    pub swing_row: Option<String>,
    pub comeback: i32,
    pub closeness: i32,
    pub drama: i32,
    /// How far the first player was ahead in the course of the match, in hundredths of the largest margin: signed bytes.
    pub course: Vec<u8>,
    pub umpire_name: Option<String>,
}

impl MatchSummary {
    #[must_use]
    pub fn name_of(&self, key: &str) -> Option<&str> {
        let seats = [(&self.p1_key, &self.p1), (&self.p2_key, &self.p2)];
        seats.into_iter().find_map(|(of, name)| (of.as_deref() == Some(key)).then_some(name.as_str()))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    #[default]
    Older,
    Newer,
}

/// The order of a list: the greatest first. Of matches that are equal, the newer is first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    #[default]
    Newest,
    Closest,
    Late,
    Dramatic,
    Longest,
}

/// The beginning of a page: the matches beyond a place, the nearest first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageStart {
    pub order: Order,
    pub direction: Direction,
    pub beyond: Option<Beyond>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// The value of the order's column; 0 in the order of time.
    pub rank: i32,
    pub played_at: DateTime<Utc>,
    pub match_id: Uuid,
}

impl Order {
    const fn column(self) -> Option<&'static str> {
        match self {
            Self::Newest => None,
            Self::Closest => Some("closeness"),
            Self::Late => Some("lateness"),
            Self::Dramatic => Some("drama"),
            Self::Longest => Some("rounds"),
        }
    }

    #[must_use]
    pub const fn rank(self, listed: &MatchSummary) -> i32 {
        match self {
            Self::Newest => 0,
            Self::Closest => listed.closeness,
            Self::Late => listed.lateness,
            Self::Dramatic => listed.drama,
            Self::Longest => listed.rounds,
        }
    }
}

pub async fn page(
    pool: &PgPool,
    log_id: LogId,
    selection: &Selection,
    start: PageStart,
    limit: i64,
) -> Result<Vec<MatchSummary>, StoreError> {
    let (mut sql, order) = selection.query(log_id, format!("select {COLUMNS}"));
    let rank = start.order.column().map(|column| format!("a.{column}"));
    push_order(&mut sql, " and", rank.as_deref(), order, start);
    sql.push(" limit ");
    sql.push_bind(limit);
    // Planned for these values: the best index is not the same for every value, and a stored plan would be for all.
    Ok(sql.build_query_as().persistent(false).fetch_all(pool).await?)
}

/// The number of matches of a selection, up to more than [`COUNT_MAX`]. If they are few, also the ids of a page, the
/// nearest to its beginning first. Then their places are read once for both: PostgreSQL need not guess which index leads
/// to few matches and which through many in order.
pub async fn count_and_page(
    pool: &PgPool,
    log_id: LogId,
    selection: &Selection,
    start: PageStart,
    limit: i64,
) -> Result<(i64, Option<Vec<Uuid>>), StoreError> {
    let many = if selection.words.is_some() { MANY_WITH_WORDS } else { COUNT_MAX + 1 };
    let rank = start.order.column();
    let mut sql = selection.places(log_id, "with found as materialized (", rank);
    sql.push(" limit ").push_bind(many).push(") select n, case when n < ").push_bind(many);
    sql.push(" then array(select match_id from found");
    push_order(&mut sql, " where", rank.map(|_| "found.rank"), "found", start);
    sql.push(" limit ").push_bind(limit);
    sql.push(") end from (select count(*) as n from found) as counted");
    Ok(sql.build_query_as().persistent(false).fetch_one(pool).await?)
}

pub async fn count(pool: &PgPool, log_id: LogId, selection: &Selection) -> Result<i64, StoreError> {
    let mut sql = selection.places(log_id, "select count(*) from (", None);
    sql.push(" limit ").push_bind(COUNT_MAX + 1).push(") as found");
    Ok(sql.build_query_scalar().persistent(false).fetch_one(pool).await?)
}

/// The newest matches of a selection. Their number is part of the query's text, so that its plan is kept.
pub async fn newest(
    pool: &PgPool,
    log_id: LogId,
    selection: &Selection,
    most: u8,
) -> Result<Vec<MatchSummary>, StoreError> {
    let (mut sql, order) = selection.query(log_id, format!("select {COLUMNS}"));
    push_order(&mut sql, "", None, order, PageStart::default());
    sql.push(format!(" limit {most}"));
    Ok(sql.build_query_as().fetch_all(pool).await?)
}

/// The most dramatic ended match since a time, of the newest thousand since then. A match that does not count is none.
pub async fn most_dramatic(
    pool: &PgPool,
    log_id: LogId,
    since: DateTime<Utc>,
) -> Result<Option<MatchSummary>, StoreError> {
    dramatic(pool, log_id, Some(since), 1_000).await
}

pub async fn most_dramatic_of_newest(
    pool: &PgPool,
    log_id: LogId,
    newest: i32,
) -> Result<Option<MatchSummary>, StoreError> {
    dramatic(pool, log_id, None, newest).await
}

async fn dramatic(
    pool: &PgPool,
    log_id: LogId,
    since: Option<DateTime<Utc>>,
    newest: i32,
) -> Result<Option<MatchSummary>, StoreError> {
    // The newest are read in their own order first: the most dramatic of all may be years away from them.
    let mut sql = QueryBuilder::new(
        "with newest as materialized (select match_id from archive where result not in ('*', 'void') and log_id = ",
    );
    sql.push_bind(log_id.0);
    if let Some(since) = since {
        sql.push(" and played_at >= ").push_bind(since);
    }
    sql.push(format!(" order by played_at desc, match_id desc limit {newest}) select {COLUMNS} from archive as a "));
    sql.push("join newest on newest.match_id = a.match_id where a.log_id = ").push_bind(log_id.0);
    sql.push(" order by a.drama desc, a.played_at desc, a.match_id desc limit 1");
    Ok(sql.build_query_as().fetch_optional(pool).await?)
}

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

pub async fn with_ids(pool: &PgPool, log_id: LogId, matches: &[Uuid]) -> Result<Vec<MatchSummary>, StoreError> {
    let mut sql = QueryBuilder::new(format!("select {COLUMNS} from archive as a where a.log_id = "));
    sql.push_bind(log_id.0).push(" and a.match_id = any(").push_bind(matches);
    sql.push(") order by a.played_at desc, a.match_id desc");
    Ok(sql.build_query_as().fetch_all(pool).await?)
}

pub async fn running(pool: &PgPool, log_id: LogId) -> Result<Vec<MatchId>, StoreError> {
    let running = sqlx::query_scalar!("select match_id from archive where log_id = $1 and result = '*'", log_id.0);
    Ok(running.fetch_all(pool).await?.into_iter().map(MatchId).collect())
}

pub async fn running_live(pool: &PgPool, log_id: LogId) -> Result<Vec<MatchId>, StoreError> {
    let running = sqlx::query_scalar!(
        "select match_id from archive where log_id = $1 and mode = 'live' and result = '*'",
        log_id.0
    );
    Ok(running.fetch_all(pool).await?.into_iter().map(MatchId).collect())
}

/// The order of a page, and the condition that a match is beyond its beginning, after the word ` where` or ` and`. `rank`
/// is the column that orders before the time.
fn push_order(sql: &mut QueryBuilder<Postgres>, before: &str, rank: Option<&str>, table: &str, start: PageStart) {
    let (sign, way) = match start.direction {
        Direction::Older => ("<", "desc"),
        Direction::Newer => (">", "asc"),
    };
    if let Some(beyond) = start.beyond {
        let columns = rank.map(|rank| format!("{rank}, ")).unwrap_or_default();
        sql.push(format!("{before} ({columns}{table}.played_at, {table}.match_id) {sign} ("));
        if rank.is_some() {
            sql.push_bind(beyond.rank).push(", ");
        }
        sql.push_bind(beyond.played_at).push(", ").push_bind(beyond.match_id).push(")");
    }
    let rank = rank.map(|rank| format!("{rank} {way}, ")).unwrap_or_default();
    sql.push(format!(" order by {rank}{table}.played_at {way}, {table}.match_id {way}"));
}
