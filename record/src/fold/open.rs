//! The first entry of a match, and why it may open none.

use std::collections::BTreeMap;

use engine::{Duel, Setup};
use ledger::{Entry, Kind, Seq};

use crate::body::{Body, Opened};
use crate::history::Fault;
use crate::rule::Rule;
use crate::write::RULES_VERSION;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unopened {
    /// Another program wrote it, as it says itself: what this one does not know, in a sentence.
    Unknown(String),
    Fault(Box<Fault>),
}

impl Unopened {
    pub(crate) fn into_sentence(self) -> String {
        match self {
            Self::Unknown(why) => why,
            Self::Fault(fault) => format!("{}: {}", fault.text, fault.found),
        }
    }

    fn fault(rule: Rule, text: &str, expected: &str, found: &dyn ToString) -> Self {
        let (text, expected, found) = (text.to_owned(), expected.to_owned(), found.to_string());
        Self::Fault(Box::new(Fault { rule, entry: Seq(0), text, expected, found }))
    }

    /// The opening says something that no match under its rules says.
    fn body(found: &dyn ToString) -> Self {
        Self::fault(Rule::Body, "its body does not read", "a body of its kind", found)
    }

    fn rules() -> Self {
        Self::Unknown("it was opened under a version of the rules that this program does not know".to_owned())
    }
}

pub(super) fn opening(first: Option<&Entry>, body: Option<Result<Body, String>>) -> Result<(&Entry, Opened), Unopened> {
    let opens = |found: &dyn ToString| {
        Unopened::fault(Rule::OpensOnce, "the first entry does not open a match", "opened", found)
    };
    match (first, body) {
        (Some(first), Some(Ok(Body::Opened(opened)))) => Ok((first, opened)),
        (Some(first), Some(Err(why))) if first.kind == Kind::Opened => Err(match is_unknown(first) {
            true => Unopened::rules(),
            false => Unopened::body(&why),
        }),
        (Some(first), _) => Err(opens(&first.kind)),
        (None, _) => Err(opens(&"no entry")),
    }
}

/// True if an opening names other rules than those of this program, whatever else stands in it.
fn is_unknown(first: &Entry) -> bool {
    let body = serde_json::from_str::<serde_json::Value>(&first.body).ok();
    let rules = body.and_then(|body| body.get("rules")?.as_u64());
    rules.is_some_and(|rules| rules != u64::from(RULES_VERSION))
}

/// The setup of a match, and its state before the first step.
pub(super) fn start(opened: &Opened) -> Result<(Setup, Duel), Unopened> {
    if opened.rules != RULES_VERSION {
        return Err(Unopened::rules());
    }
    let mut setup = Setup {
        ruleset: opened.ruleset.clone(),
        options: Vec::new(),
        dmo: opened.dmo.map(|seat| seat.0),
        items: opened.items.clone().into(),
    };
    let ruleset = setup.rules().map_err(|error| Unopened::Unknown(error.to_string()))?;
    // The options that a match sets differently from its ruleset.
    let set = |(name, _): &&(&str, &[&str])| {
        opened.options.get(*name).is_some_and(|value| !ruleset.options().contains(&(*name, value.as_str())))
    };
    let options = ruleset.choices().iter().filter(set);
    let options = options.map(|(name, _)| ((*name).to_owned(), opened.options.get(*name).cloned().unwrap_or_default()));
    setup.options = options.collect();
    let ours = ruleset.options_with(&setup.options).map_err(|error| Unopened::body(&error))?;
    let ours: BTreeMap<String, String> =
        ours.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    if opened.options != ours {
        return Err(Unopened::body(&"options that are not those of its ruleset"));
    }
    let start = Duel::start(ruleset, &setup).map_err(|error| Unopened::body(&error))?;
    Ok((setup, start))
}
