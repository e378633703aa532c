//! What the newest row brought, as it lies on the table: the cards of each seat, and what came of them in one sentence.

use app::views::VisibleMatch;
use engine::{Effect, Fate};
use record::words::row_words;

use super::{Played, StageTable, party_moves};

/// A longer sentence is read beside the table.
const HEADLINE_CHARS: usize = 72;

impl StageTable {
    /// With what the newest row brought. Hands that were shown always have their sentence.
    #[must_use]
    pub fn with_last_row(self, visible: &VisibleMatch<'_>, is_told: bool) -> Self {
        let history = visible.history;
        let Some(row) = history.rows().into_iter().next_back() else { return self };
        let done = row.steps.iter().flat_map(|step| party_moves(visible, step, history.before(step.number)));
        let cards: Vec<Played> = done.filter_map(|done| Played::of(history.ruleset(), &done)).collect();
        let effects: Vec<&Effect> = row.steps.iter().flat_map(|step| &step.effects).collect();
        // After hands are shown it is who takes the pot; else what was done last.
        let shows = effects.iter().rposition(|effect| effect.hand.is_some());
        let taken = shows.and_then(|at| effects.get(at + 1));
        let did = |effect: &&&Effect| effect.fate == Fate::Resolved && !effect.subject.is_empty();
        let headline = taken.or_else(|| effects.iter().rfind(did)).filter(|_| shows.is_some() || is_told);
        let headline = headline.map(|effect| visible.name_in(effect.text.trim_end_matches('.')));
        let headline = headline.filter(|words| words.chars().count() <= HEADLINE_CHARS);
        self.after(row_words(&row.label), &cards, headline).with_hands(effects)
    }
}
