//! What a seat sent, word by word, each with what became of it.

use engine::{Ask, Duel, Effect, Fate, Form, Seat, To};
use record::StepRecord;

use super::{RuleLink, Shown, capital};

/// What a seat sent in one step.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Word by word.
    pub acts: Vec<Act>,
    /// What to say where there are none, such as "nothing sent".
    pub none: Option<String>,
    /// As the notation writes it, `?` for what is still sealed.
    pub sent: String,
    /// In full words, where nothing of it is sealed.
    pub words: Option<String>,
    /// What the seat was told when it was read back.
    pub notes: Vec<String>,
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

/// What a seat sent in a step; none where it was not asked. `before` is the match before the step.
#[must_use]
pub fn choice(shown: &Shown<'_>, step: &StepRecord, before: Option<&Duel>, seat: Seat) -> Option<Choice> {
    let sent = shown.sent(step, seat)?;
    let ask = before.and_then(|before| answered(before, step, seat));
    let form = before.zip(ask.as_ref()).and_then(|(before, ask)| before.form(seat, ask.what));
    let reading = before.zip(ask.as_ref()).and_then(|(before, ask)| before.read(seat, ask.what, sent).ok());
    let mut choice = Choice { sent: sent.to_owned(), ..Choice::default() };
    match sent {
        "-" => choice.none = Some("nothing sent".to_owned()),
        _ => choice.acts = acts(shown, step, form.as_ref(), seat, sent),
    }
    if choice.acts.is_empty() && choice.none.is_none() {
        choice.none = Some(sent.to_owned());
    }
    if let Some(reading) = reading {
        choice.words = Some(capital(&reading.words));
        choice.notes = reading.notes.iter().map(|note| shown.name_in(note)).collect();
    }
    Some(choice)
}

/// The question that a step answers for a seat.
fn answered(before: &Duel, step: &StepRecord, seat: Seat) -> Option<Ask> {
    let both = step.moves.p1.is_some() && step.moves.p2.is_some();
    before.asks().into_iter().find(|ask| match ask.to {
        To::Both => both,
        To::One(asked) => !both && asked == seat,
        To::Host => false,
    })
}

fn acts(shown: &Shown<'_>, step: &StepRecord, form: Option<&Form>, seat: Seat, sent: &str) -> Vec<Act> {
    let Some(Form::Words { choices, .. }) = form else { return by_effects(shown, step, seat) };
    let found = |word: &str| choices.iter().find(|choice| choice.word == word);
    if let Some(whole) = found(sent) {
        return vec![act(shown, step, seat, whole.label, None)];
    }
    let mut acts: Vec<(Act, u32)> = Vec::new();
    for token in sent.split_whitespace() {
        let (word, target) = token.split_once(':').map_or((token, None), |(word, target)| (word, Some(target)));
        let Some(choice) = found(word) else { continue };
        let target = target.map(|target| {
            let label = choice.targets.iter().find(|(word, _)| *word == target).map(|(_, label)| *label);
            label.unwrap_or(target)
        });
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

fn act(shown: &Shown<'_>, step: &StepRecord, seat: Seat, label: &str, target: Option<&str>) -> Act {
    let befell = |effect: &&Effect| {
        effect.seat == Some(seat) && !effect.subject.is_empty() && label.ends_with(effect.subject.as_str())
    };
    let effect = step.effects.iter().find(befell);
    let ruleset = &shown.history.opened.ruleset;
    Act {
        name: target.map_or_else(|| label.to_owned(), |target| format!("{label} {target}")),
        sealed: target == Some("?"),
        fate: effect.map(|effect| effect.fate),
        why: effect.map(|effect| shown.name_in(&effect.text)).unwrap_or_default(),
        rule: effect.map(|effect| RuleLink::known(ruleset, effect.rule)),
    }
}

impl Act {
    fn times(mut self, copies: u32) -> Self {
        if copies > 1 {
            self.name.push_str(&format!(" \u{d7}{copies}"));
        }
        self
    }
}
