//! The events of a round, in one sentence each, with the rule behind it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use askama::Template;
use engine::{Clause, Effect, Fate, Ruleset};
use record::StepRecord;

use app::views::{RuleLink, VisibleMatch};

use super::card_text::CardText;

/// The clauses of each compiled ruleset, read once: reading them is a tenth of drawing a round.
static CLAUSES: LazyLock<BTreeMap<&str, Vec<Clause>>> =
    LazyLock::new(|| engine::rulesets().map(|ruleset| (ruleset.card().id, ruleset.clauses())).collect());

#[derive(Clone, Debug)]
pub struct Sentence {
    pub text: String,
    pub drawn: CardText,
    pub rule: RuleLink,
    pub hindered: bool,
    pub why: Option<(&'static str, String)>,
}

#[derive(Clone, Debug, Template)]
#[template(path = "effects.html")]
pub struct EffectList {
    pub sentences: Vec<Sentence>,
}

impl EffectList {
    #[must_use]
    pub fn of<'s>(visible: &VisibleMatch<'_>, steps: impl IntoIterator<Item = &'s StepRecord>) -> Self {
        let effects = steps.into_iter().flat_map(|step| visible.told(step));
        Self { sentences: effects.map(|effect| sentence(visible, effect)).collect() }
    }

    #[must_use]
    pub fn explained(mut self, visible: &VisibleMatch<'_>) -> Self {
        for sentence in &mut self.sentences {
            let clause = clause_of(visible.history.ruleset(), &sentence.rule.number);
            sentence.why = clause.map(|clause| (clause.title, clause.text.clone()));
        }
        self
    }
}

/// A clause of a match's rules by its number.
#[must_use]
pub(super) fn clause_of(ruleset: &dyn Ruleset, number: &str) -> Option<Cow<'static, Clause>> {
    let is_it = |clause: &&Clause| clause.number == number;
    match CLAUSES.get(ruleset.card().id) {
        Some(clauses) => clauses.iter().find(is_it).map(Cow::Borrowed),
        None => ruleset.clauses().iter().find(is_it).cloned().map(Cow::Owned),
    }
}

/// What stands on a card that a clause stops.
#[must_use]
pub(super) fn short(clause: &Clause) -> String {
    if clause.word.is_empty() { clause.title.to_lowercase() } else { clause.word.to_owned() }
}

#[must_use]
pub fn sentence(visible: &VisibleMatch<'_>, effect: &Effect) -> Sentence {
    Sentence {
        text: visible.name_in(&effect.text),
        drawn: CardText::of_sentence(visible, &effect.text),
        rule: RuleLink::known(&visible.history.opened.ruleset, effect.rule),
        hindered: matches!(effect.fate, Fate::LeftOut | Fate::Cancelled | Fate::Blocked | Fate::Failed),
        why: None,
    }
}
