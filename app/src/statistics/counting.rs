//! Updating the statistics: matches are added when they end, and removed and added again when they change.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use app::book::{Book, BookError, LOG, PairSum, SentKinds, kinds_text};
use engine::{BySeat, Seat};
use ledger::MatchId;
use sqlx::types::Uuid;
use sqlx::{Postgres, Transaction};
use tokio::task::{JoinError, JoinSet};

use super::counted::{Counted, Ended, MoveKey, PairKey};

/// The matches counted in one transaction: their sums update the same rows many times.
const AT_ONCE: i64 = 100;
/// The matches folded at the same time.
const FOLDED: usize = 4;

/// A match's state in the archive, and the state in which it was counted.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stands {
    match_id: Uuid,
    ruleset: String,
    head: i32,
    counted_head: Option<i32>,
    running: bool,
}

/// The contribution of a match, to be added or removed.
struct Adds {
    stands: Stands,
    /// Its previous contribution.
    before: Option<Counted>,
    now: Option<Counted>,
}

/// The combined change by matches of one ruleset.
#[derive(Default)]
struct Change {
    endings: BTreeMap<Ended, i64>,
    moves: BTreeMap<MoveKey, i64>,
    pairs: BTreeMap<PairKey, PairSum>,
}

/// Adds the matches that ended since the last call. If a match was taken up again, its previous contribution is
/// removed, and added again once it has ended again. Returns the number of matches examined.
///
/// # Errors
/// The database. A match that cannot be read contributes nothing.
pub async fn count_some(book: &Arc<Book>) -> Result<usize, BookError> {
    let uncounted = sqlx::query_as!(
        Stands,
        "(select match_id as \"match_id!\", ruleset as \"ruleset!\", head as \"head!\", counted_head, false as \"running!\" \
             from archive where log_id = $1 and counted_head is distinct from head and result <> '*' \
             order by match_id limit $2) \
         union all \
         (select match_id, ruleset, head, counted_head, true from archive \
             where log_id = $1 and counted_head is not null and result = '*' order by match_id limit $2)",
        LOG.0,
        AT_ONCE
    )
    .fetch_all(book.pool())
    .await?;
    if uncounted.is_empty() {
        return Ok(0);
    }
    let (mut folding, mut adding) = (JoinSet::new(), Vec::with_capacity(uncounted.len()));
    for stands in uncounted {
        if folding.len() >= FOLDED {
            adding.extend(folded(folding.join_next().await)?);
        }
        folding.spawn(added(book.clone(), stands));
    }
    while let Some(last) = folding.join_next().await {
        adding.extend(folded(Some(last))?);
    }
    write(book, adding).await
}

/// Counts everything again.
///
/// # Errors
/// The database.
pub async fn recount(book: &Arc<Book>) -> Result<usize, BookError> {
    let mut all = book.pool().begin().await?;
    // Locks the archive's rows first, as every count does: so it waits for a simultaneous count without a deadlock.
    sqlx::query!("update archive set counted_head = null where log_id = $1", LOG.0).execute(&mut *all).await?;
    for empty in [
        "delete from move_counts",
        "delete from pair_counts",
        "delete from ending_counts",
        "update archive_seats set moves = '' where moves <> ''",
        "delete from counted_matches",
    ] {
        sqlx::query(empty).execute(&mut *all).await?;
    }
    all.commit().await?;
    let mut counted = 0;
    loop {
        match count_some(book).await? {
            0 => return Ok(counted),
            many => counted += many,
        }
    }
}

/// Folds a match as it was counted, and as it is now.
async fn added(book: Arc<Book>, stands: Stands) -> Result<Adds, BookError> {
    // A running match contributes nothing, and is examined again when it has ended.
    let now = if stands.running { None } else { counted(&book, &stands, Some(stands.head)).await? };
    let before = counted(&book, &stands, stands.counted_head).await?;
    Ok(Adds { before, now, stands })
}

fn folded(joined: Option<Result<Result<Adds, BookError>, JoinError>>) -> Result<Option<Adds>, BookError> {
    match joined {
        Some(Ok(added)) => added.map(Some),
        // A task that panicked adds nothing; the log of the program has its details.
        Some(Err(_)) | None => Ok(None),
    }
}

async fn counted(book: &Book, stands: &Stands, head: Option<i32>) -> Result<Option<Counted>, BookError> {
    let Some(head) = head.and_then(|head| u32::try_from(head).ok()) else { return Ok(None) };
    match book.history_up_to(MatchId(stands.match_id), head).await {
        Ok(history) => Ok(Some(Counted::of(&history))),
        Err(error @ BookError::Store(_)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Writes the contributions, and returns their number. A match that changed while it was folded is left for the next
/// time.
async fn write(book: &Book, mut adding: Vec<Adds>) -> Result<usize, BookError> {
    let mut rows = book.pool().begin().await?;
    let ids: Vec<Uuid> = adding.iter().map(|adds| adds.stands.match_id).collect();
    // The rows are locked until the counts are written, so that two nodes never count the same match.
    let held = sqlx::query_as!(
        Stands,
        "select match_id, ruleset, head, counted_head, result = '*' as \"running!\" from archive \
         where log_id = $1 and match_id = any($2) order by match_id for update",
        LOG.0,
        &ids
    );
    let held: HashMap<Uuid, Stands> =
        held.fetch_all(&mut *rows).await?.into_iter().map(|stands| (stands.match_id, stands)).collect();
    adding.retain(|adds| held.get(&adds.stands.match_id) == Some(&adds.stands));

    let mut changes: BTreeMap<String, Change> = BTreeMap::new();
    for adds in &adding {
        let change = changes.entry(adds.stands.ruleset.clone()).or_default();
        for (counted, sign) in [(&adds.before, -1), (&adds.now, 1)] {
            if let Some(counted) = counted {
                change.add(counted, sign);
            }
        }
    }
    // Rows are updated in the order of their keys, so that two nodes counting different matches never deadlock.
    for (ruleset, change) in changes {
        change.write(&mut rows, &ruleset).await?;
    }
    write_habits(&mut rows, &adding).await?;
    write_matches(&mut rows, &adding).await?;
    let ids: Vec<Uuid> = adding.iter().map(|adds| adds.stands.match_id).collect();
    sqlx::query!(
        "update archive set counted_head = case when result <> '*' then head end \
         where log_id = $1 and match_id = any($2)",
        LOG.0,
        &ids
    )
    .execute(&mut *rows)
    .await?;
    rows.commit().await?;
    Ok(adding.len())
}

/// The moves in a match belong only to it, and are replaced.
async fn write_habits(rows: &mut Transaction<'_, Postgres>, adding: &[Adds]) -> Result<(), BookError> {
    let (mut ids, mut seats, mut moves) = (vec![], vec![], vec![]);
    for adds in adding {
        let mut sent = BySeat::from_fn(|_| SentKinds::new());
        for (key, times) in adds.now.iter().flat_map(|counted| &counted.moves) {
            *sent[key.seat].entry((&key.what, &key.sent)).or_default() += times;
        }
        for (seat, kinds) in sent.each() {
            ids.push(adds.stands.match_id);
            seats.push(seat.word().to_owned());
            moves.push(kinds_text(kinds));
        }
    }
    sqlx::query!(
        "update archive_seats as seats set moves = sent.moves \
         from unnest($2::uuid[], $3::text[], $4::text[]) as sent (match_id, seat, moves) \
         where seats.log_id = $1 and seats.match_id = sent.match_id and seats.seat = sent.seat \
             and seats.moves <> sent.moves",
        LOG.0,
        &ids,
        &seats,
        &moves
    )
    .execute(&mut **rows)
    .await?;
    Ok(())
}

/// The keys of a match also belong only to it.
async fn write_matches(rows: &mut Transaction<'_, Postgres>, adding: &[Adds]) -> Result<(), BookError> {
    let ids: Vec<Uuid> = adding.iter().map(|adds| adds.stands.match_id).collect();
    sqlx::query!("delete from counted_matches where log_id = $1 and match_id = any($2)", LOG.0, &ids)
        .execute(&mut **rows)
        .await?;
    let (mut ids, mut counted, mut labels, mut n) = (vec![], vec![], vec![], vec![]);
    for adds in adding {
        for (counted_for, place) in adds.now.iter().flat_map(|counted| &counted.matches) {
            ids.push(adds.stands.match_id);
            counted.push(counted_for.0.to_vec());
            labels.push(place.label.clone());
            n.push(place.steps);
        }
    }
    sqlx::query!(
        "insert into counted_matches (log_id, match_id, counted, played_at, label, n) \
         select $1, found.match_id, found.counted, archive.played_at, found.label, found.n \
         from unnest($2::uuid[], $3::bytea[], $4::text[], $5::int[]) as found (match_id, counted, label, n) \
         join archive on archive.log_id = $1 and archive.match_id = found.match_id",
        LOG.0,
        &ids,
        &counted,
        &labels,
        &n
    )
    .execute(&mut **rows)
    .await?;
    Ok(())
}

impl Change {
    fn add(&mut self, counted: &Counted, sign: i64) {
        if let Some(ended) = &counted.ended {
            *self.endings.entry(ended.clone()).or_default() += sign;
        }
        for (key, n) in &counted.moves {
            *self.moves.entry(key.clone()).or_default() += n * sign;
        }
        for (key, added) in &counted.pairs {
            let sum = self.pairs.entry(key.clone()).or_default();
            sum.n += added.n * sign;
            for seat in Seat::BOTH {
                sum.won[seat] += added.won[seat] * sign;
                sum.gain[seat] += added.gain[seat] * sign;
            }
        }
    }

    async fn write(&self, rows: &mut Transaction<'_, Postgres>, ruleset: &str) -> Result<(), BookError> {
        self.write_endings(rows, ruleset).await?;
        self.write_moves(rows, ruleset).await?;
        self.write_pairs(rows, ruleset).await
    }

    async fn write_endings(&self, rows: &mut Transaction<'_, Postgres>, ruleset: &str) -> Result<(), BookError> {
        let text =
            |of: fn(&Ended) -> &str| -> Vec<String> { self.endings.keys().map(|key| of(key).to_owned()).collect() };
        let (results, dmos, reasons) = (text(|key| key.result), text(|key| key.dmo), text(|key| key.reason));
        let rounds: Vec<i32> = self.endings.keys().map(|key| key.rounds).collect();
        let n: Vec<i64> = self.endings.values().copied().collect();
        sqlx::query!(
            "insert into ending_counts (log_id, ruleset, result, dmo, reason, rounds, n) \
             select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::bigint[]) \
             on conflict (log_id, ruleset, result, dmo, reason, rounds) do update set n = ending_counts.n + excluded.n",
            LOG.0,
            ruleset,
            &results,
            &dmos,
            &reasons,
            &rounds,
            &n,
        )
        .execute(&mut **rows)
        .await?;
        Ok(())
    }

    async fn write_moves(&self, rows: &mut Transaction<'_, Postgres>, ruleset: &str) -> Result<(), BookError> {
        let text =
            |of: fn(&MoveKey) -> &str| -> Vec<String> { self.moves.keys().map(|key| of(key).to_owned()).collect() };
        let (whats, seats, kinds) = (text(|key| &key.what), text(|key| key.seat.word()), text(|key| &key.sent));
        let (rounds, standings): (Vec<i32>, Vec<i16>) = self.moves.keys().map(|key| (key.round, key.standing)).unzip();
        let n: Vec<i64> = self.moves.values().copied().collect();
        sqlx::query!(
            "insert into move_counts (log_id, ruleset, what, seat, sent, round, standing, n) \
             select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::smallint[], $8::bigint[]) \
             on conflict (log_id, ruleset, what, seat, sent, round, standing) do update set n = move_counts.n + excluded.n",
            LOG.0,
            ruleset,
            &whats,
            &seats,
            &kinds,
            &rounds,
            &standings,
            &n
        )
        .execute(&mut **rows)
        .await?;
        Ok(())
    }

    async fn write_pairs(&self, rows: &mut Transaction<'_, Postgres>, ruleset: &str) -> Result<(), BookError> {
        let text =
            |of: fn(&PairKey) -> &str| -> Vec<String> { self.pairs.keys().map(|key| of(key).to_owned()).collect() };
        let (whats, p1, p2) = (text(|key| &key.what), text(|key| &key.p1), text(|key| &key.p2));
        let situations: Vec<Vec<u8>> = self.pairs.keys().map(|key| key.situation.0.to_vec()).collect();
        let sum = |of: fn(&PairSum) -> i64| -> Vec<i64> { self.pairs.values().map(of).collect() };
        let (n, won_p1, won_p2) = (sum(|sum| sum.n), sum(|sum| sum.won.p1), sum(|sum| sum.won.p2));
        let (gain_p1, gain_p2) = (sum(|sum| sum.gain.p1), sum(|sum| sum.gain.p2));
        sqlx::query!(
            "insert into pair_counts (log_id, ruleset, situation, what, p1, p2, n, won_p1, won_p2, gain_p1, gain_p2) \
             select $1, $2, * from unnest($3::bytea[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::bigint[], \
                 $9::bigint[], $10::bigint[], $11::bigint[]) \
             on conflict (log_id, ruleset, situation, what, p1, p2) do update set n = pair_counts.n + excluded.n, \
                 won_p1 = pair_counts.won_p1 + excluded.won_p1, won_p2 = pair_counts.won_p2 + excluded.won_p2, \
                 gain_p1 = pair_counts.gain_p1 + excluded.gain_p1, gain_p2 = pair_counts.gain_p2 + excluded.gain_p2",
            LOG.0,
            ruleset,
            &situations,
            &whats,
            &p1,
            &p2,
            &n,
            &won_p1,
            &won_p2,
            &gain_p1,
            &gain_p2,
        )
        .execute(&mut **rows)
        .await?;
        Ok(())
    }
}
