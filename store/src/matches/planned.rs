//! Matches that are announced for later. They are outside the log until an umpire opens them.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId, SubmitId};
use sqlx::PgPool;

use crate::accounts::umpires;
use crate::{StoreError, transaction};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    pub form: Vec<u8>,
    pub umpire: String,
    pub starts_at: DateTime<Utc>,
    pub ruleset: String,
    pub p1: String,
    pub p2: String,
    pub event: String,
    pub fields: String,
}

#[derive(Clone, Copy, Debug)]
pub struct NewPlanned<'p> {
    pub form: SubmitId,
    pub umpire: &'p str,
    pub starts_at: DateTime<Utc>,
    pub ruleset: &'p str,
    pub p1: &'p str,
    pub p2: &'p str,
    pub event: &'p str,
    pub fields: &'p str,
}

impl Planned {
    #[must_use]
    pub fn id(&self) -> SubmitId {
        SubmitId(std::array::from_fn(|at| self.form.get(at).copied().unwrap_or(0)))
    }

    #[must_use]
    pub fn name(&self) -> String {
        self.form.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Stores a planned match. The same form again replaces it, unless the match was opened or the plan dropped. False, and
/// nothing changes, if it is a new one and its umpire has this many.
pub async fn put(pool: &PgPool, log_id: LogId, planned: &NewPlanned<'_>, most: i64) -> Result<bool, StoreError> {
    let mut transaction = transaction::begin(pool).await?;
    umpires::lock(&mut transaction, planned.umpire).await?;
    let full = sqlx::query_scalar!(
        "select count(*) >= $3 and not exists (select from planned where form = $1) as \"full!\" from planned \
         where umpire = $2 and match_id is null and not dropped",
        planned.form.0.as_slice(),
        planned.umpire,
        most
    );
    if full.fetch_one(&mut *transaction).await? {
        return Ok(false);
    }
    sqlx::query!(
        "insert into planned (form, log_id, umpire, starts_at, ruleset, p1, p2, event, fields) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (form) do update set \
             starts_at = excluded.starts_at, ruleset = excluded.ruleset, p1 = excluded.p1, p2 = excluded.p2, \
             event = excluded.event, fields = excluded.fields where planned.match_id is null and not planned.dropped",
        planned.form.0.as_slice(),
        log_id.0,
        planned.umpire,
        planned.starts_at,
        planned.ruleset,
        planned.p1,
        planned.p2,
        planned.event,
        planned.fields
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(true)
}

pub async fn of_form(pool: &PgPool, log_id: LogId, form: SubmitId) -> Result<Option<Planned>, StoreError> {
    let planned = sqlx::query_as!(
        Planned,
        "select form, umpire, starts_at, ruleset, p1, p2, event, fields from planned \
         where log_id = $1 and form = $2 and match_id is null and not dropped",
        log_id.0,
        form.0.as_slice()
    );
    Ok(planned.fetch_optional(pool).await?)
}

/// The planned matches that were not opened or dropped, the next one first.
pub async fn list(pool: &PgPool, log_id: LogId, limit: i64) -> Result<Vec<Planned>, StoreError> {
    let planned = sqlx::query_as!(
        Planned,
        "select form, umpire, starts_at, ruleset, p1, p2, event, fields from planned \
         where log_id = $1 and match_id is null and not dropped order by starts_at, form limit $2",
        log_id.0,
        limit
    );
    Ok(planned.fetch_all(pool).await?)
}

pub async fn all(pool: &PgPool, log_id: LogId) -> Result<Vec<Planned>, StoreError> {
    list(pool, log_id, i64::MAX).await
}

/// Notes that a planned match was opened, and erases its names. A match that was opened before stays as it is.
pub async fn note_opened(pool: &PgPool, form: SubmitId, match_id: MatchId) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "update planned set match_id = $2, p1 = '', p2 = '', event = '', fields = '' \
         where form = $1 and match_id is null",
        form.0.as_slice(),
        match_id.0
    );
    Ok(query.execute(pool).await.map(|_| ())?)
}

/// Drops a planned match, and erases its names. Dropping it again changes nothing.
pub async fn drop(pool: &PgPool, form: SubmitId) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "update planned set dropped = true, p1 = '', p2 = '', event = '', fields = '' \
         where form = $1 and match_id is null",
        form.0.as_slice()
    );
    Ok(query.execute(pool).await.map(|_| ())?)
}
