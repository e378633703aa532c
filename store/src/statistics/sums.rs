//! The sums of a ruleset's finished matches.

use ledger::LogId;
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingCount {
    /// `p1`, `p2` or `undecided`.
    pub result: String,
    /// `p1` or `p2`: the seat of the DMO; empty if there was none.
    pub dmo: String,
    pub reason: String,
    pub rounds: i32,
    pub n: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultCount {
    pub ruleset: String,
    /// `p1`, `p2` or `undecided`.
    pub result: String,
    pub n: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveCount {
    pub what: String,
    pub sent: String,
    pub seat: String,
    /// 0 for rounds 1 to 5, 1 for rounds 6 to 10 and so on.
    pub fives: i32,
    /// -1 behind, 0 level or not counted, 1 ahead.
    pub standing: i16,
    pub n: i64,
}

/// What seat 1 sent against what seat 2 sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Pair)]
pub struct PairCount {
    pub what: String,
    /// In the notation; empty where the seat was not asked.
    pub p1: String,
    pub p2: String,
    pub n: i64,
    /// In how many of these seat 1 won the match in the end.
    pub won_p1: i64,
    pub won_p2: i64,
    /// What seat 1's score gained by it, all together.
    pub gain_p1: i64,
    pub gain_p2: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FateCount {
    pub subject: String,
    pub fate: String,
    pub n: i64,
}

pub async fn fates(pool: &PgPool, log_id: LogId, ruleset: &str) -> Result<Vec<FateCount>, StoreError> {
    let fates = sqlx::query_as!(
        FateCount,
        "select subject, fate, n from fate_counts where log_id = $1 and ruleset = $2 and n > 0 order by subject, fate",
        log_id.0,
        ruleset
    );
    Ok(fates.fetch_all(pool).await?)
}

pub async fn endings(pool: &PgPool, log_id: LogId, ruleset: &str) -> Result<Vec<EndingCount>, StoreError> {
    let endings = sqlx::query_as!(
        EndingCount,
        "select result, dmo, reason, rounds, n from ending_counts where log_id = $1 and ruleset = $2 and n > 0",
        log_id.0,
        ruleset
    );
    Ok(endings.fetch_all(pool).await?)
}

pub async fn results(pool: &PgPool, log_id: LogId) -> Result<Vec<ResultCount>, StoreError> {
    let results = sqlx::query_as!(
        ResultCount,
        "select ruleset, result, sum(n)::bigint as \"n!\" from ending_counts where log_id = $1 and n > 0 group by 1, 2",
        log_id.0
    );
    Ok(results.fetch_all(pool).await?)
}

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

pub async fn pairs(
    pool: &PgPool,
    log_id: LogId,
    ruleset: &str,
    situation: &[u8; 16],
    what: Option<&str>,
    limit: i64,
) -> Result<Vec<PairCount>, StoreError> {
    let pairs = sqlx::query_as!(
        PairCount,
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
