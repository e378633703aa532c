//! The one hosting.

use super::DevilsDeal;
use super::rules::{CommunityCard, Rules};
use crate::Word;
use crate::ruleset::{Ruleset, RulesetCard, RulesetEntry};

/// The rulesets of this game.
pub static RULESETS: &[&dyn Ruleset] = &[&BLOOMING_GENIUS];

/// Blooming Genius: The Elder Tree.
pub static BLOOMING_GENIUS: RulesetEntry<DevilsDeal> = RulesetEntry {
    card: RulesetCard {
        id: "devils-deal/blooming-genius",
        title: Word::Static("Devil's Deal"),
        hosting: "Blooming Genius: The Elder Tree",
        designer: "chaotic_iak",
        source: Word::Static("rule post 002"),
        parent: None,
        about: "Poker with hands of three cards out of a pool that runs dry; refills are bought with chips and divided into piles of equal sum; a seat without chips loses.",
        needs_dmo: true,
        items: &[],
    },
    rules: Rules { community: CommunityCard::AfterRefill },
};
