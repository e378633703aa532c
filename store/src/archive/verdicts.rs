//! The verdict of the last check of a match, as the lists show it.

use ledger::{Head, LogId, MatchId, TreeSize};
use sqlx::PgPool;
use uuid::Uuid;

use crate::StoreError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchVerdict {
    pub match_id: MatchId,
    pub head: Head,
    pub verdict: String,
    pub sentence: String,
}

fn entries(head: &Head) -> i32 {
    i32::try_from(head.next.0).unwrap_or(i32::MAX)
}

/// Stores verdicts. One of another head than the archive has is dropped, and so is one of a running match.
pub async fn store(pool: &PgPool, log_id: LogId, found: &[MatchVerdict]) -> Result<(), StoreError> {
    if found.is_empty() {
        return Ok(());
    }
    let matches: Vec<Uuid> = found.iter().map(|found| found.match_id.0).collect();
    let heads: Vec<i32> = found.iter().map(|found| entries(&found.head)).collect();
    let leaves: Vec<Vec<u8>> = found.iter().map(|found| found.head.leaf.bytes().to_vec()).collect();
    let verdicts: Vec<String> = found.iter().map(|found| found.verdict.clone()).collect();
    let words: Vec<String> = found.iter().map(|found| found.sentence.clone()).collect();
    let query = sqlx::query!(
        // Locked in one order, so that two nodes that check the same matches do not wait for each other.
        "with locked as (\
             select match_id from archive where log_id = $1 and match_id = any($2) order by match_id for update\
         ) \
         update archive set verdict = found.verdict, checked_words = found.words, checked_head = found.head, \
             checked_leaf = found.leaf \
         from unnest($2::uuid[], $3::int[], $4::text[], $5::text[], $6::bytea[]) \
             as found (match_id, head, verdict, words, leaf) join locked using (match_id) \
         where archive.log_id = $1 and archive.match_id = found.match_id and archive.head = found.head \
             and result <> '*' and (archive.verdict, checked_words, checked_head, checked_leaf) is distinct from \
                 (found.verdict, found.words, found.head, found.leaf)",
        log_id.0,
        &matches,
        &heads,
        &verdicts,
        &words,
        &leaves
    );
    Ok(query.execute(pool).await.map(drop)?)
}

/// The verdict of a match and its sentence, if the last check was of this head. The number of entries alone does not do:
/// whoever has the database can write others in their place.
pub async fn at_head(
    pool: &PgPool,
    log_id: LogId,
    match_id: MatchId,
    head: &Head,
) -> Result<Option<(String, String)>, StoreError> {
    let kept = sqlx::query!(
        "select verdict, checked_words from archive \
         where log_id = $1 and match_id = $2 and checked_head = $3 and checked_leaf = $4 and checked_words <> ''",
        log_id.0,
        match_id.0,
        entries(head),
        head.leaf.bytes().as_slice(),
    );
    Ok(kept.fetch_optional(pool).await?.map(|kept| (kept.verdict, kept.checked_words)))
}

/// The ended matches that changed since they were checked, newest first, of those that the first `size` entries of the
/// log hold whole.
pub async fn unchecked(pool: &PgPool, log_id: LogId, size: TreeSize, limit: i64) -> Result<Vec<MatchId>, StoreError> {
    let unchecked = sqlx::query_scalar!(
        "select match_id from archive where log_id = $1 and checked_head is distinct from head and result <> '*' \
             and exists (select from entries where entries.log_id = $1 and entries.match_id = archive.match_id \
                 and seq = head - 1 and pos < $2) \
         order by played_at desc limit $3",
        log_id.0,
        i64::try_from(size.0).unwrap_or(i64::MAX),
        limit
    );
    Ok(unchecked.fetch_all(pool).await?.into_iter().map(MatchId).collect())
}

pub async fn reset(pool: &PgPool, log_id: LogId) -> Result<(), StoreError> {
    sqlx::query!("update archive set checked_head = null where log_id = $1", log_id.0).execute(pool).await?;
    Ok(())
}
