//! What a seat sent or the host drew, word by word, each with what became of it.

use engine::{Ask, Duel, Effect, Fate, Form, Party, Seat, To};
use record::StepRecord;
use record::words::capital;

use super::{RuleLink, Shown};

/// What is longer is not told word by word in a score sheet.
const LINE_MAX_BYTES: usize = 64;

/// What a seat sent, or the host drew, in one step.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Word by word.
    pub acts: Vec<Act>,
    /// Whether it is one act that no list of words takes apart.
    whole: bool,
    /// What to say where there are none, such as "nothing sent".
    pub none: Option<String>,
    /// As the notation writes it, `?` for what is still sealed.
    pub sent: String,
    /// In full words, where nothing of it is sealed.
    pub words: Option<String>,
    /// What the seat was told when it was read back.
    pub notes: Vec<String>,
}

impl Choice {
    /// The full words for the one act that it is.
    #[must_use]
    pub fn whole_words(&self) -> Option<&str> {
        self.words.as_deref().filter(|_| self.whole)
    }
}

/// One word of what a seat sent.
#[derive(Clone, Debug)]
pub struct Act {
    /// For people, such as "Block Claim".
    pub name: String,
    /// Whether a part of it is still sealed.
    pub sealed: bool,
    /// What became of it; none where nothing is said of it.
    pub fate: Option<Fate>,
    /// The same in a sentence.
    pub why: String,
    /// The rule that says so.
    pub rule: Option<RuleLink>,
}

impl Act {
    /// The fate's name for the style sheet.
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

    /// The fate's word, where the eye needs one: what resolved stands in bold.
    #[must_use]
    pub fn word(&self) -> Option<&'static str> {
        let quiet = |fate: &Fate| !matches!(fate, Fate::Resolved | Fate::Event | Fate::Defaulted);
        self.fate.filter(quiet).map(Fate::word)
    }
}

/// What a party said in a step, with what it was told when that was read back; none where it was not asked. `before` is the
/// match before the step.
#[must_use]
pub fn choice(shown: &Shown<'_>, step: &StepRecord, before: Option<&Duel>, party: Party) -> Option<Choice> {
    let acted = acted(shown, step, before, party)?;
    let ask = before.and_then(|before| answered(before, step, party));
    let reading = before.zip(ask).and_then(|(before, ask)| before.read(party, ask.what, &acted.sent).ok());
    Some(match reading {
        Some(reading) => Choice {
            words: Some(shown.name_in(&capital(&reading.words))),
            notes: reading.notes.iter().map(|note| shown.name_in(note)).collect(),
            ..acted
        },
        None => acted,
    })
}

/// The same without its full words and without what was read back: what a score sheet tells.
#[must_use]
pub fn acted(shown: &Shown<'_>, step: &StepRecord, before: Option<&Duel>, party: Party) -> Option<Choice> {
    let sent = shown.said(step, party)?;
    let ask = before.and_then(|before| answered(before, step, party));
    let form = before.zip(ask).and_then(|(before, ask)| before.form(party, ask.what));
    let mut choice = Choice { sent: sent.to_owned(), ..Choice::default() };
    if sent == "-" {
        choice.none = Some("nothing sent".to_owned());
        return Some(choice);
    }
    match (party, form) {
        (Party::Seat(seat), Some(Form::Words { choices, most, .. })) => {
            choice.acts = words(shown, step, &choices, seat, sent);
            // A list of which nothing was taken; where one answer is due, what the list cannot say is said whole.
            if choice.acts.is_empty() && most > 1 {
                choice.none = Some(sent.to_owned());
                return Some(choice);
            }
        }
        (Party::Seat(seat), None) => choice.acts = by_effects(shown, step, seat),
        (_, Some(Form::Line { .. })) | (Party::Host, _) => {}
    }
    if choice.acts.is_empty() {
        choice.whole = true;
        choice.acts.push(whole(shown, step, sent, party));
    }
    Some(choice)
}

/// The question that a step answers for a party.
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

/// What was sent where it was said in words of a list, and in nothing else.
fn words(shown: &Shown<'_>, step: &StepRecord, choices: &[engine::Choice], seat: Seat, sent: &str) -> Vec<Act> {
    let found = |word: &str| choices.iter().find(|choice| choice.word == word);
    if let Some(whole) = found(sent) {
        return vec![act(shown, step, seat, whole.label, None)];
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
        let act = act(shown, step, seat, choice.label, target);
        match acts.last_mut() {
            Some((last, copies)) if last.name == act.name => *copies += 1,
            _ => acts.push((act, 1)),
        }
    }
    acts.into_iter().map(|(act, copies)| act.times(copies)).collect()
}

/// What can be said where the form of the question is not known any more.
fn by_effects(shown: &Shown<'_>, step: &StepRecord, seat: Seat) -> Vec<Act> {
    let own = step.effects.iter().filter(|effect| effect.seat == Some(seat) && !effect.subject.is_empty());
    own.map(|effect| act(shown, step, seat, &effect.subject, None)).collect()
}

/// All of it as one act, as the notation writes it. What is sealed or longer than a line is told by what came of it.
fn whole(shown: &Shown<'_>, step: &StepRecord, sent: &str, party: Party) -> Act {
    let own = |effect: &&Effect| effect.seat == party.seat();
    let named = step.effects.iter().filter(own).find(|effect| !effect.subject.is_empty());
    let sealed = sent.contains('?');
    let told = if sealed || sent.len() > LINE_MAX_BYTES { step.effects.iter().find(own) } else { None };
    let told = told.map(|effect| shown.name_in(effect.text.trim_end_matches('.')));
    Act { name: told.unwrap_or_else(|| capital(sent)), sealed, ..Act::befallen(shown, named) }
}

fn act(shown: &Shown<'_>, step: &StepRecord, seat: Seat, label: &str, target: Option<&str>) -> Act {
    let befell = |effect: &&Effect| {
        effect.seat == Some(seat) && !effect.subject.is_empty() && label.ends_with(effect.subject.as_str())
    };
    let effect = step.effects.iter().find(befell);
    Act {
        name: target.map_or_else(|| capital(label), |target| format!("{} {target}", capital(label))),
        sealed: target == Some("?"),
        ..Act::befallen(shown, effect)
    }
}

impl Act {
    /// An act without its name, with what befell it.
    fn befallen(shown: &Shown<'_>, effect: Option<&Effect>) -> Self {
        let ruleset = &shown.history.opened.ruleset;
        Self {
            name: String::new(),
            sealed: false,
            fate: effect.map(|effect| effect.fate),
            why: effect.map(|effect| shown.name_in(&effect.text)).unwrap_or_default(),
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
