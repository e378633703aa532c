//! The last rounds as this seat may know them: both seats' moves, and what the newest round did. They are made from the
//! recorded steps as this seat sees them, and never from submissions that wait for their close.

use app::views::VisibleMatch;
use askama::Template;
use record::SheetRow;
use record::words::row_words;

use page::{ActionCard, EffectList, PartyMove, SeatName, WaitCost, party_moves};

const BEFORE: usize = 6;

#[derive(Debug, Template)]
#[template(path = "play/last_round.html")]
pub(super) struct LastRound {
    title: String,
    moves: Vec<SeatMove>,
    effects: EffectList,
    waited: Option<String>,
    before: Vec<EarlierRound>,
}

#[derive(Debug)]
struct EarlierRound {
    title: String,
    moves: Vec<SeatMove>,
}

impl EarlierRound {
    fn failures(&self) -> Vec<&str> {
        self.moves.iter().flat_map(|seat_move| &seat_move.cards).filter_map(ActionCard::failure).collect()
    }
}

#[derive(Debug)]
struct SeatMove {
    name: SeatName,
    words: String,
    cards: Vec<ActionCard>,
}

impl SeatMove {
    fn of(party_move: PartyMove) -> Option<Self> {
        let (cards, words) = (ActionCard::all(&party_move.text.actions), party_move.words().to_owned());
        Some(Self { name: party_move.seat?, cards, words })
    }
}

impl LastRound {
    pub(super) fn of(shown: &VisibleMatch<'_>) -> Option<Self> {
        let history = shown.history;
        let rows = history.rows();
        let (row, earlier) = rows.split_last()?;
        let moves = moves(shown, row);
        let effects = EffectList::of(shown, row.steps.iter().copied());
        let waited = WaitCost::of_steps(history, &row.steps);
        let before = earlier.iter().rev().take(BEFORE);
        let before = before.map(|row| EarlierRound { title: row_words(&row.label), moves: self::moves(shown, row) });
        let before = before.filter(|round| !round.moves.is_empty()).collect();
        let told = !moves.is_empty() || !effects.sentences.is_empty();
        told.then(|| Self { title: row_words(&row.label), moves, effects, waited, before })
    }
}

/// Sentences in the place of moves.
const TOLD: usize = 2;

impl LastRound {
    fn told(&self) -> &[page::Sentence] {
        let sentences = &self.effects.sentences;
        let from = if self.moves.is_empty() { sentences.len().saturating_sub(TOLD) } else { sentences.len() };
        sentences.get(from..).unwrap_or_default()
    }
}

fn moves(shown: &VisibleMatch<'_>, row: &SheetRow<'_>) -> Vec<SeatMove> {
    let done = row.steps.iter().flat_map(|step| party_moves(shown, step, shown.history.before(step.number)));
    done.filter_map(SeatMove::of).collect()
}
