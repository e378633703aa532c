//! The games. A new game is a folder here, its `mod` line and its line in `GAMES`.

use crate::ruleset::Ruleset;

pub mod declared;
pub mod devils_deal;
pub mod five_card_trick;
pub mod higher_lower;
pub mod three_card;
pub mod thwart_13;

/// The rulesets of every game, in the order in which people see them.
pub(crate) static GAMES: &[&[&dyn Ruleset]] = &[
    five_card_trick::RULESETS,
    three_card::RULESETS,
    thwart_13::RULESETS,
    devils_deal::RULESETS,
    higher_lower::RULESETS,
];
