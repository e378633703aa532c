//! Comments on the moments of a match.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId, Seq};
use sqlx::postgres::PgRow;
use sqlx::{PgPool, Row};
use uuid::Uuid;

use crate::StoreError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentPlace {
    pub step: u32,
    /// The entry that made it a step. A step that was corrected has another one.
    pub entry: Seq,
    pub side: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Before,
    Choices,
    After,
}

impl Side {
    const ALL: [Self; 3] = [Self::Before, Self::Choices, Self::After];

    const fn word(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::Choices => "choices",
            Self::After => "after",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    pub id: Uuid,
    pub place: CommentPlace,
    pub umpire: String,
    pub at: DateTime<Utc>,
    /// Its text: 1 to 500 characters.
    pub text: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CommentChange {
    pub match_id: MatchId,
    pub id: Uuid,
    pub withdrawn: bool,
}

/// Stores a comment. The same id again stores nothing. False if it has another text, or was withdrawn.
pub async fn add(pool: &PgPool, log_id: LogId, match_id: MatchId, comment: &Comment) -> Result<bool, StoreError> {
    let stored = sqlx::query(
        "insert into comments (log_id, match_id, id, step, entry, side, umpire, at, text) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing",
    )
    .bind(log_id.0)
    .bind(match_id.0)
    .bind(comment.id)
    .bind(i32::try_from(comment.place.step).unwrap_or(i32::MAX))
    .bind(i32::try_from(comment.place.entry.0).unwrap_or(i32::MAX))
    .bind(comment.place.side.word())
    .bind(&comment.umpire)
    .bind(comment.at)
    .bind(&comment.text)
    .execute(pool)
    .await?;
    if stored.rows_affected() > 0 {
        return Ok(true);
    }
    let same = sqlx::query_scalar(
        "select exists (select from comments where log_id = $1 and match_id = $2 and id = $3 and umpire = $4 and text = $5 \
             and withdrawn_at is null)",
    );
    let same = same.bind(log_id.0).bind(match_id.0).bind(comment.id).bind(&comment.umpire).bind(&comment.text);
    Ok(same.fetch_one(pool).await?)
}

/// Withdraws a comment: its text is gone from then on. Only its author's, unless `any`. Withdrawing it again changes
/// nothing. False if there is no such comment.
pub async fn withdraw(
    pool: &PgPool,
    (log_id, match_id): (LogId, MatchId),
    id: Uuid,
    umpire: &str,
    any: bool,
    now: DateTime<Utc>,
) -> Result<bool, StoreError> {
    let withdrawn = sqlx::query(
        "update comments set text = '', withdrawn_by = coalesce(withdrawn_by, $4), \
             withdrawn_at = coalesce(withdrawn_at, $6), changed_at = now() \
         where log_id = $1 and match_id = $2 and id = $3 and (umpire = $4 or $5)",
    )
    .bind(log_id.0)
    .bind(match_id.0)
    .bind(id)
    .bind(umpire)
    .bind(any)
    .bind(now);
    Ok(withdrawn.execute(pool).await?.rows_affected() > 0)
}

/// The comments of a match that were not withdrawn, oldest first.
pub async fn of_match(pool: &PgPool, log_id: LogId, match_id: MatchId) -> Result<Vec<Comment>, StoreError> {
    let rows = sqlx::query(
        "select id, step, entry, side, umpire, at, text from comments \
         where log_id = $1 and match_id = $2 and withdrawn_at is null order by at, id",
    );
    rows.bind(log_id.0).bind(match_id.0).fetch_all(pool).await?.iter().map(comment).collect()
}

/// The changes of the ten minutes before a time and since, and the time now, both by the database's clock; since now if no
/// time is given. A change has the time at which its transaction began, so it may become visible later than a newer one.
pub async fn changed_since(
    pool: &PgPool,
    time: Option<DateTime<Utc>>,
) -> Result<(Vec<CommentChange>, DateTime<Utc>), StoreError> {
    let now: DateTime<Utc> = sqlx::query_scalar("select now()").fetch_one(pool).await?;
    let rows = sqlx::query(
        "select match_id, id, withdrawn_at is not null as withdrawn from comments \
         where changed_at > $1::timestamptz - interval '10 minutes'",
    );
    let rows = rows.bind(time.unwrap_or(now)).fetch_all(pool).await?;
    Ok((rows.iter().map(change).collect::<Result<_, _>>()?, now))
}

fn change(row: &PgRow) -> Result<CommentChange, StoreError> {
    let match_id = MatchId(row.try_get("match_id")?);
    Ok(CommentChange { match_id, id: row.try_get("id")?, withdrawn: row.try_get("withdrawn")? })
}

fn comment(row: &PgRow) -> Result<Comment, StoreError> {
    let wrong = || StoreError::Corrupt { what: "a comment is about no moment".to_owned() };
    let number = |column| row.try_get::<i32, _>(column).map(|number| u32::try_from(number).map_err(|_| wrong()));
    let side: String = row.try_get("side")?;
    let place = CommentPlace {
        step: number("step")??,
        entry: Seq(number("entry")??),
        side: Side::ALL.into_iter().find(|known| known.word() == side).ok_or_else(wrong)?,
    };
    Ok(Comment {
        id: row.try_get("id")?,
        place,
        umpire: row.try_get("umpire")?,
        at: row.try_get("at")?,
        text: row.try_get("text")?,
    })
}
