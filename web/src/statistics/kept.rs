//! What is counted, as the database has it.

use chrono::{DateTime, Utc};
use engine::BySeat;
use sqlx::types::Uuid;

use super::counted::{CountedFor, PairSum, Situation};
use crate::book::{Book, BookError, LOG, Place};

/// How a match ended, and how many did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EndingCount {
    pub(super) result: String,
    pub(super) dmo: String,
    pub(super) reason: String,
    pub(super) rounds: i32,
    pub(super) n: i64,
}

/// A kind of move, and how often it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MoveCount {
    pub(super) what: String,
    pub(super) sent: String,
    /// Of `p1` and `p2`.
    pub(super) seat: String,
    /// In rounds 1 to 5, 6 to 10 and so on: which five.
    pub(super) fives: i32,
    pub(super) standing: i16,
    pub(super) n: i64,
}

/// What was played in a situation, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PairCount {
    pub(super) what: String,
    pub(super) p1: String,
    pub(super) p2: String,
    pub(super) sum: PairSum,
}

/// A match that was counted for something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CountedMatch {
    pub(super) match_id: Uuid,
    pub(super) played_at: DateTime<Utc>,
    /// The first row of its score sheet where that was.
    pub(super) label: String,
    /// In how many of its steps.
    pub(super) n: i32,
}

/// How matches of a ruleset ended.
pub(super) async fn endings(book: &Book, ruleset: &str) -> Result<Vec<EndingCount>, BookError> {
    let endings = sqlx::query_as!(
        EndingCount,
        "select result, dmo, reason, rounds, n from ending_counts where log_id = $1 and ruleset = $2 and n > 0",
        LOG.0,
        ruleset
    );
    Ok(endings.fetch_all(book.pool()).await?)
}

/// How often each kind of move was sent.
pub(super) async fn moves(book: &Book, ruleset: &str) -> Result<Vec<MoveCount>, BookError> {
    let moves = sqlx::query_as!(
        MoveCount,
        "select what, sent, seat, greatest(round - 1, 0) / 5 as \"fives!\", standing, sum(n)::bigint as \"n!\" \
         from move_counts where log_id = $1 and ruleset = $2 and n > 0 group by 1, 2, 3, 4, 5",
        LOG.0,
        ruleset
    );
    Ok(moves.fetch_all(book.pool()).await?)
}

/// What was played in a situation, the most frequent first.
pub(super) async fn pairs(
    book: &Book,
    ruleset: &str,
    situation: Situation,
    what: Option<&str>,
    most: i64,
) -> Result<Vec<PairCount>, BookError> {
    let pairs = sqlx::query!(
        "select what, p1, p2, n, won_p1, won_p2, gain_p1, gain_p2 from pair_counts where log_id = $1 and ruleset = $2 \
             and situation = $3 and ($4::text is null or what = $4) and n > 0 order by n desc, what, p1, p2 limit $5",
        LOG.0,
        ruleset,
        situation.0.as_slice(),
        what,
        most
    );
    let pairs = pairs.fetch_all(book.pool()).await?.into_iter().map(|row| PairCount {
        what: row.what,
        p1: row.p1,
        p2: row.p2,
        sum: PairSum {
            n: row.n,
            won: BySeat { p1: row.won_p1, p2: row.won_p2 },
            gain: BySeat { p1: row.gain_p1, p2: row.gain_p2 },
        },
    });
    Ok(pairs.collect())
}

/// The matches that were counted for something, newest first, behind a place where one is named.
pub(super) async fn matches(
    book: &Book,
    counted_for: CountedFor,
    after: Option<&Place>,
    most: i64,
) -> Result<Vec<CountedMatch>, BookError> {
    let (played_at, match_id) = after.map(Place::key).unzip();
    let matches = sqlx::query_as!(
        CountedMatch,
        "select match_id, played_at, label, n from counted_matches where log_id = $1 and counted = $2 \
             and (played_at, match_id) < (coalesce($3::timestamptz, 'infinity'), \
                 coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')) \
         order by played_at desc, match_id desc limit $5",
        LOG.0,
        counted_for.0.as_slice(),
        played_at,
        match_id,
        most
    );
    Ok(matches.fetch_all(book.pool()).await?)
}
