//! A seat's line or the host's draw, word by word, each with its outcome.

use engine::{Ask, Duel, Effect, Fate, Form, Party, Seat, To};
use record::StepRecord;
use record::words::capital;

use super::{RuleLink, VisibleMatch};

/// Longer lines are not split into words in a score sheet.
const LINE_MAX_BYTES: usize = 64;

/// A seat's line or the host's draw in one step.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// The words.
    pub acts: Vec<Act>,
    /// True if it is a single act that no list of words divides.
    whole: bool,
    /// The text if there are no words, such as "nothing sent".
    pub none: Option<String>,
    /// The line in the notation, with `?` for sealed parts.
    pub sent: String,
    /// The line in full words, if nothing in it is sealed.
    pub words: Option<String>,
    /// The remarks that the seat saw when the line was read back.
    pub notes: Vec<String>,
}

impl Choice {
    /// The full words, if it is a single act.
    #[must_use]
    pub fn whole_words(&self) -> Option<&str> {
        self.words.as_deref().filter(|_| self.whole)
    }
}

/// One word of a line.
#[derive(Clone, Debug)]
pub struct Act {
    /// For people, such as "Block Claim".
    pub name: String,
    /// True if a part of it is still sealed.
    pub sealed: bool,
    /// The outcome; none if nothing is known about it.
    pub fate: Option<Fate>,
    /// The outcome as a sentence.
    pub why: String,
    /// The rule behind the outcome.
    pub rule: Option<RuleLink>,
}

impl Act {
    /// The outcome's class in the style sheet.
    #[must_use]
    pub const fn mark(&self) -> &'static str {
        match self.fate {
            Some(Fate::LeftOut) => "left-out",
            Some(Fate::Cancelled) => "cancelled",
            Some(Fate::Blocked) => "blocked",
            Some(Fate::Failed) => "failed",
            Some(Fate::Resolved) => "resolved",
            Some(Fate::Defaulted | Fate::Event) | None => "counted",
        }
    }

    /// The outcome's word, where the eye needs one: a word that resolved is shown in bold.
    #[must_use]
    pub fn word(&self) -> Option<&'static str> {
        let quiet = |fate: &Fate| !matches!(fate, Fate::Resolved | Fate::Event | Fate::Defaulted);
        self.fate.filter(quiet).map(Fate::word)
    }
}

/// The parties of a step, in the order of a score sheet.
pub fn parties() -> impl Iterator<Item = Party> {
    Seat::BOTH.map(Party::Seat).into_iter().chain([Party::Host])
}

/// A party's line in a step, with the remarks from reading it back; none if the party was not asked. `before` is the
/// match before the step.
#[must_use]
pub fn choice(visible: &VisibleMatch<'_>, step: &StepRecord, before: Option<&Duel>, party: Party) -> Option<Choice> {
    let acted = acted(visible, step, before, party)?;
    let ask = before.and_then(|before| answered(before, step, party));
    let reading = before.zip(ask).and_then(|(before, ask)| before.read(party, ask.what, &acted.sent).ok());
    Some(match reading {
        Some(reading) => Choice {
            words: Some(visible.name_in(&capital(&reading.words))),
            notes: reading.notes.iter().map(|note| visible.name_in(note)).collect(),
            ..acted
        },
        None => acted,
    })
}

/// The same for a score sheet: without full words and without remarks.
#[must_use]
pub fn acted(visible: &VisibleMatch<'_>, step: &StepRecord, before: Option<&Duel>, party: Party) -> Option<Choice> {
    let sent = visible.party_line(step, party)?;
    let ask = before.and_then(|before| answered(before, step, party));
    let form = before.zip(ask).and_then(|(before, ask)| before.form(party, ask.what));
    let mut choice = Choice { sent: sent.to_owned(), ..Choice::default() };
    if sent == "-" {
        choice.none = Some("nothing sent".to_owned());
        return Some(choice);
    }
    match (party, form) {
        (Party::Seat(seat), Some(Form::Words { choices, most, .. })) => {
            choice.acts = words(visible, step, &choices, seat, sent);
            // An empty list. If only one answer is due, a line that the list cannot express is shown whole.
            if choice.acts.is_empty() && most > 1 {
                choice.none = Some(sent.to_owned());
                return Some(choice);
            }
        }
        (Party::Seat(seat), None) => choice.acts = by_effects(visible, step, seat),
        (_, Some(Form::Line { .. })) | (Party::Host, _) => {}
    }
    if choice.acts.is_empty() {
        choice.whole = true;
        choice.acts.push(whole(visible, step, sent, party));
    }
    Some(choice)
}

/// The question that a party answered in this step.
fn answered(before: &Duel, step: &StepRecord, party: Party) -> Option<Ask> {
    let both = step.moves.p1.is_some() && step.moves.p2.is_some();
    before.asks().into_iter().find(|ask| {
        let asked = match ask.to {
            To::Both => both,
            To::One(asked) => !both && party == Party::Seat(asked),
            To::Host => party == Party::Host,
        };
        asked && (step.what.is_empty() || step.what == ask.what)
    })
}

/// The words of a line that consists only of words from a list.
fn words(
    visible: &VisibleMatch<'_>,
    step: &StepRecord,
    choices: &[engine::Choice],
    seat: Seat,
    sent: &str,
) -> Vec<Act> {
    let found = |word: &str| choices.iter().find(|choice| choice.word == word);
    if let Some(whole) = found(sent) {
        return vec![act(visible, step, seat, whole.label, None)];
    }
    let mut acts: Vec<(Act, u32)> = Vec::new();
    let mut tokens = sent.split_whitespace().peekable();
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
        let act = act(visible, step, seat, choice.label, target);
        match acts.last_mut() {
            Some((last, copies)) if last.name == act.name => *copies += 1,
            _ => acts.push((act, 1)),
        }
    }
    acts.into_iter().map(|(act, copies)| act.times(copies)).collect()
}

/// The words inferred from the effects, when the form of the question is no longer known.
fn by_effects(visible: &VisibleMatch<'_>, step: &StepRecord, seat: Seat) -> Vec<Act> {
    let own = step.effects.iter().filter(|effect| effect.seat == Some(seat) && !effect.subject.is_empty());
    own.map(|effect| act(visible, step, seat, &effect.subject, None)).collect()
}

/// The whole line as one act, in the notation. A line that is sealed, or longer than a row, is described by its
/// effects.
fn whole(visible: &VisibleMatch<'_>, step: &StepRecord, sent: &str, party: Party) -> Act {
    let own = |effect: &&Effect| effect.seat == party.seat();
    let named = step.effects.iter().filter(own).find(|effect| !effect.subject.is_empty());
    let sealed = sent.contains('?');
    let told = if sealed || sent.len() > LINE_MAX_BYTES { step.effects.iter().find(own) } else { None };
    let told = told.map(|effect| visible.name_in(effect.text.trim_end_matches('.')));
    Act { name: told.unwrap_or_else(|| capital(sent)), sealed, ..Act::befallen(visible, named) }
}

fn act(visible: &VisibleMatch<'_>, step: &StepRecord, seat: Seat, label: &str, target: Option<&str>) -> Act {
    let befell = |effect: &&Effect| {
        effect.seat == Some(seat) && !effect.subject.is_empty() && label.ends_with(effect.subject.as_str())
    };
    let effect = step.effects.iter().find(befell);
    Act {
        name: target.map_or_else(|| capital(label), |target| format!("{} {target}", capital(label))),
        sealed: target == Some("?"),
        ..Act::befallen(visible, effect)
    }
}

impl Act {
    /// An act without a name, with its outcome.
    fn befallen(visible: &VisibleMatch<'_>, effect: Option<&Effect>) -> Self {
        let ruleset = &visible.history.opened.ruleset;
        Self {
            name: String::new(),
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
