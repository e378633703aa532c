//! The end of a match: its result, and everything that was still secret.

use ledger::Draft;

use super::{Desk, WriteError, Written};
use crate::body::{Body, Ended, OpenedKey, Opening, Replaced, Unsealed};
use crate::history::History;
use crate::secret::Secrets;

/// About half of the limit of an entry.
const OPENINGS_MAX_BYTES: usize = 32_000;

/// A key and its path take about 700 bytes.
const KEYS_IN_AN_ENTRY: usize = 45;

/// The keys of the hidden draws, with which everybody can repeat them.
fn hidden_keys(history: &History, secrets: &Secrets) -> Vec<OpenedKey> {
    let closed = history.draws.iter().filter(|draw| draw.hidden && draw.key.is_none());
    let keys = closed.filter_map(|draw| {
        let seed = history.seed(history.seeds.get(draw.seed)?, secrets)?;
        let (key, path) = (seed.key(draw.index).to_hex(), seed.tree(draw.index.batch()).prove(draw.index));
        Some(OpenedKey { entry: draw.entry.0, key, path })
    });
    keys.collect()
}

/// Enters the result, opens every seal and key that is still closed, and shows the submissions that did not count.
///
/// # Errors
/// The match still runs, or has been ended already.
pub fn end(
    desk: &Desk<'_>,
    history: &History,
    secrets: &Secrets,
    replaced: Vec<Replaced>,
) -> Result<Written, WriteError> {
    if history.is_ended() {
        return Err(WriteError::NotNow("the match is ended already"));
    }
    if history.open_objections().next().is_some() {
        return Err(WriteError::NotNow("a player objected to what was recorded, and waits for your ruling"));
    }
    let outcome = history.outcome();
    if !outcome.is_over() {
        return Err(WriteError::NotNow("the match still runs: it ends by the rules, or by a ruling"));
    }
    let steps = u32::try_from(history.steps.len()).unwrap_or(u32::MAX);
    let ended = Ended { result: outcome.tag().to_owned(), reason: outcome.reason().to_owned(), steps };
    let mut written = Written::default();
    written.drafts.push(desk.draft(&Body::Ended(ended)));
    let mut openings: Vec<Opening> = Vec::new();
    let mut bytes = 0;
    for ((entry, field), secret) in secrets.iter().filter(|(place, _)| !history.is_open(place.0, &place.1)) {
        let opening = secret.opening(*entry, field.clone());
        bytes += opening.value.len() + opening.field.as_str().len() + opening.key.len() + 64;
        openings.push(opening);
        if bytes > OPENINGS_MAX_BYTES {
            bytes = 0;
            let openings = core::mem::take(&mut openings);
            written.drafts.push(desk.draft(&Body::Unsealed(Unsealed { openings, ..Unsealed::default() })));
        }
    }
    if !openings.is_empty() {
        written.drafts.push(desk.draft(&Body::Unsealed(Unsealed { openings, ..Unsealed::default() })));
    }
    let shown = |one: &Replaced| {
        history
            .replaced
            .iter()
            .any(|(_, other)| (&other.decision, other.seat, other.ordinal) == (&one.decision, one.seat, one.ordinal))
    };
    // Each came before it is shown, even if the clock was set back since.
    let came = |batch: &[Replaced]| batch.iter().map(|one| one.came).max().unwrap_or(desk.at).max(desk.at);
    let (mut batch, mut bytes): (Vec<Replaced>, usize) = (Vec::new(), 0);
    for one in replaced.into_iter().filter(|one| !shown(one)) {
        let values: usize = one.openings.iter().map(|opening| opening.value.len() + 160).sum();
        bytes += 300 + one.commitments.len() * 67 + values;
        batch.push(one);
        if bytes > OPENINGS_MAX_BYTES {
            bytes = 0;
            let (at, replaced) = (came(&batch), core::mem::take(&mut batch));
            let unsealed = Body::Unsealed(Unsealed { replaced, ..Unsealed::default() });
            written.drafts.push(Draft { at, ..desk.draft(&unsealed) });
        }
    }
    if !batch.is_empty() {
        let at = came(&batch);
        let unsealed = Body::Unsealed(Unsealed { replaced: batch, ..Unsealed::default() });
        written.drafts.push(Draft { at, ..desk.draft(&unsealed) });
    }
    for keys in hidden_keys(history, secrets).chunks(KEYS_IN_AN_ENTRY) {
        let unsealed = Unsealed { keys: keys.to_vec(), ..Unsealed::default() };
        written.drafts.push(desk.draft(&Body::Unsealed(unsealed)));
    }
    Ok(written)
}
