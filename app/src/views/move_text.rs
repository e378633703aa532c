//! A seat's line or the host's draw, word by word, each with its outcome.

use engine::{Ask, CardFace, Duel, Effect, Fate, Form, Party, Seat, To};
use record::StepRecord;
use record::words::capital;

use super::{RuleLink, VisibleMatch, spoken_words};

const LINE_MAX_BYTES: usize = 64;

#[derive(Clone, Debug, Default)]
pub struct MoveText {
    pub actions: Vec<Action>,
    single: bool,
    pub placeholder: Option<String>,
    /// The line in the notation, with `?` for sealed parts.
    pub line: String,
    pub words: Option<String>,
    pub notes: Vec<String>,
}

impl MoveText {
    #[must_use]
    pub fn full_words(&self) -> &str {
        self.placeholder.as_deref().or(self.words.as_deref()).unwrap_or(&self.line)
    }

    #[must_use]
    pub fn single_words(&self) -> Option<&str> {
        self.words.as_deref().filter(|_| self.single)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Action {
    pub name: String,
    pub card: Option<CardFace>,
    pub is_notation: bool,
    pub sealed: bool,
    pub fate: Option<Fate>,
    pub why: String,
    pub rule: Option<RuleLink>,
}

impl Action {
    #[must_use]
    pub const fn class(&self) -> &'static str {
        match self.fate {
            Some(Fate::LeftOut) => "left-out",
            Some(Fate::Cancelled) => "cancelled",
            Some(Fate::Blocked) => "blocked",
            Some(Fate::Failed) => "failed",
            Some(Fate::Resolved) => "resolved",
            Some(Fate::Defaulted | Fate::Event) | None => "counted",
        }
    }

    #[must_use]
    pub fn outcome_word(&self) -> Option<&'static str> {
        let quiet = |fate: &Fate| !matches!(fate, Fate::Resolved | Fate::Event | Fate::Defaulted);
        self.fate.filter(quiet).map(Fate::word)
    }
}

pub fn parties() -> impl Iterator<Item = Party> {
    Seat::BOTH.map(Party::Seat).into_iter().chain([Party::Host])
}

#[must_use]
pub fn move_text(
    visible: &VisibleMatch<'_>,
    step: &StepRecord,
    before: Option<&Duel>,
    party: Party,
) -> Option<MoveText> {
    let text = sheet_move_text(visible, step, before, party)?;
    let ask = before.and_then(|before| answered_ask(before, step, party));
    let reading = before.zip(ask).and_then(|(before, ask)| before.read(party, &ask.what, &text.line).ok());
    Some(match reading {
        Some(reading) => MoveText {
            words: Some(visible.name_in(&match spoken_words(visible.history, &reading.words) {
                Some(words) => words,
                None => capital(&reading.words),
            })),
            notes: reading.notes.iter().map(|note| visible.name_in(note)).collect(),
            ..text
        },
        None => text,
    })
}

/// As `move_text` for a score sheet: without full words and without remarks, for which the line would have to be read
/// once more.
#[must_use]
pub fn sheet_move_text(
    visible: &VisibleMatch<'_>,
    step: &StepRecord,
    before: Option<&Duel>,
    party: Party,
) -> Option<MoveText> {
    let line = visible.party_line(step, party)?;
    let ask = before.and_then(|before| answered_ask(before, step, party));
    let form = before.zip(ask).and_then(|(before, ask)| before.form(party, &ask.what));
    let mut text = MoveText { line: line.to_owned(), ..MoveText::default() };
    if line == "-" {
        text.placeholder = Some("no move".to_owned());
        return Some(text);
    }
    match (party, form) {
        (Party::Seat(seat), Some(Form::Words { choices, most, .. })) => {
            text.actions = listed_words(visible, step, &choices, seat, line);
            // An empty list. If only one answer is due, a line that the list cannot express is shown whole.
            if text.actions.is_empty() && most > 1 {
                text.placeholder = Some(line.to_owned());
                return Some(text);
            }
        }
        (Party::Seat(seat), None) => text.actions = by_effects(visible, step, seat),
        (_, Some(Form::Line { .. })) | (Party::Host, _) => {}
    }
    if text.actions.is_empty() {
        text.single = true;
        text.actions.push(whole_line(visible, step, line, party));
    }
    Some(text)
}

fn answered_ask(before: &Duel, step: &StepRecord, party: Party) -> Option<Ask> {
    let both = step.moves.p1.is_some() && step.moves.p2.is_some();
    before.asks().into_iter().find(|ask| {
        let fits = match ask.to {
            To::Both => both,
            To::One(asked) => !both && party == Party::Seat(asked),
            To::Host => party == Party::Host,
        };
        fits && (step.what.is_empty() || ask.what == *step.what)
    })
}

fn listed_words(
    visible: &VisibleMatch<'_>,
    step: &StepRecord,
    choices: &[engine::Choice],
    seat: Seat,
    line: &str,
) -> Vec<Action> {
    let found = |word: &str| choices.iter().find(|choice| choice.word == word);
    if let Some(whole) = found(line) {
        let card = visible.history.ruleset().card_of(&whole.word);
        return vec![Action { card, ..action(visible, step, seat, &whole.label, None) }];
    }
    let mut actions: Vec<(Action, u32)> = Vec::new();
    let mut tokens = line.split_whitespace().peekable();
    while let Some(token) = tokens.next() {
        let (word, target) = token.split_once(':').map_or((token, None), |(word, target)| (word, Some(target)));
        let Some(choice) = found(word) else { return Vec::new() };
        let target = match (target, choice.amounts) {
            (Some(target), _) => {
                let label = choice.targets.iter().find(|(word, _)| *word == target).map(|(_, label)| *label);
                Some(label.unwrap_or(target))
            }
            (None, Some(_)) => tokens.next_if(|amount| amount.parse::<u32>().is_ok()),
            (None, None) => None,
        };
        let action = action(visible, step, seat, &choice.label, target);
        match actions.last_mut() {
            Some((last, copies)) if last.name == action.name => *copies += 1,
            _ => actions.push((action, 1)),
        }
    }
    actions.into_iter().map(|(action, copies)| action.times(copies)).collect()
}

fn by_effects(visible: &VisibleMatch<'_>, step: &StepRecord, seat: Seat) -> Vec<Action> {
    let own = step.effects.iter().filter(|effect| effect.seat == Some(seat) && !effect.subject.is_empty());
    own.map(|effect| action(visible, step, seat, &effect.subject, None)).collect()
}

fn whole_line(visible: &VisibleMatch<'_>, step: &StepRecord, line: &str, party: Party) -> Action {
    let own = |effect: &&Effect| effect.seat == party.seat();
    let named = step.effects.iter().filter(own).find(|effect| !effect.subject.is_empty());
    let sealed = line.contains('?');
    let effect = if sealed || line.len() > LINE_MAX_BYTES { step.effects.iter().find(own) } else { None };
    let text = effect.map(|effect| visible.name_in(effect.text.trim_end_matches('.')));
    let is_notation = text.is_none();
    let name = text.unwrap_or_else(|| capital(line));
    Action { name, is_notation, sealed, ..Action::with_outcome(visible, named) }
}

fn action(visible: &VisibleMatch<'_>, step: &StepRecord, seat: Seat, label: &str, target: Option<&str>) -> Action {
    let own = |effect: &&Effect| {
        effect.seat == Some(seat) && !effect.subject.is_empty() && label.ends_with(effect.subject.as_str())
    };
    let effect = step.effects.iter().find(own);
    Action {
        name: target.map_or_else(|| capital(label), |target| format!("{} {target}", capital(label))),
        sealed: target == Some("?"),
        ..Action::with_outcome(visible, effect)
    }
}

impl Action {
    fn with_outcome(visible: &VisibleMatch<'_>, effect: Option<&Effect>) -> Self {
        let ruleset = &visible.history.opened.ruleset;
        Self {
            name: String::new(),
            card: None,
            is_notation: false,
            sealed: false,
            fate: effect.map(|effect| effect.fate),
            why: effect.map(|effect| visible.name_in(&effect.text)).unwrap_or_default(),
            rule: effect.map(|effect| RuleLink::known(ruleset, effect.rule)),
        }
    }

    fn times(mut self, copies: u32) -> Self {
        if copies > 1 {
            self.name.push_str(&format!(" \u{d7}{copies}"));
        }
        self
    }
}
