//! What a state asks: of whom, by which clock, what counts when nothing comes, and what would not count.

use askama::Template;
use engine::{Ask, Duel, Form, Seat, To};

use super::{RuleLink, SeatName, Shown};

/// The questions of a state.
#[derive(Clone, Debug, Template)]
#[template(path = "page/asked.html")]
pub struct Asked {
    /// One by one.
    pub questions: Vec<Question>,
}

/// One question.
#[derive(Clone, Debug)]
pub struct Question {
    /// The question itself, as a sentence.
    pub prompt: String,
    /// Who answers, in words.
    pub to: String,
    /// The clock; 0 where nobody waits by one.
    pub seconds: u32,
    /// What counts when nothing comes; empty where nothing does.
    pub default: &'static str,
    /// Whether the game goes on without an answer.
    pub optional: bool,
    /// What would not count, for each seat that is asked.
    pub barred: Vec<Barred>,
}

/// What would not count for a seat.
#[derive(Clone, Debug)]
pub struct Barred {
    /// Whose.
    pub name: SeatName,
    /// Why, choice by choice.
    pub reasons: Vec<(String, Option<RuleLink>)>,
}

impl Asked {
    /// The questions that a state puts.
    #[must_use]
    pub fn of(shown: &Shown<'_>, duel: &Duel) -> Self {
        Self { questions: duel.asks().iter().map(|ask| question(shown, duel, ask)).collect() }
    }
}

fn question(shown: &Shown<'_>, duel: &Duel, ask: &Ask) -> Question {
    let (to, seats) = match ask.to {
        To::Both => ("both seats at once".to_owned(), Seat::BOTH.to_vec()),
        To::One(seat) => (shown.names()[seat].to_owned(), vec![seat]),
        To::Host => ("the host".to_owned(), Vec::new()),
    };
    let names = SeatName::of(shown.history);
    let barred = seats
        .into_iter()
        .map(|seat| Barred { name: names[seat].clone(), reasons: reasons(shown, duel.form(seat, ask.what)) });
    Question {
        prompt: ended(shown.name_in(&ask.prompt)),
        to,
        seconds: ask.clock_seconds,
        default: ask.default,
        optional: ask.optional,
        barred: barred.filter(|barred| !barred.reasons.is_empty()).collect(),
    }
}

/// With a full stop, where nothing else ends it.
fn ended(mut prompt: String) -> String {
    if !prompt.ends_with(['.', '?', '!']) {
        prompt.push('.');
    }
    prompt
}

fn reasons(shown: &Shown<'_>, form: Option<Form>) -> Vec<(String, Option<RuleLink>)> {
    let Some(Form::Words { choices, .. }) = form else { return Vec::new() };
    let barred = choices.into_iter().filter_map(|choice| choice.barred);
    let ruleset = &shown.history.opened.ruleset;
    let reason = barred
        .map(|refusal| (shown.name_in(&refusal.expected), refusal.rule.map(|rule| RuleLink::known(ruleset, rule))));
    reason.collect()
}
