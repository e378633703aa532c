//! What is counted, in the database: matches are added as they end, and taken away and added again where one changes.

use std::sync::Arc;

use engine::BySeat;
use ledger::MatchId;
use sqlx::types::Uuid;
use sqlx::{Postgres, Transaction};

use super::counted::{Counted, PairSum, Situation};
use crate::book::{Book, BookError, LOG};

/// Matches that are counted in one go.
const AT_ONCE: i64 = 200;

/// How a match ended, and how many did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct EndingCount {
    pub(super) result: String,
    pub(super) dmo: String,
    pub(super) reason: String,
    pub(super) rounds: i32,
    pub(super) n: i64,
}

/// A kind of move, and how often it was sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MoveCount {
    pub(super) what: String,
    pub(super) sent: String,
    /// Of `p1` and `p2`.
    pub(super) seat: String,
    /// In rounds 1 to 5, 6 to 10 and so on: which five.
    pub(super) fives: i32,
    pub(super) standing: i16,
    pub(super) n: i64,
}

/// What was played in a situation, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PairCount {
    pub(super) what: String,
    pub(super) p1: String,
    pub(super) p2: String,
    pub(super) sum: PairSum,
}

/// Adds to the statistics what ended since they were brought up to date. Where a match was taken up again, what it added
/// before is taken away, and added anew once it has ended anew. Returns how many matches were looked at.
///
/// # Errors
/// The database. A match that cannot be read is counted as nothing.
pub async fn count_some(book: &Book) -> Result<usize, BookError> {
    let uncounted: Vec<Uuid> = sqlx::query_scalar!(
        "(select match_id as \"match_id!\" from archive where log_id = $1 and counted_head is distinct from head and result <> '*' \
             order by match_id limit $2) \
         union all \
         (select match_id from archive where log_id = $1 and counted_head is not null and result = '*' \
             order by match_id limit $2)",
        LOG.0,
        AT_ONCE
    )
    .fetch_all(book.pool())
    .await?;
    let many = uncounted.len();
    for match_id in uncounted {
        count(book, MatchId(match_id)).await?;
    }
    Ok(many)
}

/// Counts everything anew.
///
/// # Errors
/// The database.
pub async fn recount(book: &Arc<Book>) -> Result<usize, BookError> {
    let mut all = book.pool().begin().await?;
    for empty in
        ["delete from move_counts", "delete from pair_counts", "delete from ending_counts", "delete from match_moves"]
    {
        sqlx::query(empty).execute(&mut *all).await?;
    }
    sqlx::query!("update archive set counted_head = null where log_id = $1", LOG.0).execute(&mut *all).await?;
    all.commit().await?;
    let mut counted = 0;
    loop {
        match count_some(book).await? {
            0 => return Ok(counted),
            many => counted += many,
        }
    }
}

async fn count(book: &Book, match_id: MatchId) -> Result<(), BookError> {
    let mut rows = book.pool().begin().await?;
    // The row is held until the counts are written, so that two nodes never count the same match.
    let stands = sqlx::query!(
        "select head, counted_head, ruleset, result = '*' as \"running!\" from archive \
         where log_id = $1 and match_id = $2 for update",
        LOG.0,
        match_id.0
    );
    let Some(stands) = stands.fetch_optional(&mut *rows).await? else { return Ok(()) };
    // What runs adds nothing, and is looked at again when it has ended.
    let counts = (!stands.running).then_some(stands.head);
    if stands.counted_head == counts {
        return Ok(());
    }
    for (head, sign) in [(stands.counted_head, -1), (counts, 1)] {
        let Some(head) = head.and_then(|head| u32::try_from(head).ok()) else { continue };
        let history = match book.history_up_to(match_id, head).await {
            Ok(history) => history,
            Err(error @ BookError::Store(_)) => return Err(error),
            Err(_) => continue,
        };
        add(&mut rows, match_id, &stands.ruleset, &Counted::of(&history), sign).await?;
    }
    sqlx::query!("update archive set counted_head = $3 where log_id = $1 and match_id = $2", LOG.0, match_id.0, counts)
        .execute(&mut *rows)
        .await?;
    rows.commit().await?;
    Ok(())
}

/// Adds what a match adds, or takes it away. Rows come in the order of their keys, so that two nodes which count different
/// matches never wait for each other in a circle.
async fn add(
    rows: &mut Transaction<'_, Postgres>,
    match_id: MatchId,
    ruleset: &str,
    counted: &Counted,
    sign: i64,
) -> Result<(), BookError> {
    if let Some(ended) = &counted.ended {
        sqlx::query!(
            "insert into ending_counts (log_id, ruleset, result, dmo, reason, rounds, n) \
             values ($1, $2, $3, $4, $5, $6, $7) on conflict (log_id, ruleset, result, dmo, reason, rounds) \
             do update set n = ending_counts.n + excluded.n",
            LOG.0,
            ruleset,
            ended.result,
            ended.dmo,
            ended.reason,
            ended.rounds,
            sign
        )
        .execute(&mut **rows)
        .await?;
    }
    let moves = counted.moves.iter();
    let (what, seat): (Vec<_>, Vec<_>) = moves.clone().map(|(key, _)| (key.what.clone(), key.seat.to_owned())).unzip();
    let (sent, round): (Vec<_>, Vec<_>) = moves.clone().map(|(key, _)| (key.sent.clone(), key.round)).unzip();
    let (standing, n): (Vec<_>, Vec<_>) = moves.map(|(key, n)| (key.standing, n * sign)).unzip();
    sqlx::query!(
        "insert into move_counts (log_id, ruleset, what, seat, sent, round, standing, n) \
         select $1, $2, * from unnest($3::text[], $4::text[], $5::text[], $6::int[], $7::smallint[], $8::bigint[]) \
         on conflict (log_id, ruleset, what, seat, sent, round, standing) do update set n = move_counts.n + excluded.n",
        LOG.0,
        ruleset,
        &what,
        &seat,
        &sent,
        &round,
        &standing,
        &n
    )
    .execute(&mut **rows)
    .await?;
    // The habits of a match are its own, and are written anew.
    sqlx::query!("delete from match_moves where log_id = $1 and match_id = $2", LOG.0, match_id.0)
        .execute(&mut **rows)
        .await?;
    if sign > 0 {
        sqlx::query!(
            "insert into match_moves (log_id, match_id, seat, what, sent, n) \
             select $1, $2, seat, what, sent, sum(n)::int from unnest($3::text[], $4::text[], $5::text[], $6::bigint[]) \
             as sent_moves (seat, what, sent, n) group by seat, what, sent",
            LOG.0,
            match_id.0,
            &seat,
            &what,
            &sent,
            &n
        )
        .execute(&mut **rows)
        .await?;
    }
    let pairs = counted.pairs.iter();
    let situations: Vec<Vec<u8>> = pairs.clone().map(|(key, _)| key.situation.0.to_vec()).collect();
    let texts = |of: fn(&super::counted::PairKey) -> &String| pairs.clone().map(|(key, _)| of(key).clone()).collect();
    let (what, p1): (Vec<String>, Vec<String>) = (texts(|key| &key.what), texts(|key| &key.p1));
    let p2: Vec<String> = texts(|key| &key.p2);
    let sums = |of: fn(&PairSum) -> i64| -> Vec<i64> { pairs.clone().map(|(_, sum)| of(sum) * sign).collect() };
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
        &what,
        &p1,
        &p2,
        &sums(|sum| sum.n),
        &sums(|sum| sum.won.p1),
        &sums(|sum| sum.won.p2),
        &sums(|sum| sum.gain.p1),
        &sums(|sum| sum.gain.p2),
    )
    .execute(&mut **rows)
    .await?;
    Ok(())
}

/// How matches of a ruleset ended.
pub(super) async fn endings(book: &Book, ruleset: &str) -> Result<Vec<EndingCount>, BookError> {
    let endings = sqlx::query_as!(
        EndingCount,
        "select result, dmo, reason, rounds, n from ending_counts where log_id = $1 and ruleset = $2 and n > 0",
        LOG.0,
        ruleset
    );
    Ok(endings.fetch_all(book.pool()).await?)
}

/// How often each kind of move was sent.
pub(super) async fn moves(book: &Book, ruleset: &str) -> Result<Vec<MoveCount>, BookError> {
    let moves = sqlx::query_as!(
        MoveCount,
        "select what, sent, seat, greatest(round - 1, 0) / 5 as \"fives!\", standing, sum(n)::bigint as \"n!\" \
         from move_counts where log_id = $1 and ruleset = $2 and n > 0 group by 1, 2, 3, 4, 5",
        LOG.0,
        ruleset
    );
    Ok(moves.fetch_all(book.pool()).await?)
}

/// What was played in a situation, the most frequent first.
pub(super) async fn pairs(
    book: &Book,
    ruleset: &str,
    situation: Situation,
    what: Option<&str>,
    most: i64,
) -> Result<Vec<PairCount>, BookError> {
    let pairs = sqlx::query!(
        "select what, p1, p2, n, won_p1, won_p2, gain_p1, gain_p2 from pair_counts where log_id = $1 and ruleset = $2 \
             and situation = $3 and ($4::text is null or what = $4) and n > 0 order by n desc, what, p1, p2 limit $5",
        LOG.0,
        ruleset,
        situation.0.as_slice(),
        what,
        most
    );
    let pairs = pairs.fetch_all(book.pool()).await?.into_iter().map(|row| PairCount {
        what: row.what,
        p1: row.p1,
        p2: row.p2,
        sum: PairSum {
            n: row.n,
            won: BySeat { p1: row.won_p1, p2: row.won_p2 },
            gain: BySeat { p1: row.gain_p1, p2: row.gain_p2 },
        },
    });
    Ok(pairs.collect())
}
