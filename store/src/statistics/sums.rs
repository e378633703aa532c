//! The sums of a ruleset's finished matches.

use ledger::LogId;
use sqlx::PgPool;

use crate::StoreError;

/// A way in which matches ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingCount {
    /// `p1`, `p2` or `undecided`.
    pub result: String,
    /// `p1` or `p2`: the seat of the DMO; empty if there was none.
    pub dmo: String,
    /// The word of the rule that ended them.
    pub reason: String,
    /// The number of rounds.
    pub rounds: i32,
    /// The number of matches.
    pub n: i64,
}

/// The matches of a ruleset that ended with a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultCount {
    /// The ruleset's id.
    pub ruleset: String,
    /// `p1`, `p2` or `undecided`.
    pub result: String,
    /// The number of matches.
    pub n: i64,
}

/// A kind of move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveCount {
    /// The question.
    pub what: String,
    /// The kind of move, in the notation.
    pub sent: String,
    /// `p1` or `p2`.
    pub seat: String,
    /// 0 for rounds 1 to 5, 1 for rounds 6 to 10 and so on.
    pub fives: i32,
    /// -1 behind, 0 level or not counted, 1 ahead.
    pub standing: i16,
    /// The number of times that it was sent.
    pub n: i64,
}

/// A pair of moves in a situation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairRow {
    /// The question.
    pub what: String,
    /// The move of seat 1; empty if it was not asked.
    pub p1: String,
    /// The move of seat 2, likewise.
    pub p2: String,
    /// The number of times.
    pub n: i64,
    /// The number of times after which seat 1 won the match.
    pub won_p1: i64,
    /// The same for seat 2.
    pub won_p2: i64,
    /// The sum of the points that seat 1 gained.
    pub gain_p1: i64,
    /// The same for seat 2.
    pub gain_p2: i64,
}

/// A fate of a kind of action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FateCount {
    /// The kind of action.
    pub subject: String,
    /// The word of the fate, such as `blocked`.
    pub fate: String,
    /// The number of times.
    pub n: i64,
}

/// What became of the actions of a ruleset.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn fates(pool: &PgPool, log_id: LogId, ruleset: &str) -> Result<Vec<FateCount>, StoreError> {
    let fates = sqlx::query_as!(
        FateCount,
        "select subject, fate, n from fate_counts where log_id = $1 and ruleset = $2 and n > 0 order by subject, fate",
        log_id.0,
        ruleset
    );
    Ok(fates.fetch_all(pool).await?)
}

/// The ways in which matches of a ruleset ended.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn endings(pool: &PgPool, log_id: LogId, ruleset: &str) -> Result<Vec<EndingCount>, StoreError> {
    let endings = sqlx::query_as!(
        EndingCount,
        "select result, dmo, reason, rounds, n from ending_counts where log_id = $1 and ruleset = $2 and n > 0",
        log_id.0,
        ruleset
    );
    Ok(endings.fetch_all(pool).await?)
}

/// The results of matches, ruleset by ruleset.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn results(pool: &PgPool, log_id: LogId) -> Result<Vec<ResultCount>, StoreError> {
    let results = sqlx::query_as!(
        ResultCount,
        "select ruleset, result, sum(n)::bigint as \"n!\" from ending_counts where log_id = $1 and n > 0 group by 1, 2",
        log_id.0
    );
    Ok(results.fetch_all(pool).await?)
}

/// The kinds of moves that were sent.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn moves(pool: &PgPool, log_id: LogId, ruleset: &str) -> Result<Vec<MoveCount>, StoreError> {
    let moves = sqlx::query_as!(
        MoveCount,
        "select what, sent, seat, greatest(round - 1, 0) / 5 as \"fives!\", standing, sum(n)::bigint as \"n!\" \
         from move_counts where log_id = $1 and ruleset = $2 and n > 0 group by 1, 2, 3, 4, 5",
        log_id.0,
        ruleset
    );
    Ok(moves.fetch_all(pool).await?)
}

/// The pairs of moves in a situation, the most frequent first; those to one question if it is given.
///
/// # Errors
/// [`StoreError::Database`].
pub async fn pairs(
    pool: &PgPool,
    log_id: LogId,
    ruleset: &str,
    situation: &[u8; 16],
    what: Option<&str>,
    limit: i64,
) -> Result<Vec<PairRow>, StoreError> {
    let pairs = sqlx::query_as!(
        PairRow,
        "select what, p1, p2, n, won_p1, won_p2, gain_p1, gain_p2 from pair_counts where log_id = $1 and ruleset = $2 \
         and situation = $3 and ($4::text is null or what = $4) and n > 0 order by n desc, what, p1, p2 limit $5",
        log_id.0,
        ruleset,
        situation.as_slice(),
        what,
        limit
    );
    Ok(pairs.fetch_all(pool).await?)
}
