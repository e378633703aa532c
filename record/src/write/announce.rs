//! The umpire's word on what became of the answers.

use engine::dmn::quotes::{texts, withhold};

use super::{NewEntries, Pace, WriteContext, WriteError, check_replayed, place, shown};
use crate::body::{Announced, Body};
use crate::digest::state_digest;
use crate::history::History;
use crate::private_openings::Secrets;

/// Enters the umpire's word, without `umpire:`, and asks the next question.
///
/// # Errors
/// It is not the umpire's turn, or the part of it that does not fit.
pub fn announce(
    context: &mut WriteContext<'_>,
    history: &History,
    text: &str,
    secrets: &Secrets,
) -> Result<NewEntries, WriteError> {
    check_replayed(history)?;
    if history.is_ended() {
        return Err(WriteError::NotNow("the match is ended"));
    }
    if history.awaits_first_seed() {
        return Err(WriteError::NotNow("the players are asked for their shares first"));
    }
    let said = history.duel().read_said(text)?;
    let mut duel = history.duel().clone();
    let played = duel.play(&format!("umpire: {said}"), None)?;
    let mut written = NewEntries::default();
    let here = place(history, 0);
    let words = texts(&played.text).enumerate();
    let words = words.map(|(n, text)| context.quote(&mut written, here, &format!("text-{n}"), text));
    let words = words.collect::<Result<_, _>>()?;
    let announced = Announced {
        step: history.next_step(),
        dmn: withhold(&played.public),
        words,
        openings: shown(history, &played.shows, secrets)?,
        digest: state_digest(&duel),
    };
    written.drafts.push(context.draft(&Body::Announced(announced)));
    // While shares are gathered anew, a key would show that its seat begins to answer.
    if history.open.is_empty() {
        context.enter_keys(&mut written, history)?;
    }
    written.drafts.extend(context.asks(Pace::of(history), &duel, Some(history), &[]));
    Ok(written)
}
