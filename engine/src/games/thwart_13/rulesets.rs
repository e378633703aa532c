//! The two hostings.

use super::rules::{DoublePasses, FullHand, FullHands, LastCard, Rules, Unavailable};
use super::state::Thwart;
use crate::Word;
use crate::ruleset::{Ruleset, RulesetCard, RulesetEntry};

const TITLE: Word = Word::Static("Thwart 13");

/// The rulesets of this game.
pub static RULESETS: &[&dyn Ruleset] = &[&DM_COLOSSEUM_2, &LEGENDS_UNTOLD];

/// The hosting that the game was made for.
pub static DM_COLOSSEUM_2: RulesetEntry<Thwart> = RulesetEntry {
    card: RulesetCard {
        id: "thwart-13/dm-colosseum-2",
        title: TITLE,
        hosting: "DM Colosseum 2",
        designer: "chaotic_iak",
        source: Word::Static("rule post 004, first text"),
        parent: None,
        about: "Three poker hands from one deck, and a challenge; a mistaken move counts as a pass or a discard; it ends with one card left, or after three rounds in which both pass.",
        needs_dmo: false,
        items: &[],
    },
    rules: Rules {
        unavailable: Unavailable::Pass,
        full_hand: FullHand::Discard,
        last_card: LastCard::Unplayed,
        double_passes: DoublePasses::EndAtThree,
        full_hands: FullHands::PlayOn,
    },
};

/// The hosting at the god's table.
pub static LEGENDS_UNTOLD: RulesetEntry<Thwart> = RulesetEntry {
    card: RulesetCard {
        id: "thwart-13/legends-untold",
        title: TITLE,
        hosting: "Squeaky Genius: Legends Untold",
        source: Word::Static("rule post 004, second text"),
        parent: Some(DM_COLOSSEUM_2.card.id),
        about: "As in DM Colosseum 2; a slip is illegal and may be sent again; it ends when no card is available or all hands are full.",
        ..DM_COLOSSEUM_2.card
    },
    rules: Rules {
        unavailable: Unavailable::Refused,
        full_hand: FullHand::Refused,
        last_card: LastCard::Played,
        double_passes: DoublePasses::EndNothing,
        full_hands: FullHands::End,
    },
};
