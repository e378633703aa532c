//! The events of a round, in one sentence each, with the rule behind it.

use askama::Template;
use engine::{Effect, Fate, Ruleset};
use record::StepRecord;

use app::views::{RuleLink, VisibleMatch};

/// One event.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// The sentence.
    pub text: String,
    /// The rule.
    pub rule: RuleLink,
    /// True if it kept something from acting.
    pub hindered: bool,
    /// The text of the rule with its heading; none if only the number is shown.
    pub why: Option<(&'static str, String)>,
}

/// The effects of some steps, in order.
#[derive(Clone, Debug, Template)]
#[template(path = "page/effects.html")]
pub struct EffectList {
    /// The sentences.
    pub sentences: Vec<Sentence>,
}

impl EffectList {
    /// The effects of these steps.
    #[must_use]
    pub fn of<'s>(visible: &VisibleMatch<'_>, steps: impl IntoIterator<Item = &'s StepRecord>) -> Self {
        let effects = steps.into_iter().flat_map(|step| &step.effects);
        Self { sentences: effects.map(|effect| sentence(visible, effect)).collect() }
    }

    /// The same, each with the text of its rule.
    #[must_use]
    pub fn explained(mut self, visible: &VisibleMatch<'_>) -> Self {
        let clauses = engine::ruleset(&visible.history.opened.ruleset).map(Ruleset::clauses).unwrap_or_default();
        for sentence in &mut self.sentences {
            let clause = clauses.iter().find(|clause| clause.number == sentence.rule.number);
            sentence.why = clause.map(|clause| (clause.title, clause.text.clone()));
        }
        self
    }
}

/// One effect as a sentence with its rule.
#[must_use]
pub fn sentence(visible: &VisibleMatch<'_>, effect: &Effect) -> Sentence {
    Sentence {
        text: visible.name_in(&effect.text),
        rule: RuleLink::known(&visible.history.opened.ruleset, effect.rule),
        hindered: matches!(effect.fate, Fate::LeftOut | Fate::Cancelled | Fate::Blocked | Fate::Failed),
        why: None,
    }
}
