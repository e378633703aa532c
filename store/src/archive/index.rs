//! Writing the rows of a match, derived from its entries.

use chrono::{DateTime, Utc};
use ledger::{LogId, MatchId, PlayerId};
use sqlx::{PgPool, Postgres, Transaction};

use super::vouched_seats;
use crate::{StoreError, transaction};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchRows {
    pub log_id: LogId,
    pub match_id: MatchId,
    pub slug: String,
    pub head: i32,
    pub game: String,
    pub ruleset: String,
    pub event: Option<String>,
    pub event_key: Option<String>,
    pub date: Option<String>,
    /// `p1` or `p2`: the seat of the DMO.
    pub dmo: Option<&'static str>,
    /// `live`, `recorded`, `imported` or `result`.
    pub mode: &'static str,
    pub umpire: String,
    pub umpires: Vec<String>,
    /// `p1`, `p2`, `undecided`, `void` or `*`.
    pub result: &'static str,
    pub reason: String,
    pub rounds: i32,
    pub rulings: i32,
    pub tags: Vec<String>,
    pub opened_at: DateTime<Utc>,
    pub played_at: DateTime<Utc>,
    pub changed_at: DateTime<Utc>,
    pub highlights: HighlightColumns,
    pub words: Vec<String>,
    pub p1: SeatRow,
    pub p2: SeatRow,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HighlightColumns {
    pub lead_changes: i32,
    pub decision_row: Option<String>,
    /// How late that was, up to 1,000 in the last row; -1 without one.
    pub lateness: i32,
    /// The points of the largest swing; 0 if there was none.
    pub swing: i32,
    pub swing_row: Option<String>,
    /// The largest deficit that the winner overcame; 0 if there was none.
    pub comeback: i32,
    /// How close the finish was, up to 1,000; -1 without one.
    pub closeness: i32,
    pub drama: i32,
    /// Up to 24 points of the course, each a signed byte.
    pub course: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRow {
    pub name: String,
    pub key: Option<String>,
    pub score: Option<i32>,
    /// `won`, `lost`, `undecided`, `void` or `*`.
    pub standing: &'static str,
    /// The registered player who vouched for the seat's key; none if nobody did, or that was withdrawn.
    pub vouched_by: Option<PlayerId>,
}

/// Writes the rows of a match. Rows of a newer head stay as they are: nodes may derive the same match in any order. A text
/// that was withdrawn leaves the head as it is. What was checked and counted is kept with its head. A name that is joined to
/// another has that player's key.
pub async fn write(pool: &PgPool, row: &MatchRows) -> Result<(), StoreError> {
    let mut rows = transaction::begin(pool).await?;
    if write_in(&mut rows, row).await? {
        rows.commit().await?;
    }
    Ok(())
}

/// True if it was written: then the match's row is locked until the commit, so that all rows are of the same head.
pub(crate) async fn write_in(rows: &mut Transaction<'_, Postgres>, row: &MatchRows) -> Result<bool, StoreError> {
    let written = write_match(rows, row).await?;
    if written {
        write_words(rows, row).await?;
        write_seats(rows, row).await?;
    }
    Ok(written)
}

/// Removes the rows of a match that is not in the log.
pub(crate) async fn remove(
    rows: &mut Transaction<'_, Postgres>,
    log_id: LogId,
    match_id: MatchId,
) -> Result<(), StoreError> {
    for remove in [
        "delete from archive_seats where log_id = $1 and match_id = $2",
        "delete from archive where log_id = $1 and match_id = $2",
    ] {
        sqlx::query(remove).bind(log_id.0).bind(match_id.0).execute(&mut **rows).await?;
    }
    Ok(())
}

async fn write_match(rows: &mut Transaction<'_, Postgres>, row: &MatchRows) -> Result<bool, StoreError> {
    let query = sqlx::query!(
        "insert into archive (log_id, match_id, slug, head, game, ruleset, event, date, p1, p2, dmo, mode, umpire, result, \
             reason, rounds, score_p1, score_p2, rulings, opened_at, played_at, changed_at, p1_key, p2_key, event_key, \
             tags, umpires, lead_changes, decision_row, lateness, swing, swing_row, comeback, closeness, drama, course) \
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, \
             $22, coalesce((select player_key from aliases where log_id = $1 and key = $23), $23), \
             coalesce((select player_key from aliases where log_id = $1 and key = $24), $24), $25, $26, $27, $28, \
             $29, $30, $31, $32, $33, $34, $35, $36) \
         on conflict (log_id, match_id) do update set head = excluded.head, event = excluded.event, \
             date = excluded.date, p1 = excluded.p1, p2 = excluded.p2, mode = excluded.mode, result = excluded.result, \
             reason = excluded.reason, rounds = excluded.rounds, score_p1 = excluded.score_p1, \
             score_p2 = excluded.score_p2, rulings = excluded.rulings, played_at = excluded.played_at, \
             changed_at = excluded.changed_at, p1_key = excluded.p1_key, p2_key = excluded.p2_key, \
             event_key = excluded.event_key, tags = excluded.tags, umpire = excluded.umpire, \
             umpires = excluded.umpires, lead_changes = excluded.lead_changes, decision_row = excluded.decision_row, \
             lateness = excluded.lateness, swing = excluded.swing, swing_row = excluded.swing_row, \
             comeback = excluded.comeback, closeness = excluded.closeness, drama = excluded.drama, \
             course = excluded.course, \
             verdict = case when archive.checked_head = excluded.head then archive.verdict else 'unchecked' end \
         where archive.head <= excluded.head",
        row.log_id.0,
        row.match_id.0,
        row.slug,
        row.head,
        row.game,
        row.ruleset,
        row.event,
        row.date,
        row.p1.name,
        row.p2.name,
        row.dmo,
        row.mode,
        row.umpire,
        row.result,
        row.reason,
        row.rounds,
        row.p1.score,
        row.p2.score,
        row.rulings,
        row.opened_at,
        row.played_at,
        row.changed_at,
        row.p1.key,
        row.p2.key,
        row.event_key,
        &row.tags,
        &row.umpires,
        row.highlights.lead_changes,
        row.highlights.decision_row,
        row.highlights.lateness,
        row.highlights.swing,
        row.highlights.swing_row,
        row.highlights.comeback,
        row.highlights.closeness,
        row.highlights.drama,
        &row.highlights.course,
    );
    Ok(query.execute(&mut **rows).await?.rows_affected() > 0)
}

async fn write_words(rows: &mut Transaction<'_, Postgres>, row: &MatchRows) -> Result<(), StoreError> {
    let query = sqlx::query!(
        "insert into archive_words (log_id, match_id, played_at, words) values ($1, $2, $3, array_to_tsvector($4)) \
         on conflict (log_id, match_id) do update set played_at = excluded.played_at, words = excluded.words \
         where (archive_words.played_at, archive_words.words) is distinct from (excluded.played_at, excluded.words)",
        row.log_id.0,
        row.match_id.0,
        row.played_at,
        &row.words,
    );
    Ok(query.execute(&mut **rows).await.map(drop)?)
}

async fn write_seats(rows: &mut Transaction<'_, Postgres>, row: &MatchRows) -> Result<(), StoreError> {
    for (seat, player, other) in [("p1", &row.p1, &row.p2), ("p2", &row.p2, &row.p1)] {
        vouched_seats::write(rows, (row.log_id, row.match_id), row.played_at, (seat, player.vouched_by)).await?;
        // Somebody who plays against themself under one name is listed once.
        let twice = seat == "p2" && player.key == other.key;
        let Some(key) = player.key.as_ref().filter(|_| !twice) else {
            sqlx::query!(
                "delete from archive_seats where log_id = $1 and match_id = $2 and seat = $3",
                row.log_id.0,
                row.match_id.0,
                seat
            )
            .execute(&mut **rows)
            .await?;
            continue;
        };
        // The column of moves belongs to the statistics.
        sqlx::query!(
            "insert into archive_seats (log_id, match_id, seat, key, name, other, dmo, ruleset, event_key, standing, \
                 played_at) values ($1, $2, $3, coalesce((select player_key from aliases where log_id = $1 and key = $4), $4), $5, \
                 coalesce((select player_key from aliases where log_id = $1 and key = $6), $6), $7, $8, $9, $10, $11) \
             on conflict (log_id, match_id, seat) do update set key = excluded.key, name = excluded.name, \
                 other = excluded.other, event_key = excluded.event_key, standing = excluded.standing, \
                 played_at = excluded.played_at",
            row.log_id.0,
            row.match_id.0,
            seat,
            key,
            player.name,
            other.key,
            row.dmo.map(|dmo| dmo == seat),
            row.ruleset,
            row.event_key,
            player.standing,
            row.played_at,
        )
        .execute(&mut **rows)
        .await?;
    }
    Ok(())
}

#[must_use]
pub fn is_slug_taken(error: &StoreError) -> bool {
    let StoreError::Database(error) = error else { return false };
    error.as_database_error().is_some_and(|error| error.constraint() == Some("archive_slug_key"))
}

/// True if the database refused the values of one match, such as a number that is too large for it: data, integrity and
/// limits (PostgreSQL's classes 22, 23 and 54). Other matches can still be written.
#[must_use]
pub fn is_value_refused(error: &StoreError) -> bool {
    let StoreError::Database(error) = error else { return false };
    let code = error.as_database_error().and_then(|error| error.code());
    code.is_some_and(|code| ["22", "23", "54"].contains(&code.get(..2).unwrap_or_default()))
}
