//! The questions of a state: the seats asked, the clock, the default, and the choices that would not count.

use app::views::{RuleLink, VisibleMatch, open_asks, prompt};
use askama::Template;
use engine::{Ask, Duel, Form, Seat, To};
use record::History;
use record::words::sentence;

use super::SeatName;

#[derive(Clone, Debug, Template)]
#[template(path = "question_list.html")]
pub struct QuestionList {
    pub questions: Vec<Question>,
}

#[derive(Clone, Debug)]
pub struct Question {
    pub prompt: String,
    pub to: String,
    pub clock: String,
    pub default: String,
    pub optional: bool,
    pub paused: Option<String>,
    pub barred: Vec<BarredChoices>,
}

#[derive(Clone, Debug)]
pub struct BarredChoices {
    pub name: SeatName,
    /// The reason for each choice; equal reasons appear once.
    pub reasons: Vec<(String, Option<RuleLink>)>,
}

/// Reasons are listed only for forms with at most this many choices. A longer list would say less than the state
/// itself.
const EXPLAINED_CHOICES_MAX: usize = 12;

/// The part of a prompt in front of what is asked.
#[must_use]
pub fn prompt_head(prompt: &str) -> &str {
    prompt.split([':', ',']).next().unwrap_or_default()
}

impl QuestionList {
    /// The questions of a state, first those that the match waits for. A question put to both seats in the same words,
    /// each alone, appears once. The length of a clock is named only in a match with clocks.
    #[must_use]
    pub fn of(visible: &VisibleMatch<'_>, duel: &Duel) -> Self {
        let clocks = visible.history.opened.clocks == Some(true);
        Self::of_asks(visible, duel, duel.asks(), |_| clocks)
    }

    #[must_use]
    pub fn now(visible: &VisibleMatch<'_>) -> Self {
        let history = visible.history;
        let asks = open_asks(history);
        let paused = asks.iter().find_map(|ask| paused(history, ask));
        // A match can have clocks, and a question none: after an outage the umpire types, and nothing is due.
        let has_clock = |ask: &Ask| {
            let open = history.open.iter().find(|open| open.puts(ask));
            open.is_some_and(|open| history.clock(&open.asked.decision).is_some())
        };
        let mut list = Self::of_asks(visible, history.duel(), asks, has_clock);
        // One pause stops all clocks of a match, so it is told once.
        if let Some(first) = list.questions.first_mut() {
            first.paused = paused;
        }
        list
    }

    fn of_asks(visible: &VisibleMatch<'_>, duel: &Duel, mut asks: Vec<Ask>, has_clock: impl Fn(&Ask) -> bool) -> Self {
        asks.sort_by_key(|ask| ask.optional);
        let mut questions: Vec<Question> = Vec::new();
        for question in asks.iter().map(|ask| question(visible, duel, ask, has_clock(ask))) {
            match questions.last_mut() {
                Some(last) if last.prompt == question.prompt && last.default == question.default => {
                    last.to = format!("{} and {}, each alone", last.to, question.to);
                    last.barred.extend(question.barred);
                }
                _ => questions.push(question),
            }
        }
        Self { questions }
    }
}

fn question(visible: &VisibleMatch<'_>, duel: &Duel, ask: &Ask, has_clock: bool) -> Question {
    let (to, seats) = match ask.to {
        To::Both => ("both at the same time".to_owned(), Seat::BOTH.to_vec()),
        To::One(seat) => (visible.names()[seat].to_owned(), vec![seat]),
        To::Host => ("the host".to_owned(), Vec::new()),
    };
    let names = SeatName::of(visible.history);
    let barred = seats
        .into_iter()
        .map(|seat| BarredChoices { name: names[seat].clone(), reasons: reasons(visible, duel.form(seat, &ask.what)) });
    Question {
        prompt: prompt(visible, ask),
        to,
        clock: if has_clock { clock(ask.clock_seconds) } else { String::new() },
        default: visible.name_in(&ask.default),
        optional: ask.optional,
        paused: None,
        barred: barred.filter(|barred| !barred.reasons.is_empty()).collect(),
    }
}

fn paused(history: &History, ask: &Ask) -> Option<String> {
    let open = history.open.iter().find(|open| open.puts(ask))?;
    let clock = history.clock(&open.asked.decision).filter(|clock| clock.is_paused())?;
    Some(match clock.pause_reason() {
        Some(reason) => format!("The umpire paused the clock: {}", sentence(reason.or("the reason was withdrawn"))),
        None => "The umpire paused the clock.".to_owned(),
    })
}

/// The duration in the largest unit that divides it exactly; nothing for 0. Up to 90 seconds stay in seconds, because
/// that is how clocks are set.
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

fn reasons(visible: &VisibleMatch<'_>, form: Option<Form>) -> Vec<(String, Option<RuleLink>)> {
    let Some(Form::Words { choices, .. }) = form else { return Vec::new() };
    if choices.len() > EXPLAINED_CHOICES_MAX {
        return Vec::new();
    }
    let ruleset = &visible.history.opened.ruleset;
    let mut reasons: Vec<(Vec<&str>, String, Option<&'static str>)> = Vec::new();
    for choice in &choices {
        let Some(refusal) = &choice.barred else { continue };
        let text = visible.name_in(&refusal.expected);
        match reasons.iter_mut().find(|(_, other, _)| *other == text) {
            Some((labels, ..)) => labels.push(&choice.label),
            None => reasons.push((vec![&*choice.label], text, refusal.rule)),
        }
    }
    let words = reasons
        .into_iter()
        .map(|(labels, text, rule)| (barred_words(&labels, &text), rule.map(|rule| RuleLink::known(ruleset, rule))));
    words.collect()
}

#[must_use]
pub fn barred_words(labels: &[&str], why: &str) -> String {
    let lower = why.to_lowercase();
    if labels.iter().all(|label| lower.contains(&label.to_lowercase())) {
        return why.to_owned();
    }
    format!("{} ({why})", labels.join(", "))
}

#[cfg(test)]
mod tests {
    use super::{barred_words, clock};

    #[test]
    fn a_clock_has_a_unit_of_its_size() {
        let words = [0, 30, 60, 90, 120, 3600, 82_800].map(clock);
        assert_eq!(words, ["", "30 seconds", "60 seconds", "90 seconds", "2 minutes", "1 hour", "23 hours"]);
    }

    #[test]
    fn a_barred_choice_has_its_name() {
        let why = "Grow is out: it counted in both of the last two rounds";
        assert_eq!(barred_words(&["Grow"], why), why);
        let why = "that card lies face up";
        assert_eq!(barred_words(&["West", "North"], why), "West, North (that card lies face up)");
    }
}
