//! Updating the statistics: matches are added when they end, and removed and added again when they change.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use engine::Seat;
use ledger::MatchId;
use store::statistics::counting::{self, Changes, CountState, Counting, KeyedMatch, SeatMoves};
use tokio::task::{JoinError, JoinSet};
use uuid::Uuid;

use super::match_counts::MatchCounts;
use crate::{App, AppError, LOG};

/// The matches counted in one transaction: their sums update the same rows many times.
const AT_ONCE: usize = 100;
/// The same while everything is counted again. Nobody waits for one of them then, and fewer sums are written.
const AT_ONCE_AGAIN: usize = 1_000;
const FOLDED: usize = 4;

struct MatchChange {
    state: CountState,
    before: Option<MatchCounts>,
    now: Option<MatchCounts>,
}

/// Adds the matches that ended since the last call. If a match was taken up again, its previous contribution is
/// removed, and added again once it has ended again. Returns the number of matches examined.
pub async fn count_some(app: &Arc<App>) -> Result<usize, AppError> {
    let adding = fold_some(app, AT_ONCE, &HashSet::new()).await?;
    if adding.is_empty() { Ok(0) } else { write(app, adding).await }
}

pub async fn recount(app: &Arc<App>) -> Result<usize, AppError> {
    counting::delete_all(app.pool(), LOG).await?;
    let (mut counted, mut adding) = (0, fold_some(app, AT_ONCE_AGAIN, &HashSet::new()).await?);
    while !adding.is_empty() {
        let under_way: HashSet<Uuid> = ids(&adding).into_iter().collect();
        let (written, next) = tokio::try_join!(write(app, adding), fold_some(app, AT_ONCE_AGAIN, &under_way))?;
        counted += written;
        // What changed while it was written is still to be counted.
        adding =
            if next.is_empty() && written > 0 { fold_some(app, AT_ONCE_AGAIN, &HashSet::new()).await? } else { next };
    }
    Ok(counted)
}

async fn fold_some(app: &Arc<App>, many: usize, under_way: &HashSet<Uuid>) -> Result<Vec<MatchChange>, AppError> {
    let limit = i64::try_from(many + under_way.len()).unwrap_or(i64::MAX);
    let mut uncounted = counting::out_of_date(app.pool(), LOG, limit).await?;
    uncounted.retain(|state| !under_way.contains(&state.match_id));
    let (mut folding, mut adding) = (JoinSet::new(), Vec::with_capacity(uncounted.len()));
    for state in uncounted {
        if folding.len() >= FOLDED {
            adding.extend(folded(folding.join_next().await)?);
        }
        folding.spawn(added(app.clone(), state));
    }
    while let Some(last) = folding.join_next().await {
        adding.extend(folded(Some(last))?);
    }
    Ok(adding)
}

async fn added(app: Arc<App>, state: CountState) -> Result<MatchChange, AppError> {
    // A running match contributes nothing, and is examined again when it has ended.
    let now = if state.running { None } else { counted(&app, &state, Some(state.head)).await? };
    let before = counted(&app, &state, state.counted_head).await?;
    Ok(MatchChange { before, now, state })
}

fn folded(joined: Option<Result<Result<MatchChange, AppError>, JoinError>>) -> Result<Option<MatchChange>, AppError> {
    match joined {
        Some(Ok(added)) => added.map(Some),
        // A task that panicked adds nothing; the log of the program has its details.
        Some(Err(_)) | None => Ok(None),
    }
}

async fn counted(app: &App, state: &CountState, head: Option<i32>) -> Result<Option<MatchCounts>, AppError> {
    let Some(head) = head.and_then(|head| u32::try_from(head).ok()) else { return Ok(None) };
    match app.matches.history_up_to(MatchId(state.match_id), head).await {
        Ok(history) => Ok(Some(MatchCounts::of(&history))),
        Err(error @ AppError::Store(_)) => Err(error),
        Err(_) => Ok(None),
    }
}

/// Writes the contributions, and returns their number. A match that changed while it was folded is left for the next
/// time.
async fn write(app: &App, mut adding: Vec<MatchChange>) -> Result<usize, AppError> {
    let (mut counting, held) = Counting::begin(app.pool(), LOG, &ids(&adding)).await?;
    let held: HashMap<Uuid, CountState> = held.into_iter().map(|state| (state.match_id, state)).collect();
    adding.retain(|adds| held.get(&adds.state.match_id) == Some(&adds.state));

    let mut changes: BTreeMap<String, Changes> = BTreeMap::new();
    for adds in &adding {
        let change = changes.entry(adds.state.ruleset.clone()).or_default();
        for (counted, sign) in [(&adds.before, -1), (&adds.now, 1)] {
            if let Some(counted) = counted {
                add(change, counted, sign);
            }
        }
    }
    for (ruleset, change) in &changes {
        counting.change(ruleset, change).await?;
    }
    let ids = ids(&adding);
    counting.replace_seat_moves(&seat_moves(&adding)).await?;
    counting.replace_keys(&ids, &keys(&adding)).await?;
    counting.commit(&ids).await?;
    Ok(adding.len())
}

fn ids(adding: &[MatchChange]) -> Vec<Uuid> {
    adding.iter().map(|adds| adds.state.match_id).collect()
}

fn seat_moves(adding: &[MatchChange]) -> Vec<SeatMoves> {
    let moves = adding.iter().flat_map(|adds| {
        Seat::BOTH.map(|seat| SeatMoves {
            match_id: adds.state.match_id,
            seat: seat.word().to_owned(),
            moves: adds.now.as_ref().map(|counted| counted.answers[seat].clone()).unwrap_or_default(),
        })
    });
    moves.collect()
}

fn keys(adding: &[MatchChange]) -> Vec<KeyedMatch> {
    let keys = adding.iter().flat_map(|adds| {
        adds.now.iter().flat_map(|counted| &counted.matches).map(|(counted_for, place)| KeyedMatch {
            match_id: adds.state.match_id,
            counted: counted_for.0,
            label: place.label.clone(),
            n: place.steps,
        })
    });
    keys.collect()
}

fn add(changes: &mut Changes, counted: &MatchCounts, sign: i64) {
    if let Some(ended) = &counted.ended {
        *changes.endings.entry(ended.clone()).or_default() += sign;
    }
    for (key, n) in &counted.moves {
        *changes.moves.entry(key.clone()).or_default() += n * sign;
    }
    for (key, n) in &counted.fates {
        *changes.fates.entry(key.clone()).or_default() += n * sign;
    }
    for (key, added) in &counted.pairs {
        changes.pairs.entry(key.clone()).or_default().add(added, sign);
    }
}
