//! The rulesets, and the setups that they accept.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt::Debug;

use crate::game::Game;
use crate::game_match::{GameMatch, OFFERS};
use crate::games::declared::Declaration;
use crate::{Bank, CardFace, Clause, DynGame, Purpose, Reason, Setup, SetupError, Unit, Word};

/// The description of a ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulesetCard {
    /// Such as `five-card-trick/dm-colosseum-2`; never changes.
    pub id: &'static str,
    /// The game's name, such as "Five-Card Trick".
    pub title: Word,
    /// The tournament that used it.
    pub hosting: &'static str,
    /// The game's designer, as named in the rule post.
    pub designer: &'static str,
    /// Its place in the rule posts.
    pub source: Word,
    /// The ruleset that it is described as a variant of.
    pub parent: Option<&'static str>,
    /// Its own features, in a sentence.
    pub about: &'static str,
    /// The match must name the DMO.
    pub needs_dmo: bool,
    /// The items that seats may receive; empty if there are none.
    pub items: &'static [&'static str],
}

impl RulesetCard {
    /// Game and tournament, for people.
    #[must_use]
    pub fn name(&self) -> String {
        alloc::format!("{}, {}", self.title, self.hosting)
    }
}

/// A ruleset: its card, its options and its text, and the way into a match.
pub trait Ruleset: Debug + Send + Sync {
    /// Its description.
    fn card(&self) -> &RulesetCard;
    /// The game for somebody who has never played it, in three short sentences; empty if it has none.
    fn in_three_lines(&self) -> &'static [&'static str] {
        &[]
    }
    /// Every option with its value.
    fn options(&self) -> Vec<(&'static str, &'static str)>;
    /// Every option with its value, in a match that sets these differently.
    ///
    /// # Errors
    /// An option or a value that cannot be set.
    fn options_with(&self, set: &[(String, String)]) -> Result<Vec<(&'static str, &'static str)>, SetupError>;
    /// The options that a single match may set differently, each with the possible values.
    fn choices(&self) -> &'static [(&'static str, &'static [&'static str])];
    /// Its numbered clauses.
    fn clauses(&self) -> Vec<Clause>;
    /// The random draws of the host; empty in a game without chance.
    fn draws(&self) -> &[Purpose];
    /// The extensions that each seat has in store, if the rules give any.
    fn bank(&self) -> Option<Bank>;
    /// The ways in which a match can end by the game's rules, besides an umpire's ruling.
    fn endings(&self) -> &'static [Reason];
    /// The unit of the score, such as chips.
    fn score_unit(&self) -> Unit;
    /// The unit of a lead while a match runs: that of the score, or in a game that is scored at its end alone, of the first
    /// figure of each seat.
    fn lead_unit(&self) -> Unit;
    /// A kind of move as an action, in a few words; [`DynGame::kind`](crate::DynGame::kind) gives kinds.
    fn kind_words(&self, kind: &str) -> String;
    /// The kind of action that an effect is about, for statistics: its subject without cards and places, such as "Higher".
    fn subject_kind<'s>(&self, subject: &'s str) -> &'s str;
    /// The card of a word of the notation, such as `TH`; none if it is no card.
    fn card_of(&self, word: &str) -> Option<CardFace>;
    /// True if what is sealed in this field of a seat's is a text, which can be withdrawn.
    fn is_text(&self, field: &str) -> bool;
    /// The declaration of a game that its umpire declared.
    fn declaration(&self) -> Option<&Arc<Declaration>>;
    /// A match before its first step. [`Duel::open`](crate::Duel::open) holds it together with its ruleset.
    ///
    /// # Errors
    /// The part of the setup that does not fit.
    fn start(&self, setup: &Setup) -> Result<Box<dyn DynGame>, SetupError>;

    /// The game's part of the id, such as `five-card-trick`.
    fn game(&self) -> &'static str {
        self.card().id.split('/').next().unwrap_or_default()
    }
}

/// A game's entry in the registry: a ruleset as data.
#[derive(Debug)]
pub struct RulesetEntry<G: Game> {
    /// Its description.
    pub card: RulesetCard,
    /// Its options.
    pub rules: G::Rules,
}

impl<G: Game> RulesetEntry<G> {
    fn rules_with(&self, set: &[(String, String)]) -> Result<G::Rules, SetupError> {
        set.iter().try_fold(self.rules.clone(), |rules, (name, value)| {
            G::choose(&rules, name, value).ok_or_else(|| SetupError::UnknownOption {
                ruleset: self.card.id,
                option: alloc::format!("{name}={value}"),
                known: known(G::choices(&self.rules)),
            })
        })
    }
}

impl<G: Game> Ruleset for RulesetEntry<G> {
    fn card(&self) -> &RulesetCard {
        &self.card
    }

    fn in_three_lines(&self) -> &'static [&'static str] {
        G::IN_THREE_LINES
    }

    fn options(&self) -> Vec<(&'static str, &'static str)> {
        G::options(&self.rules)
    }

    fn options_with(&self, set: &[(String, String)]) -> Result<Vec<(&'static str, &'static str)>, SetupError> {
        self.rules_with(set).map(|rules| G::options(&rules))
    }

    fn choices(&self) -> &'static [(&'static str, &'static [&'static str])] {
        G::choices(&self.rules)
    }

    fn clauses(&self) -> Vec<Clause> {
        if OFFERS { G::clauses(&self.rules) } else { Vec::new() }
    }

    fn draws(&self) -> &[Purpose] {
        G::draws(&self.rules)
    }

    fn bank(&self) -> Option<Bank> {
        G::bank(&self.rules)
    }

    fn endings(&self) -> &'static [Reason] {
        G::ENDINGS
    }

    fn score_unit(&self) -> Unit {
        G::score_unit(&self.rules)
    }

    fn lead_unit(&self) -> Unit {
        G::lead_unit(&self.rules)
    }

    fn kind_words(&self, kind: &str) -> String {
        if kind == "-" { NO_MOVE.into() } else { G::kind_words(&self.rules, kind) }
    }

    fn subject_kind<'s>(&self, subject: &'s str) -> &'s str {
        G::subject_kind(subject)
    }

    fn card_of(&self, word: &str) -> Option<CardFace> {
        G::card_of(word)
    }

    fn is_text(&self, field: &str) -> bool {
        G::is_text(&self.rules, field)
    }

    fn declaration(&self) -> Option<&Arc<Declaration>> {
        G::declaration(&self.rules)
    }

    fn start(&self, setup: &Setup) -> Result<Box<dyn DynGame>, SetupError> {
        check(&self.card, setup)?;
        let rules = self.rules_with(&setup.options)?;
        Ok(Box::new(GameMatch::<G>::start(&rules, setup)))
    }
}

const NO_MOVE: &str = "no move";

fn check(card: &RulesetCard, setup: &Setup) -> Result<(), SetupError> {
    if card.needs_dmo && setup.dmo.is_none() {
        return Err(SetupError::NoDmo(card.id));
    }
    let mut given: Vec<&str> = Vec::new();
    for (seat, items) in setup.items.each() {
        for item in items {
            if card.items.is_empty() {
                return Err(SetupError::NoItems(card.id));
            }
            let Some(known) = card.items.iter().find(|known| *known == item) else {
                return Err(SetupError::UnknownItem { item: item.clone(), known: card.items, seat });
            };
            if given.contains(known) {
                return Err(SetupError::ItemTwice { item: known, seat });
            }
            given.push(known);
        }
    }
    Ok(())
}

fn known(choices: &[(&str, &[&str])]) -> String {
    let known: Vec<String> = choices
        .iter()
        .flat_map(|(name, values)| values.iter().map(move |value| alloc::format!("{name}={value}")))
        .collect();
    if known.is_empty() { String::new() } else { alloc::format!("; it has {}", known.join(" and ")) }
}
