//! Notes that the umpires of a match keep for themselves.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId, SubmitId};
use serde::Serialize;
use sqlx::PgPool;
use utoipa::ToSchema;

use crate::{StoreError, timestamp};

/// A note.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = PrivateNote)]
pub struct Note {
    /// Who wrote it, by pseudonym.
    #[schema(example = "3f9a1c0b7d2e")]
    pub umpire: String,
    #[serde(serialize_with = "timestamp::serialize")]
    #[schema(value_type = String)]
    pub at: DateTime<Utc>,
    pub text: String,
}

/// Stores a note. The same form again stores nothing.
pub async fn add(
    pool: &PgPool,
    log_id: LogId,
    match_id: MatchId,
    form: SubmitId,
    note: &Note,
) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "insert into umpire_notes (log_id, match_id, form, umpire, at, text) values ($1, $2, $3, $4, $5, $6) \
         on conflict do nothing",
        log_id.0,
        match_id.0,
        form.0.as_slice(),
        note.umpire,
        note.at,
        note.text
    );
    Ok(query.execute(pool).await.map(drop)?)
}

pub async fn replace(
    pool: &PgPool,
    log_id: LogId,
    match_id: MatchId,
    pattern: &str,
    by: &str,
) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "update umpire_notes set text = regexp_replace(text, $3, $4, 'gi') \
         where log_id = $1 and match_id = $2 and text ~* $3",
        log_id.0,
        match_id.0,
        pattern,
        by
    );
    Ok(query.execute(pool).await.map(drop)?)
}

pub async fn of_match(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<Vec<Note>, StoreError> {
    let notes = sqlx::query_as!(
        Note,
        "select umpire, at, text from umpire_notes where log_id = $1 and match_id = $2 order by at, form",
        log_id.0,
        match_id.0
    );
    Ok(notes.fetch_all(pool).await?)
}
