//! The first entry of a match, and why it may open none.

use std::collections::BTreeMap;

use std::sync::Arc;

use engine::games::declared::{DECLARED, Declaration};
use engine::{Duel, Setup};
use ledger::{Entry, Field, Kind, Origin, Seq};

use super::Fold;
use crate::body::{Body, DeclaredGame, Opened};
use crate::history::Fault;
use crate::rule::Rule;
use crate::text::{TextPlace, Texts};
use crate::write::{DECLARED_RULES_VERSION, RULES_VERSION};

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
    rules.is_some_and(|rules| ![RULES_VERSION, DECLARED_RULES_VERSION].map(u64::from).contains(&rules))
}

/// The words of a declared game that exist and open their commitments.
pub(super) fn game_words(origin: &Origin, first: &Entry, opened: &Opened, texts: &Texts) -> Vec<Option<String>> {
    let place = TextPlace { origin, match_id: first.match_id, seq: first.seq };
    let words = opened.game.iter().flat_map(|game| &game.words).enumerate();
    let words = words.map(|(n, commitment)| {
        let field: Field = format!("game-{n}").parse().ok()?;
        let text = texts.get(commitment)?;
        place.check(&field, text, commitment).ok().map(|()| text.text.clone())
    });
    words.collect()
}

/// The game of an opening: its structure, which has one spelling, and the words that say no more than a name.
fn declared(game: &DeclaredGame, words: &[Option<String>]) -> Result<Declaration, Unopened> {
    let declared = Declaration::read(game.structure.iter().map(String::as_str));
    let mut declared = declared.map_err(|fault| Unopened::body(&fault))?;
    if declared.structure() != game.structure || !declared.words().is_empty() {
        return Err(Unopened::body(&"a declaration that is not in its one spelling"));
    }
    // A title, a source, and a label for each name.
    if game.words.len() > declared.names().len().saturating_add(2) {
        return Err(Unopened::body(&"more words than the declaration has names"));
    }
    for word in words.iter().flatten() {
        // One that is refused is a fault of its own, once the match is open.
        let _ = declared.take_word(word);
    }
    Ok(declared)
}

impl Fold<'_> {
    pub(super) fn game_words(&mut self, first: &Entry, words: &[Option<String>]) {
        let Some(game) = self.history.opened.game.clone() else { return };
        for (n, commitment) in game.words.iter().enumerate() {
            self.word(first.seq, &format!("game-{n}"), *commitment);
        }
        let mut known = self.history.setup.declared.as_ref().map(|game| game.words()).unwrap_or_default();
        for word in words.iter().flatten() {
            match known.iter().position(|known| known == word) {
                Some(at) => drop(known.remove(at)),
                None => {
                    let what = "a word of the game is its title, its source or a label, each once";
                    self.fault(Rule::TextOpens, first.seq, what, &"a name", word);
                }
            }
        }
    }
}

/// The setup of a match, and its state before the first step.
pub(super) fn start(opened: &Opened, words: &[Option<String>]) -> Result<(Setup, Duel), Unopened> {
    let declares = opened.ruleset == DECLARED;
    if opened.rules != (if declares { DECLARED_RULES_VERSION } else { RULES_VERSION }) {
        return Err(Unopened::rules());
    }
    if declares != opened.game.is_some() {
        return Err(Unopened::body(&"a declared game and its declaration, one without the other"));
    }
    let mut setup = Setup {
        ruleset: opened.ruleset.clone(),
        options: Vec::new(),
        dmo: opened.dmo.map(|seat| seat.0),
        items: opened.items.clone().into(),
        declared: opened.game.as_ref().map(|game| declared(game, words)).transpose()?.map(Arc::new),
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
