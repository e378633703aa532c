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
    /// The clock in words; empty where nobody waits by one.
    pub clock: String,
    /// What counts when nothing comes; empty where nothing does.
    pub default: String,
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
    /// Why, choice by choice; the same reason once.
    pub reasons: Vec<(String, Option<RuleLink>)>,
}

/// The most choices of which it is told what bars some: where there are more, the list says less than the state does.
const TOLD: usize = 12;

impl Asked {
    /// The questions that a state puts: first those that the match waits for. What both seats are asked in the same
    /// words, each alone, is told once.
    #[must_use]
    pub fn of(shown: &Shown<'_>, duel: &Duel) -> Self {
        Self::told(shown, duel, duel.asks())
    }

    /// The questions that stand now.
    #[must_use]
    pub fn now(shown: &Shown<'_>) -> Self {
        Self::told(shown, shown.history.duel(), shown.history.asks())
    }

    fn told(shown: &Shown<'_>, duel: &Duel, mut asks: Vec<Ask>) -> Self {
        asks.sort_by_key(|ask| ask.optional);
        let mut questions: Vec<Question> = Vec::new();
        for question in asks.iter().map(|ask| question(shown, duel, ask)) {
            match questions.last_mut() {
                Some(last) if last.prompt == question.prompt && last.default == question.default => {
                    last.to = format!("{} and of {}, each alone", last.to, question.to);
                    last.barred.extend(question.barred);
                }
                _ => questions.push(question),
            }
        }
        Self { questions }
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
        clock: clock(ask.clock_seconds),
        default: shown.name_in(ask.default),
        optional: ask.optional,
        barred: barred.filter(|barred| !barred.reasons.is_empty()).collect(),
    }
}

/// How long that is, in the largest unit that says it whole; nothing for 0. Up to 90 seconds stay seconds, as clocks are
/// set.
#[must_use]
pub fn clock(seconds: u32) -> String {
    let (count, unit) = match seconds {
        0 => return String::new(),
        91.. if seconds.is_multiple_of(3600) => (seconds / 3600, "hour"),
        91.. if seconds.is_multiple_of(60) => (seconds / 60, "minute"),
        _ => (seconds, "second"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
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
    if choices.len() > TOLD {
        return Vec::new();
    }
    let ruleset = &shown.history.opened.ruleset;
    let mut reasons: Vec<(Vec<&str>, String, Option<&'static str>)> = Vec::new();
    for choice in &choices {
        let Some(refusal) = &choice.barred else { continue };
        let text = shown.name_in(&refusal.expected);
        match reasons.iter_mut().find(|(_, other, _)| *other == text) {
            Some((labels, ..)) => labels.push(choice.label),
            None => reasons.push((vec![choice.label], text, refusal.rule)),
        }
    }
    let reason = reasons
        .into_iter()
        .map(|(labels, text, rule)| (told(&labels, &text), rule.map(|rule| RuleLink::known(ruleset, rule))));
    reason.collect()
}

/// What is barred, and why; the why alone, where it names all of it.
#[must_use]
pub fn told(labels: &[&str], why: &str) -> String {
    let lower = why.to_lowercase();
    if labels.iter().all(|label| lower.contains(&label.to_lowercase())) {
        return why.to_owned();
    }
    format!("{} ({why})", labels.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{clock, told};

    #[test]
    fn a_clock_is_told_in_a_unit_of_its_size() {
        let told = [0, 30, 60, 90, 120, 3600, 82_800].map(clock);
        assert_eq!(told, ["", "30 seconds", "60 seconds", "90 seconds", "2 minutes", "1 hour", "23 hours"]);
    }

    #[test]
    fn what_is_barred_has_its_name() {
        let why = "Grow would be a third time in a row";
        assert_eq!(told(&["Grow"], why), why);
        let why = "that card lies face up";
        assert_eq!(told(&["West", "North"], why), "West, North (that card lies face up)");
    }
}
