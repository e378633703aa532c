//! Ending a match: its result, and everything that was still secret.

use super::{Desk, WriteError, Written};
use crate::body::{Body, Ended, Opening, Unsealed};
use crate::history::History;
use crate::secret::Secrets;

/// About half of what an entry can hold.
const OPENINGS_MAX_BYTES: usize = 32_000;

/// Enters the result, and opens every seal that is still closed.
///
/// # Errors
/// The match still runs, or is ended already.
pub fn end(desk: &Desk<'_>, history: &History, secrets: &Secrets) -> Result<Written, WriteError> {
    if history.is_ended() {
        return Err(WriteError::NotNow("the match is ended already"));
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
            written.drafts.push(desk.draft(&Body::Unsealed(Unsealed { openings })));
        }
    }
    if !openings.is_empty() {
        written.drafts.push(desk.draft(&Body::Unsealed(Unsealed { openings })));
    }
    Ok(written)
}
