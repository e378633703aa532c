//! The last rounds as this seat may know them: both seats' moves, and what the newest round did. They are made from the
//! recorded steps as this seat sees them, and never from submissions that wait for their close.

use app::views::VisibleMatch;
use askama::Template;
use engine::{Effect, Fate};
use record::SheetRow;
use record::words::{capital, row_words, sent_words};

use page::{ActionCard, CardText, EffectList, PartyMove, Played, SeatName, WaitCost, party_moves};

const BEFORE: usize = 6;
/// Longer words have a short form on a phone, where the last round has a line or two.
const SHORT_CHARS: usize = 16;
/// A longer line is a table of cards: all twelve cards of a division have room.
const LINE_MAX: usize = 80;
/// A longer sentence is read beside the table.
const HEADLINE_CHARS: usize = 72;

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
    short: Option<CardText>,
    cards: Vec<ActionCard>,
}

impl SeatMove {
    fn of(shown: &VisibleMatch<'_>, party_move: PartyMove) -> Option<Self> {
        let (cards, words) = (ActionCard::all(&party_move.text.actions), party_move.words().to_owned());
        let short = party_move.text.placeholder.is_none() && words.chars().count() > SHORT_CHARS;
        let short = short.then(|| CardText::of_notation(shown, &short_line(shown, &party_move.text.line)));
        Some(Self { name: party_move.seat?, cards, words, short })
    }
}

fn short_line(shown: &VisibleMatch<'_>, line: &str) -> String {
    let kind = line.split(' ').next().unwrap_or_default();
    if line.len() <= LINE_MAX { capital(line) } else { sent_words(Some(shown.history.ruleset()), kind) }
}

/// The cards of the newest row, for the table, and what came of it in one sentence.
pub(super) fn played(shown: &VisibleMatch<'_>) -> Option<(String, Vec<Played>, Option<String>)> {
    let history = shown.history;
    let row = history.rows().into_iter().next_back()?;
    let done = row.steps.iter().flat_map(|step| party_moves(shown, step, history.before(step.number)));
    let cards: Vec<Played> = done.filter_map(|done| Played::of(history.ruleset(), &done)).collect();
    let effects: Vec<_> = row.steps.iter().flat_map(|step| &step.effects).collect();
    // After hands are shown it is who takes the pot; else what was done last.
    let shows = effects.iter().rposition(|effect| effect.hand.is_some());
    let taken = shows.and_then(|at| effects.get(at + 1));
    let did = |effect: &&&Effect| effect.fate == Fate::Resolved && !effect.subject.is_empty();
    let headline = taken.or_else(|| effects.iter().rfind(did));
    let headline = headline.map(|effect| shown.name_in(effect.text.trim_end_matches('.')));
    Some((row_words(&row.label), cards, headline.filter(|words| words.chars().count() <= HEADLINE_CHARS)))
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
    done.filter_map(|party_move| SeatMove::of(shown, party_move)).collect()
}
