//! The questions: what a player really answered, among other moves that the rules allowed.

use app::views::{LineReading, LineState, VisibleMatch, move_text};
use engine::{Ask, Duel, Party, Seat, SplitMix64, To};
use record::words::row_words;
use record::{History, StepRecord};

/// The most answers to choose from.
const CHOICES: usize = 4;
const TRIES: u64 = 24;

#[derive(Clone, Debug)]
pub(super) struct Question<'h> {
    pub(super) step: &'h StepRecord,
    pub(super) before: &'h Duel,
    pub(super) row: String,
    pub(super) choices: Vec<String>,
    pub(super) right: usize,
}

impl<'h> Question<'h> {
    pub(super) fn all(visible: &VisibleMatch<'h>, seat: Seat) -> Vec<Self> {
        let history = visible.history;
        let mut questions = Vec::new();
        for row in history.rows() {
            for &step in &row.steps {
                let Some(before) = history.before(step.number) else { continue };
                let Some((choices, right)) = choices(visible, step, before, seat) else { continue };
                questions.push(Question { step, before, row: row_words(&row.label), choices, right });
            }
        }
        questions
    }
}

fn choices(visible: &VisibleMatch<'_>, step: &StepRecord, before: &Duel, seat: Seat) -> Option<(Vec<String>, usize)> {
    let history = visible.history;
    let real = move_text(visible, step, Some(before), Party::Seat(seat)).filter(|text| text.placeholder.is_none())?;
    let ask =
        before.asks().into_iter().find(|ask| is_for(ask, seat) && reads(history, before, seat, ask, &real.line))?;
    let real = LineReading::read(history, before, seat, &ask.what, &real.line).words;
    let mut choices = vec![real.clone()];
    // The same for everybody who opens this match.
    let seed = (history.match_id.0.as_u128() as u64) ^ u64::from(step.number).rotate_left(32);
    for number in 0..TRIES {
        let mut numbers = SplitMix64(seed.wrapping_add(number));
        let Some(other) = before.sample(seat, &ask.what, &mut numbers) else { continue };
        let other = LineReading::read(history, before, seat, &ask.what, &other);
        if other.state == LineState::Valid && !choices.contains(&other.words) && choices.len() < CHOICES {
            choices.push(other.words);
        }
    }
    // In the order of their words nothing tells which one is real.
    choices.sort();
    let right = choices.iter().position(|choice| *choice == real)?;
    (choices.len() > 1).then_some((choices, right))
}

fn is_for(ask: &Ask, seat: Seat) -> bool {
    !ask.optional && (ask.to == To::Both || ask.to == To::One(seat))
}

fn reads(history: &History, duel: &Duel, seat: Seat, ask: &Ask, line: &str) -> bool {
    LineReading::read(history, duel, seat, &ask.what, line).state == LineState::Valid
}
