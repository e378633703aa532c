//! What the host draws. It is drawn elsewhere, and typed in.

use engine::{Party, To};
use ledger::{DecisionId, Field};

use super::{Desk, Pace, WriteError, Written, place, shown, still_open};
use crate::body::{Body, DrawSource, Drawn, DrawnSeal};
use crate::digest::state_digest;
use crate::history::History;
use crate::secret::Secrets;

/// Enters a draw: its line, commitments for what stays hidden of it, and what is asked next.
///
/// # Errors
/// Nothing is to be drawn now, or the rules refuse the draw.
pub fn draw(desk: &mut Desk<'_>, history: &History, text: &str, secrets: &Secrets) -> Result<Written, WriteError> {
    let before = history.duel();
    let ask = before.asks().into_iter().find(|ask| ask.to == To::Host);
    let ask = ask.filter(|_| !history.is_ended()).ok_or(WriteError::NotNow("the host draws nothing now"))?;
    let drawn = before.read(Party::Host, ask.what, text)?;
    let values = before.split(Party::Host, ask.what, text)?;
    let mut duel = before.clone();
    let played = duel.play(&format!("host: {}", drawn.text), None)?;
    let mut written = Written::default();
    let unsealable = WriteError::NotNow("this draw cannot be sealed");
    let decision: DecisionId = format!("drawn-{}", place(history, 0).0).parse().map_err(|_| unsealable)?;
    let mut seals = Vec::new();
    for (name, value) in values {
        if !played.keeps.contains(&(Party::Host, name)) {
            continue;
        }
        let field: Field = name.parse().map_err(|_| WriteError::NotNow("this draw cannot be sealed"))?;
        let commitment = desk.unasked(&mut written, &decision, Party::Host, &field, value)?;
        seals.push(DrawnSeal { field, commitment });
    }
    let body = Drawn {
        purpose: ask.what.to_owned(),
        ordinal: history.draws_for(ask.what),
        source: DrawSource::Umpire,
        step: history.next_step(),
        dmn: played.public,
        seals,
        openings: shown(history, &played.shows, secrets)?,
        digest: state_digest(&duel),
    };
    written.drafts.push(desk.draft(&Body::Drawn(body)));
    let still = still_open(history, (ask.what, To::Host), &duel);
    written.drafts.extend(desk.asks(Pace::of(&history.opened), &duel, history.decisions, &still));
    Ok(written)
}
