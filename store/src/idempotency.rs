//! The answers of the API to requests with an Idempotency-Key, kept so that a repeated request gets the same answer.

use chrono::{DateTime, Utc};
use ledger::{Hash, MatchId};
use sqlx::PgPool;

use crate::StoreError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdempotencyKey<'k> {
    pub owner: &'k [u8],
    pub text: &'k str,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredRequest {
    pub digest: Vec<u8>,
    pub answer: Option<Vec<u8>>,
    pub at: DateTime<Utc>,
    pub is_last: bool,
}

/// Stores a request under its key; false if the key was used before. Keys from before `old` are deleted first.
pub async fn claim(
    pool: &PgPool,
    key: IdempotencyKey<'_>,
    digest: &Hash,
    arrived: DateTime<Utc>,
    match_id: Option<MatchId>,
    old: DateTime<Utc>,
) -> Result<bool, StoreError> {
    sqlx::query!("delete from api_answers where at < $1", old).execute(pool).await?;
    let claimed = sqlx::query!(
        "insert into api_answers (owner, key, digest, at, match_id) values ($1, $2, $3, $4, $5) \
         on conflict (owner, key) do nothing",
        key.owner,
        key.text,
        digest.bytes().as_slice(),
        arrived,
        match_id.map(|match_id| match_id.0)
    );
    Ok(claimed.execute(pool).await?.rows_affected() > 0)
}

pub async fn find(pool: &PgPool, key: IdempotencyKey<'_>) -> Result<Option<StoredRequest>, StoreError> {
    let kept = sqlx::query_as!(
        StoredRequest,
        "select digest, answer, at, not exists (select from api_answers as later \
             where later.owner = $1 and later.key <> $2 and later.at >= kept.at) as \"is_last!\" \
         from api_answers as kept where owner = $1 and key = $2",
        key.owner,
        key.text
    );
    Ok(kept.fetch_optional(pool).await?)
}

pub async fn unanswered(pool: &PgPool, from: DateTime<Utc>, until: DateTime<Utc>) -> Result<u64, StoreError> {
    let counted = sqlx::query_scalar("select count(*) from api_answers where answer is null and at >= $1 and at < $2");
    let counted: i64 = counted.bind(from).bind(until).fetch_one(pool).await?;
    Ok(counted.unsigned_abs())
}

/// Deletes a request without an answer, so that its key can be used for another one.
pub async fn release(pool: &PgPool, key: IdempotencyKey<'_>) -> Result<(), StoreError> {
    sqlx::query!("delete from api_answers where owner = $1 and key = $2 and answer is null", key.owner, key.text)
        .execute(pool)
        .await?;
    Ok(())
}

/// Stores the encrypted answer of a request, and the match that it opened. Stores nothing if there is an answer already,
/// or if the request was deleted with its match.
pub async fn answer(
    pool: &PgPool,
    key: IdempotencyKey<'_>,
    answer: &[u8],
    opened: Option<MatchId>,
) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "update api_answers set answer = $3, match_id = coalesce(match_id, $4) \
         where owner = $1 and key = $2 and answer is null",
        key.owner,
        key.text,
        answer,
        opened.map(|opened| opened.0)
    );
    Ok(query.execute(pool).await.map(drop)?)
}
