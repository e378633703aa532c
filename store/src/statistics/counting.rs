//! Adding matches to the statistics, and removing them.

use std::collections::BTreeMap;

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

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EndingKey {
    /// `p1`, `p2` or `undecided`.
    pub result: &'static str,
    pub dmo: &'static str,
    pub reason: &'static str,
    pub rounds: i32,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MoveKey {
    pub what: String,
    /// `p1` or `p2`.
    pub seat: &'static str,
    pub sent: String,
    pub round: i32,
    /// -1 behind, 0 level or not counted, 1 ahead.
    pub standing: i16,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PairKey {
    pub situation: [u8; 16],
    pub what: String,
    pub p1: String,
    pub p2: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairSum {
    pub n: i64,
    /// The number of times after which seat 1 won the match.
    pub won_p1: i64,
    pub won_p2: i64,
    pub gain_p1: i64,
    pub gain_p2: i64,
}

impl PairSum {
    pub fn add(&mut self, other: &Self, sign: i64) {
        self.n += sign * other.n;
        self.won_p1 += sign * other.won_p1;
        self.won_p2 += sign * other.won_p2;
        self.gain_p1 += sign * other.gain_p1;
        self.gain_p2 += sign * other.gain_p2;
    }
}

/// The kind of an action, and what became of it.
pub type FateKey = (String, &'static str);

/// The changes of the sums of one ruleset. They are written in the order of their keys, so that two nodes that count
/// different matches never deadlock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    pub endings: BTreeMap<EndingKey, i64>,
    pub moves: BTreeMap<MoveKey, i64>,
    pub pairs: BTreeMap<PairKey, PairSum>,
    pub fates: BTreeMap<FateKey, i64>,
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

    pub async fn change(&mut self, ruleset: &str, changes: &Changes) -> Result<(), StoreError> {
        self.change_endings(ruleset, &changes.endings).await?;
        self.change_moves(ruleset, &changes.moves).await?;
        self.change_pairs(ruleset, &changes.pairs).await?;
        self.change_fates(ruleset, &changes.fates).await
    }

    async fn change_endings(&mut self, ruleset: &str, changes: &BTreeMap<EndingKey, i64>) -> Result<(), StoreError> {
        let query = sqlx::query!(
            "insert into ending_counts (log_id, ruleset, result, dmo, reason, rounds, n) \
             select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::bigint[]) \
             on conflict (log_id, ruleset, result, dmo, reason, rounds) do update set n = ending_counts.n + excluded.n",
            self.log_id.0,
            ruleset,
            &column(changes, |(key, _)| key.result.to_owned()),
            &column(changes, |(key, _)| key.dmo.to_owned()),
            &column(changes, |(key, _)| key.reason.to_owned()),
            &column(changes, |(key, _)| key.rounds),
            &column(changes, |(_, n)| *n),
        );
        Ok(query.execute(&mut *self.rows).await.map(drop)?)
    }

    async fn change_moves(&mut self, ruleset: &str, changes: &BTreeMap<MoveKey, i64>) -> Result<(), StoreError> {
        let query = sqlx::query!(
            "insert into move_counts (log_id, ruleset, what, seat, sent, round, standing, n) \
             select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::smallint[], $8::bigint[]) \
             on conflict (log_id, ruleset, what, seat, sent, round, standing) do update set n = move_counts.n + excluded.n",
            self.log_id.0,
            ruleset,
            &column(changes, |(key, _)| key.what.clone()),
            &column(changes, |(key, _)| key.seat.to_owned()),
            &column(changes, |(key, _)| key.sent.clone()),
            &column(changes, |(key, _)| key.round),
            &column(changes, |(key, _)| key.standing),
            &column(changes, |(_, n)| *n)
        );
        Ok(query.execute(&mut *self.rows).await.map(drop)?)
    }

    async fn change_pairs(&mut self, ruleset: &str, changes: &BTreeMap<PairKey, PairSum>) -> Result<(), StoreError> {
        let query = sqlx::query!(
            "insert into pair_counts (log_id, ruleset, situation, what, p1, p2, n, won_p1, won_p2, gain_p1, gain_p2) \
             select $1, $2, * from unnest($3::bytea[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], \
                 $9::bigint[], $10::bigint[], $11::bigint[]) \
             on conflict (log_id, ruleset, situation, what, p1, p2) do update set n = pair_counts.n + excluded.n, \
                 won_p1 = pair_counts.won_p1 + excluded.won_p1, won_p2 = pair_counts.won_p2 + excluded.won_p2, \
                 gain_p1 = pair_counts.gain_p1 + excluded.gain_p1, gain_p2 = pair_counts.gain_p2 + excluded.gain_p2",
            self.log_id.0,
            ruleset,
            &column(changes, |(key, _)| key.situation.to_vec()),
            &column(changes, |(key, _)| key.what.clone()),
            &column(changes, |(key, _)| key.p1.clone()),
            &column(changes, |(key, _)| key.p2.clone()),
            &column(changes, |(_, sum)| sum.n),
            &column(changes, |(_, sum)| sum.won_p1),
            &column(changes, |(_, sum)| sum.won_p2),
            &column(changes, |(_, sum)| sum.gain_p1),
            &column(changes, |(_, sum)| sum.gain_p2),
        );
        Ok(query.execute(&mut *self.rows).await.map(drop)?)
    }

    async fn change_fates(&mut self, ruleset: &str, changes: &BTreeMap<FateKey, i64>) -> Result<(), StoreError> {
        let query = sqlx::query!(
            "insert into fate_counts (log_id, ruleset, subject, fate, n) \
             select $1, $2, * from unnest($3::text[], $4::text[], $5::bigint[]) \
             on conflict (log_id, ruleset, subject, fate) do update set n = fate_counts.n + excluded.n",
            self.log_id.0,
            ruleset,
            &column(changes, |((subject, _), _)| subject.clone()),
            &column(changes, |((_, fate), _)| (*fate).to_owned()),
            &column(changes, |(_, n)| *n),
        );
        Ok(query.execute(&mut *self.rows).await.map(drop)?)
    }

    pub async fn replace_seat_moves(&mut self, seats: &[SeatMoves]) -> Result<(), StoreError> {
        let query = sqlx::query!(
            "update archive_seats as seats set moves = sent.moves \
             from unnest($2::uuid[], $3::text[], $4::text[]) as sent (match_id, seat, moves) \
             where seats.log_id = $1 and seats.match_id = sent.match_id and seats.seat = sent.seat \
                 and seats.moves <> sent.moves",
            self.log_id.0,
            &column(seats, |seat| seat.match_id),
            &column(seats, |seat| seat.seat.clone()),
            &column(seats, |seat| seat.moves.clone())
        );
        Ok(query.execute(&mut *self.rows).await.map(drop)?)
    }

    pub async fn replace_keys(&mut self, ids: &[Uuid], keys: &[KeyedMatch]) -> Result<(), StoreError> {
        sqlx::query!("delete from counted_matches where log_id = $1 and match_id = any($2)", self.log_id.0, ids)
            .execute(&mut *self.rows)
            .await?;
        let query = sqlx::query!(
            "insert into counted_matches (log_id, match_id, counted, played_at, label, n) \
             select $1, found.match_id, found.counted, archive.played_at, found.label, found.n \
             from unnest($2::uuid[], $3::bytea[], $4::text[], $5::int[]) as found (match_id, counted, label, n) \
             join archive on archive.log_id = $1 and archive.match_id = found.match_id",
            self.log_id.0,
            &column(keys, |key| key.match_id),
            &column(keys, |key| key.counted.to_vec()),
            &column(keys, |key| key.label.clone()),
            &column(keys, |key| key.n)
        );
        Ok(query.execute(&mut *self.rows).await.map(drop)?)
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

fn column<R, V>(rows: impl IntoIterator<Item = R>, value: impl Fn(R) -> V) -> Vec<V> {
    rows.into_iter().map(value).collect()
}
