//! Adding matches to the statistics, and removing them.

use ledger::LogId;
use sqlx::{PgPool, Postgres, Transaction};
use uuid::Uuid;

use crate::{StoreError, transaction};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountState {
    pub match_id: Uuid,
    pub ruleset: String,
    pub head: i32,
    /// The number of entries that were counted; none if the match is in no sum.
    pub counted_head: Option<i32>,
    pub running: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndingChange {
    /// `p1`, `p2` or `undecided`.
    pub result: String,
    pub dmo: String,
    pub reason: String,
    pub rounds: i32,
    pub n: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveChange {
    pub what: String,
    pub seat: String,
    pub sent: String,
    pub round: i32,
    /// -1 behind, 0 level or not counted, 1 ahead.
    pub standing: i16,
    pub n: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FateChange {
    pub subject: String,
    pub fate: String,
    pub n: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairChange {
    pub situation: [u8; 16],
    pub what: String,
    pub p1: String,
    pub p2: String,
    pub n: i64,
    /// The change of the number of times after which seat 1 won the match.
    pub won_p1: i64,
    pub won_p2: i64,
    pub gain_p1: i64,
    pub gain_p2: i64,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatMoves {
    pub match_id: Uuid,
    pub seat: String,
    pub moves: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyedMatch {
    pub match_id: Uuid,
    pub counted: [u8; 16],
    pub label: String,
    pub n: i32,
}

/// At most twice this many matches whose count is out of date: ended ones that are not counted at their head, and
/// running ones that were counted before.
pub async fn out_of_date(pool: &PgPool, log_id: LogId, limit: i64) -> Result<Vec<CountState>, StoreError> {
    let uncounted = sqlx::query_as!(
        CountState,
        "(select match_id as \"match_id!\", ruleset as \"ruleset!\", head as \"head!\", counted_head, false as \"running!\" \
             from archive where log_id = $1 and counted_head is distinct from head and result <> '*' \
             order by match_id limit $2) \
         union all \
         (select match_id, ruleset, head, counted_head, true from archive \
             where log_id = $1 and counted_head is not null and result = '*' order by match_id limit $2)",
        log_id.0,
        limit
    );
    Ok(uncounted.fetch_all(pool).await?)
}

pub async fn delete_all(pool: &PgPool, log_id: LogId) -> Result<(), StoreError> {
    let mut all = transaction::begin(pool).await?;
    // Locks the archive's rows first, as every count does: so it waits for a simultaneous count without a deadlock.
    sqlx::query!("update archive set counted_head = null where log_id = $1", log_id.0).execute(&mut *all).await?;
    for empty in [
        "delete from move_counts",
        "delete from pair_counts",
        "delete from ending_counts",
        "delete from fate_counts",
        "update archive_seats set moves = '' where moves <> ''",
        "delete from counted_matches",
    ] {
        sqlx::query(empty).execute(&mut *all).await?;
    }
    Ok(all.commit().await?)
}

/// A change of the counts by some matches, in one transaction. Dropped before [`Counting::commit`], it changes nothing.
#[derive(Debug)]
pub struct Counting {
    rows: Transaction<'static, Postgres>,
    log_id: LogId,
}

impl Counting {
    /// Locks the rows of these matches until the counts are written, so that two nodes never count the same match.
    /// Returns the current state of each.
    pub async fn begin(pool: &PgPool, log_id: LogId, ids: &[Uuid]) -> Result<(Self, Vec<CountState>), StoreError> {
        let mut rows = transaction::begin(pool).await?;
        let held = sqlx::query_as!(
            CountState,
            "select match_id, ruleset, head, counted_head, result = '*' as \"running!\" from archive \
             where log_id = $1 and match_id = any($2) order by match_id for update",
            log_id.0,
            ids
        );
        let held = held.fetch_all(&mut *rows).await?;
        Ok((Self { rows, log_id }, held))
    }

    pub async fn change_endings(&mut self, ruleset: &str, changes: &[EndingChange]) -> Result<(), StoreError> {
        sqlx::query!(
            "insert into ending_counts (log_id, ruleset, result, dmo, reason, rounds, n) \
             select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::bigint[]) \
             on conflict (log_id, ruleset, result, dmo, reason, rounds) do update set n = ending_counts.n + excluded.n",
            self.log_id.0,
            ruleset,
            &column(changes, |change| change.result.clone()),
            &column(changes, |change| change.dmo.clone()),
            &column(changes, |change| change.reason.clone()),
            &column(changes, |change| change.rounds),
            &column(changes, |change| change.n),
        )
        .execute(&mut *self.rows)
        .await?;
        Ok(())
    }

    pub async fn change_moves(&mut self, ruleset: &str, changes: &[MoveChange]) -> Result<(), StoreError> {
        sqlx::query!(
            "insert into move_counts (log_id, ruleset, what, seat, sent, round, standing, n) \
             select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::smallint[], $8::bigint[]) \
             on conflict (log_id, ruleset, what, seat, sent, round, standing) do update set n = move_counts.n + excluded.n",
            self.log_id.0,
            ruleset,
            &column(changes, |change| change.what.clone()),
            &column(changes, |change| change.seat.clone()),
            &column(changes, |change| change.sent.clone()),
            &column(changes, |change| change.round),
            &column(changes, |change| change.standing),
            &column(changes, |change| change.n)
        )
        .execute(&mut *self.rows)
        .await?;
        Ok(())
    }

    pub async fn change_pairs(&mut self, ruleset: &str, changes: &[PairChange]) -> Result<(), StoreError> {
        sqlx::query!(
            "insert into pair_counts (log_id, ruleset, situation, what, p1, p2, n, won_p1, won_p2, gain_p1, gain_p2) \
             select $1, $2, * from unnest($3::bytea[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], \
                 $9::bigint[], $10::bigint[], $11::bigint[]) \
             on conflict (log_id, ruleset, situation, what, p1, p2) do update set n = pair_counts.n + excluded.n, \
                 won_p1 = pair_counts.won_p1 + excluded.won_p1, won_p2 = pair_counts.won_p2 + excluded.won_p2, \
                 gain_p1 = pair_counts.gain_p1 + excluded.gain_p1, gain_p2 = pair_counts.gain_p2 + excluded.gain_p2",
            self.log_id.0,
            ruleset,
            &column(changes, |change| change.situation.to_vec()),
            &column(changes, |change| change.what.clone()),
            &column(changes, |change| change.p1.clone()),
            &column(changes, |change| change.p2.clone()),
            &column(changes, |change| change.n),
            &column(changes, |change| change.won_p1),
            &column(changes, |change| change.won_p2),
            &column(changes, |change| change.gain_p1),
            &column(changes, |change| change.gain_p2),
        )
        .execute(&mut *self.rows)
        .await?;
        Ok(())
    }

    pub async fn change_fates(&mut self, ruleset: &str, changes: &[FateChange]) -> Result<(), StoreError> {
        sqlx::query!(
            "insert into fate_counts (log_id, ruleset, subject, fate, n) \
             select $1, $2, * from unnest($3::text[], $4::text[], $5::bigint[]) \
             on conflict (log_id, ruleset, subject, fate) do update set n = fate_counts.n + excluded.n",
            self.log_id.0,
            ruleset,
            &column(changes, |change| change.subject.clone()),
            &column(changes, |change| change.fate.clone()),
            &column(changes, |change| change.n),
        )
        .execute(&mut *self.rows)
        .await?;
        Ok(())
    }

    pub async fn replace_seat_moves(&mut self, seats: &[SeatMoves]) -> Result<(), StoreError> {
        sqlx::query!(
            "update archive_seats as seats set moves = sent.moves \
             from unnest($2::uuid[], $3::text[], $4::text[]) as sent (match_id, seat, moves) \
             where seats.log_id = $1 and seats.match_id = sent.match_id and seats.seat = sent.seat \
                 and seats.moves <> sent.moves",
            self.log_id.0,
            &column(seats, |seat| seat.match_id),
            &column(seats, |seat| seat.seat.clone()),
            &column(seats, |seat| seat.moves.clone())
        )
        .execute(&mut *self.rows)
        .await?;
        Ok(())
    }

    pub async fn replace_keys(&mut self, ids: &[Uuid], keys: &[KeyedMatch]) -> Result<(), StoreError> {
        sqlx::query!("delete from counted_matches where log_id = $1 and match_id = any($2)", self.log_id.0, ids)
            .execute(&mut *self.rows)
            .await?;
        sqlx::query!(
            "insert into counted_matches (log_id, match_id, counted, played_at, label, n) \
             select $1, found.match_id, found.counted, archive.played_at, found.label, found.n \
             from unnest($2::uuid[], $3::bytea[], $4::text[], $5::int[]) as found (match_id, counted, label, n) \
             join archive on archive.log_id = $1 and archive.match_id = found.match_id",
            self.log_id.0,
            &column(keys, |key| key.match_id),
            &column(keys, |key| key.counted.to_vec()),
            &column(keys, |key| key.label.clone()),
            &column(keys, |key| key.n)
        )
        .execute(&mut *self.rows)
        .await?;
        Ok(())
    }

    /// Notes that these matches are counted at their head, or not at all while they run, and commits.
    pub async fn commit(mut self, ids: &[Uuid]) -> Result<(), StoreError> {
        sqlx::query!(
            "update archive set counted_head = case when result <> '*' then head end \
             where log_id = $1 and match_id = any($2)",
            self.log_id.0,
            ids
        )
        .execute(&mut *self.rows)
        .await?;
        Ok(self.rows.commit().await?)
    }
}

fn column<R, V>(rows: &[R], value: impl Fn(&R) -> V) -> Vec<V> {
    rows.iter().map(value).collect()
}
