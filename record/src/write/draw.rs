//! Draws: made with the key that is due, or made elsewhere and then typed in.

use engine::{Ask, Party, To};
use ledger::{DecisionId, Draft, Field, Seed};

use super::{NewEntries, Pace, WriteContext, WriteError, check_replayed, place, shown, still_open};
use crate::body::{Body, DrawSource, Drawn, DrawnKey, DrawnSeal, KeyBatch, purpose};
use crate::digest::state_digest;
use crate::history::History;
use crate::private_openings::Secrets;
use crate::seed::{FixedSeedRecord, Numbers};

struct Source {
    source: DrawSource,
    key: Option<DrawnKey>,
    before: Vec<Draft>,
}

/// Enters a draw from elsewhere: its line, commitments for its hidden parts, and the next questions.
///
/// # Errors
/// No draw is due, the host draws it itself, or the rules refuse the draw.
pub fn draw(
    context: &mut WriteContext<'_>,
    history: &History,
    text: &str,
    secrets: &Secrets,
) -> Result<NewEntries, WriteError> {
    check_replayed(history)?;
    let ask = history.duel().asks().into_iter().find(|ask| ask.to == To::Host);
    let ask = ask.filter(|_| !history.is_ended()).ok_or(WriteError::NotNow("the host draws nothing now"))?;
    if history.draw_index(&ask.what, 0).is_some() {
        return Err(WriteError::NotNow("in this match Matchbook draws, and nothing is typed in"));
    }
    let source = Source { source: DrawSource::Umpire, key: None, before: Vec::new() };
    enter(context, history, &ask, text, secrets, source)
}

/// Makes the due draw with its key. A draw that was struck gives the same cards again.
///
/// # Errors
/// No draw is due, or the shares for its key are not here.
pub fn draw_by_key(
    context: &mut WriteContext<'_>,
    history: &History,
    secrets: &Secrets,
) -> Result<NewEntries, WriteError> {
    check_replayed(history)?;
    let due = history.due_draw().ok_or(WriteError::NotNow("the host draws nothing now"))?;
    let unmade = WriteError::NotNow("the players are asked for their shares first");
    let record = history.seed_of(due.index).and_then(|at| history.seeds.get(at));
    let (record, fixed) = record.and_then(|record| Some((record, record.fixed.as_ref()?))).ok_or(unmade)?;
    let missing = WriteError::Missing("the host's own share is not here");
    let seed = history.seed(record, secrets).ok_or(missing)?;
    let batch = due.index.batch();
    let before = key_batches(context, fixed, &seed, batch);
    let key = seed.key(due.index);
    let waits = WriteError::NotNow("this draw waits for a round of the beacon, which is named first");
    let drawing = history.drawing_key(due.index, &key).ok_or(waits)?;
    let text = history.duel().draw(&mut Numbers(drawing.stream()));
    let text = text.ok_or(WriteError::NotNow("the rules leave nothing to draw"))?;
    let path = seed.tree(batch).prove(due.index);
    let key = DrawnKey { index: due.index.0, key: Some(key.to_hex()), path };
    enter(context, history, &due.ask, &text, secrets, Source { source: DrawSource::Host, key: Some(key), before })
}

pub(super) fn key_batches(context: &WriteContext<'_>, fixed: &FixedSeedRecord, seed: &Seed, batch: u32) -> Vec<Draft> {
    let missing = u32::try_from(fixed.roots.len()).unwrap_or(u32::MAX)..=batch;
    let keys = missing.map(|ordinal| {
        let keys = KeyBatch { purpose: purpose::KEYS.to_owned(), ordinal, root: seed.tree(ordinal).root() };
        context.host_draft(&Body::KeyBatch(keys))
    });
    keys.collect()
}

fn enter(
    context: &mut WriteContext<'_>,
    history: &History,
    ask: &Ask,
    text: &str,
    secrets: &Secrets,
    source: Source,
) -> Result<NewEntries, WriteError> {
    let before = history.duel();
    let drawn = before.read(Party::Host, &ask.what, text)?;
    let values = before.split(Party::Host, &ask.what, text)?;
    let mut duel = before.clone();
    let played = duel.play(&format!("host: {}", drawn.text), None)?;
    let mut written = NewEntries { drafts: source.before, ..NewEntries::default() };
    let unsealable = WriteError::NotNow("this draw cannot be sealed");
    let here = place(history, written.drafts.len());
    let decision: DecisionId = format!("drawn-{here}").parse().map_err(|_| unsealable)?;
    let mut seals = Vec::new();
    for (name, value) in values {
        if !played.keeps.iter().any(|(party, kept)| *party == Party::Host && *kept == name) {
            continue;
        }
        let field: Field = name.parse().map_err(|_| WriteError::NotNow("this draw cannot be sealed"))?;
        let commitment = context.unasked(&mut written, &decision, Party::Host, &field, value)?;
        seals.push(DrawnSeal { field, commitment });
    }
    // The key of a draw with a hidden part would reveal it.
    let key = source.key.map(|key| match seals.as_slice() {
        [] => key,
        _ => DrawnKey { key: None, path: ledger::KeyPath::default(), ..key },
    });
    let body = Drawn {
        purpose: ask.what.to_string(),
        ordinal: history.draws_for(&ask.what),
        source: source.source,
        key,
        step: history.next_step(),
        dmn: played.public,
        seals,
        openings: shown(history, &played.shows, secrets)?,
        digest: state_digest(&duel),
    };
    let body = Body::Drawn(body);
    written.drafts.push(match source.source {
        DrawSource::Umpire => context.draft(&body),
        DrawSource::Host => context.host_draft(&body),
    });
    let still = still_open(history, (&ask.what, To::Host), &duel);
    if still.is_empty() {
        context.enter_keys(&mut written, history)?;
    }
    written.drafts.extend(context.asks(Pace::of(history), &duel, Some(history), &still));
    Ok(written)
}
