//! The list of matches, newest first or in another order: by pages in both directions, and the number of matches.

use std::fmt;

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId};
use serde::{Serialize, Serializer};
use sqlx::{FromRow, PgPool, Postgres, QueryBuilder};
use utoipa::ToSchema;
use uuid::Uuid;

use super::count::COUNT_MAX;
use super::filter::{Filter, Sort};
use super::place::At;
use crate::{StoreError, timestamp};

/// The number of matches from which those with some words are found by reading the list in its order. Of 100,000 matches
/// one of 25 has them then, and few rows are read; with fewer it would be many.
const MANY_WITH_WORDS: i64 = 4_000;

const COLUMNS: &str = "a.match_id, a.slug, a.game, a.ruleset, a.event, a.date, array[a.p1, a.p1_key] as p1, \
                       array[a.p2, a.p2_key] as p2, a.dmo, a.mode, a.umpire, a.result, a.reason, a.rounds, a.score_p1, \
                       a.score_p2, a.rulings, a.verdict, a.head, a.played_at, a.changed_at, a.lead_changes, \
                       a.decision_row, nullif(a.lateness, -1) as lateness, a.swing, a.swing_row, a.comeback, \
                       nullif(a.closeness, -1) as closeness, a.drama, a.course, \
                       (select u.public_name from umpires as u where u.id = a.umpire) as umpire_name, \
                       (select count(*) from recordings as r where r.log_id = a.log_id and r.match_id = a.match_id \
                           and r.withdrawn_at is null) as recordings";

/// A match in a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, FromRow, Serialize, ToSchema)]
#[schema(as = ListedMatch)]
pub struct MatchSummary {
    /// Its id in the record.
    #[serde(rename = "match", serialize_with = "as_text")]
    #[schema(value_type = String)]
    pub match_id: Uuid,
    /// Its short name, in addresses.
    #[schema(example = "3t16wed731")]
    pub slug: String,
    #[serde(skip)]
    pub game: String,
    pub ruleset: String,
    pub event: Option<String>,
    /// When it was played, as it was written.
    pub date: Option<String>,
    /// The first player's name; null where it was withdrawn.
    #[sqlx(try_from = "Vec<Option<String>>")]
    #[schema(value_type = Option<String>)]
    pub p1: ListedName,
    /// The second player's.
    #[sqlx(try_from = "Vec<Option<String>>")]
    #[schema(value_type = Option<String>)]
    pub p2: ListedName,
    /// The seat of the Death Match Opponent, where there is one.
    pub dmo: Option<String>,
    /// How answers come in as it stands, or came in to the end: `live` (the players submit), `recorded` (an umpire types),
    /// `imported`, or `result` where only the result is known: then it has no rounds, and nothing was sealed.
    pub mode: String,
    /// The pseudonym of its umpire, as the record names them.
    pub umpire: String,
    /// The name under which the umpire wants to be known.
    pub umpire_name: Option<String>,
    /// `p1`, `p2`, `undecided`, `void`, or `*` while it runs.
    pub result: String,
    /// A word for why; empty where nobody told.
    pub reason: String,
    pub rounds: i32,
    pub score_p1: Option<i32>,
    pub score_p2: Option<i32>,
    /// Interventions: rulings, warnings, strikes and corrections, and moves typed for a seat that signs.
    pub rulings: i32,
    /// How often the lead changed.
    pub lead_changes: i32,
    /// The points of the largest swing between two rounds; 0 if there was none above one point.
    pub swing: i32,
    /// The largest deficit that the winner overcame, in points; 0 if there was none above one.
    pub comeback: i32,
    /// How close the finish was, from 0 to 1,000 for tied scores; null without a finish by the rules.
    pub closeness: Option<i32>,
    /// How late it was decided, from 0 to 1,000 in the last row of the sheet; null where the rules did not end it with a
    /// winner.
    pub lateness: Option<i32>,
    /// How dramatic it was: 20 for each change of the lead, and the largest swing in hundredths of the highest score.
    pub drama: i32,
    /// What its check found when it was run last; `result` where there is nothing to check.
    #[serde(rename = "check")]
    pub verdict: String,
    /// What the list is ordered by: the day of a past match, and the moment at which any other was opened, or a past one
    /// without a date was entered.
    #[serde(serialize_with = "timestamp::serialize")]
    #[schema(value_type = String)]
    pub played_at: DateTime<Utc>,
    /// Links to recordings of it.
    pub recordings: i64,
    #[serde(skip)]
    pub head: i32,
    #[serde(skip)]
    pub changed_at: DateTime<Utc>,
    #[serde(skip)]
    pub decision_row: Option<String>,
    #[serde(skip)]
    pub swing_row: Option<String>,
    /// How far the first player was ahead in the course of the match, in hundredths of the largest margin: signed bytes.
    #[serde(skip)]
    pub course: Vec<u8>,
}

pub(crate) fn as_text<S: Serializer>(id: &Uuid, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(id)
}

/// The name of a seat. One that was withdrawn has no key, and another text is in its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListedName {
    pub name: String,
    pub key: Option<String>,
}

impl From<Vec<Option<String>>> for ListedName {
    fn from(columns: Vec<Option<String>>) -> Self {
        let mut columns = columns.into_iter();
        Self { name: columns.next().flatten().unwrap_or_default(), key: columns.next().flatten() }
    }
}

impl ListedName {
    #[must_use]
    pub fn written(&self) -> Option<&str> {
        self.key.as_ref().map(|_| self.name.as_str())
    }
}

/// For people. What replaces a name is marked, so that nobody takes it for one.
impl fmt::Display for ListedName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let withdrawn = if self.key.is_some() { "" } else { " (name withdrawn)" };
        write!(f, "{}{withdrawn}", self.name)
    }
}

impl Serialize for ListedName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.written().serialize(serializer)
    }
}

impl MatchSummary {
    #[must_use]
    pub fn name_of(&self, key: &str) -> Option<&str> {
        [&self.p1, &self.p2].into_iter().find_map(|seat| seat.written().filter(|_| seat.key.as_deref() == Some(key)))
    }
}

impl Sort {
    const fn column(self) -> Option<&'static str> {
        match self {
            Self::Newest => None,
            Self::Closest => Some("closeness"),
            Self::Late => Some("lateness"),
            Self::Dramatic => Some("drama"),
            Self::Longest => Some("rounds"),
        }
    }

    /// The value of the order's column; 0 in the order of time.
    pub(super) fn rank(self, listed: &MatchSummary) -> i32 {
        match self {
            Self::Newest => 0,
            Self::Closest => listed.closeness.unwrap_or(-1),
            Self::Late => listed.lateness.unwrap_or(-1),
            Self::Dramatic => listed.drama,
            Self::Longest => listed.rounds,
        }
    }
}

pub async fn page(
    pool: &PgPool,
    log_id: LogId,
    selection: &Filter,
    sort: Sort,
    at: Option<&At>,
    limit: i64,
) -> Result<Vec<MatchSummary>, StoreError> {
    let (mut sql, order) = selection.query(log_id, format!("select {COLUMNS}"));
    let rank = sort.column().map(|column| format!("a.{column}"));
    push_order(&mut sql, " and", rank.as_deref(), order, at);
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
    selection: &Filter,
    sort: Sort,
    at: Option<&At>,
    limit: i64,
) -> Result<(i64, Option<Vec<Uuid>>), StoreError> {
    let many = if selection.words.is_some() { MANY_WITH_WORDS } else { COUNT_MAX + 1 };
    let rank = sort.column();
    let mut sql = selection.places(log_id, "with found as materialized (", rank);
    sql.push(" limit ").push_bind(many).push(") select n, case when n < ").push_bind(many);
    sql.push(" then array(select match_id from found");
    push_order(&mut sql, " where", rank.map(|_| "found.rank"), "found", at);
    sql.push(" limit ").push_bind(limit);
    sql.push(") end from (select count(*) as n from found) as counted");
    Ok(sql.build_query_as().persistent(false).fetch_one(pool).await?)
}

pub async fn count(pool: &PgPool, log_id: LogId, selection: &Filter) -> Result<i64, StoreError> {
    let mut sql = selection.places(log_id, "select count(*) from (", None);
    sql.push(" limit ").push_bind(COUNT_MAX + 1).push(") as found");
    Ok(sql.build_query_scalar().persistent(false).fetch_one(pool).await?)
}

/// The newest matches of a selection. Their number is part of the query's text, so that its plan is kept.
pub async fn newest(
    pool: &PgPool,
    log_id: LogId,
    selection: &Filter,
    most: u8,
) -> Result<Vec<MatchSummary>, StoreError> {
    let (mut sql, order) = selection.query(log_id, format!("select {COLUMNS}"));
    push_order(&mut sql, "", None, order, None);
    sql.push(format!(" limit {most}"));
    Ok(sql.build_query_as().fetch_all(pool).await?)
}

/// The most dramatic of the newest ended matches, since a time if one is given. A match that does not count is none.
pub async fn most_dramatic(
    pool: &PgPool,
    log_id: LogId,
    since: Option<DateTime<Utc>>,
    newest: i32,
) -> Result<Option<MatchSummary>, StoreError> {
    // The newest are read in their own order first: the most dramatic of all may be years away from them.
    let mut sql = QueryBuilder::new(
        "with newest as materialized (select match_id from archive where result not in ('*', 'void') and mode <> 'result' and game not like 'declared/%' and log_id = ",
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
    selection: &Filter,
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

pub async fn running(pool: &PgPool, log_id: LogId, mode: Option<&str>) -> Result<Vec<MatchId>, StoreError> {
    let mut sql = QueryBuilder::new("select match_id from archive where result = '*' and log_id = ");
    sql.push_bind(log_id.0);
    if let Some(mode) = mode {
        sql.push(" and mode = ").push_bind(mode.to_owned());
    }
    let running: Vec<Uuid> = sql.build_query_scalar().fetch_all(pool).await?;
    Ok(running.into_iter().map(MatchId).collect())
}

/// The order of a page, and the condition that a match is beyond its beginning, after the word ` where` or ` and`. `rank`
/// is the column that orders before the time.
fn push_order(sql: &mut QueryBuilder<Postgres>, before: &str, rank: Option<&str>, table: &str, at: Option<&At>) {
    let (sign, way) = match at {
        None | Some(At::After(_)) => ("<", "desc"),
        Some(At::Before(_) | At::Last) => (">", "asc"),
    };
    if let Some(At::After(place) | At::Before(place)) = at {
        let columns = rank.map(|rank| format!("{rank}, ")).unwrap_or_default();
        sql.push(format!("{before} ({columns}{table}.played_at, {table}.match_id) {sign} ("));
        if rank.is_some() {
            sql.push_bind(place.rank.unwrap_or(0)).push(", ");
        }
        sql.push_bind(place.played_at).push(", ").push_bind(place.match_id).push(")");
    }
    let rank = rank.map(|rank| format!("{rank} {way}, ")).unwrap_or_default();
    sql.push(format!(" order by {rank}{table}.played_at {way}, {table}.match_id {way}"));
}
