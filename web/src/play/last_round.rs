//! The last round as this seat may know it: the moves and their effects. It is made from the recorded steps as this
//! seat sees them, and never from submissions that wait for their close.

use app::views::{MoveText, VisibleMatch};
use askama::Template;
use record::words::row_words;

use crate::page::{EffectList, SeatName, WaitCost, party_moves};

#[derive(Debug, Template)]
#[template(path = "play/last_round.html")]
pub(super) struct LastRound {
    /// Such as "Round 7".
    title: String,
    /// The move of each seat, in order, in full words.
    said: Vec<(SeatName, String)>,
    effects: EffectList,
    /// The time for which it waited for witnesses.
    waited: Option<String>,
}

impl LastRound {
    /// The last played round; none before the first.
    pub(super) fn of(shown: &VisibleMatch<'_>) -> Option<Self> {
        let history = shown.history;
        let rows = history.rows();
        let row = rows.last()?;
        let done = row.steps.iter().flat_map(|step| party_moves(shown, step, history.before(step.number)));
        let said: Vec<_> = done.filter_map(|party_move| Some((party_move.seat?, words(party_move.text)))).collect();
        let effects = EffectList::of(shown, row.steps.iter().copied());
        let waited = WaitCost::of_steps(history, &row.steps);
        let told = !said.is_empty() || !effects.sentences.is_empty();
        told.then(|| Self { title: row_words(&row.label), said, effects, waited })
    }
}

/// In full words, or in the notation if a part of it is still sealed.
fn words(text: MoveText) -> String {
    text.placeholder.or(text.words).unwrap_or(text.line)
}
