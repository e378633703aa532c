//! The end of a match: its result, and everything that was still secret.

use ledger::{Draft, Moment};

use super::{NewEntries, WriteContext, WriteError};
use crate::body::{Body, Ended, OpenedKey, Opening, ReplacedSubmission, SeatWord, Unsealed};
use crate::history::History;
use crate::private_openings::Secrets;
use crate::seal::SignedSubmission;

/// About half of the limit of an entry.
const OPENINGS_MAX_BYTES: usize = 32_000;

/// A key and its path take about 700 bytes.
const KEYS_IN_AN_ENTRY: usize = 45;

fn hidden_keys(history: &History, secrets: &Secrets) -> Vec<OpenedKey> {
    let closed = history.draws.iter().filter(|draw| draw.hidden && draw.key.is_none());
    let keys = closed.filter_map(|draw| {
        let seed = history.seed(history.seeds.get(draw.seed)?, secrets)?;
        let (key, path) = (seed.key(draw.index).to_hex(), seed.tree(draw.index.batch()).prove(draw.index));
        Some(OpenedKey { entry: draw.entry.0, key, path })
    });
    keys.collect()
}

fn batches<T>(list: impl Iterator<Item = T>, bytes_of: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let (mut batches, mut bytes) = (Vec::new(), usize::MAX);
    for one in list {
        if bytes > OPENINGS_MAX_BYTES {
            batches.push(Vec::new());
            bytes = 0;
        }
        bytes += bytes_of(&one);
        if let Some(batch) = batches.last_mut() {
            batch.push(one);
        }
    }
    batches
}

fn replaced_bytes(one: &ReplacedSubmission) -> usize {
    let values: usize = one.openings.iter().map(|opening| opening.value.len() + 160).sum();
    300 + one.commitments.len() * 67 + values
}

/// Enters the result, opens every seal and key that is still closed, and shows the submissions that did not count.
///
/// # Errors
/// The match still runs, or has been ended already.
pub fn end(
    context: &mut WriteContext<'_>,
    history: &History,
    secrets: &Secrets,
    replaced: Vec<ReplacedSubmission>,
) -> Result<NewEntries, WriteError> {
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
    let mut written = NewEntries::default();
    let keys = context.enter_keys(&mut written, history)?;
    written.drafts.push(context.draft(&Body::Ended(ended)));
    let closed: Vec<_> = secrets.iter().filter(|((entry, field), _)| !history.is_open(*entry, field)).collect();
    let texts =
        closed.iter().filter_map(|((entry, field), secret)| Some((history.text_seal(*entry, field)?, secret.text())));
    written.texts.extend(texts);
    let closed = closed.into_iter().filter(|((entry, field), _)| history.text_seal(*entry, field).is_none());
    let openings = closed.map(|((entry, field), secret)| secret.opening(*entry, field.clone()));
    let bytes = |opening: &Opening| opening.value.len() + opening.field.as_str().len() + opening.key.len() + 64;
    for openings in batches(openings, bytes) {
        written.drafts.push(context.draft(&Body::Unsealed(Unsealed { openings, ..Unsealed::default() })));
    }
    let shown = |one: &ReplacedSubmission| {
        let is = |(_, other): &(_, ReplacedSubmission)| {
            (&other.decision, other.seat, other.ordinal) == (&one.decision, one.seat, one.ordinal)
        };
        history.replaced.iter().any(is)
    };
    let replaced = replaced.into_iter().filter(|one| !shown(one)).map(|one| {
        let asked = history.questions.get(&one.decision).map(|question| question.leaf).unwrap_or_default();
        let ReplacedSubmission { seat: SeatWord(seat), decision, commitments, is_final, .. } = &one;
        let (seat, is_final) = (*seat, *is_final);
        // A key that never entered signs nothing.
        let signature = one.signature.filter(|signature| {
            let sent = SignedSubmission { seat, decision, asked, commitments, is_final, signature: *signature };
            sent.is_by(history, keys[seat])
        });
        // A text is no part of an entry.
        let openings = one.openings.iter().filter(|opening| !history.ruleset().is_text(opening.field.as_str()));
        ReplacedSubmission { signature, openings: openings.cloned().collect(), ..one }
    });
    for replaced in batches(replaced, replaced_bytes) {
        // Each came before it is shown, even if the clock was set back since.
        let at = replaced.iter().map(|one| one.came).fold(context.at, Moment::max);
        let unsealed = Body::Unsealed(Unsealed { replaced, ..Unsealed::default() });
        written.drafts.push(Draft { at, ..context.draft(&unsealed) });
    }
    for keys in hidden_keys(history, secrets).chunks(KEYS_IN_AN_ENTRY) {
        let unsealed = Unsealed { keys: keys.to_vec(), ..Unsealed::default() };
        written.drafts.push(context.draft(&Body::Unsealed(unsealed)));
    }
    Ok(written)
}
