//! The games. Adding one is a folder here, its `mod` line and its line in `GAMES`.

use crate::ruleset::Ruleset;

pub mod five_card_trick;
pub mod three_card;

/// The rulesets of every game, in the order in which people see them.
pub(crate) static GAMES: &[&[&dyn Ruleset]] = &[five_card_trick::RULESETS, three_card::RULESETS];
