//! The five hostings.

use super::rules::{BothMissing, Clock, Copies, Faults, Items, LastRound, Picks, Rules, TargetSecrecy, Tie, Words};
use super::state::FiveCardTrick;
use super::submission::Item;
use crate::Word;
use crate::ruleset::{Ruleset, RulesetCard, RulesetEntry};

/// The rulesets of this game.
pub static RULESETS: &[&dyn Ruleset] =
    &[&ZEROS_GAUNTLET, &ZEROS_GAUNTLET_FINAL, &DM_COLOSSEUM_2, &LEGENDS_UNTOLD, &GENIUS_PUZZLER];

const TITLE: Word = Word::Static("Five-Card Trick");
const PARENT: &str = "five-card-trick/zeros-gauntlet";

/// The first hosting.
pub static ZEROS_GAUNTLET: RulesetEntry<FiveCardTrick> = RulesetEntry {
    card: RulesetCard {
        id: PARENT,
        title: TITLE,
        hosting: "Zero's Gauntlet",
        designer: "Zero",
        source: Word::Static("rule post 000, first text: DeathMatch 2"),
        parent: None,
        about: "Exactly two actions a round; a round that both miss is replayed; a tie after 40 rounds goes to the DMO.",
        needs_dmo: true,
        items: &[],
    },
    rules: Rules {
        picks: Picks::ExactlyTwo,
        copies: Copies::Distinct,
        faults: Faults::Refused,
        both_missing: BothMissing::Replayed,
        last_round: LastRound::Forty,
        tie: Tie::Dmo,
        items: Items::None,
        target: TargetSecrecy::Open,
        clock: Clock::Ninety,
        words: Words::Chips,
    },
};

/// Its final, with doubles and items.
pub static ZEROS_GAUNTLET_FINAL: RulesetEntry<FiveCardTrick> = RulesetEntry {
    card: RulesetCard {
        id: "five-card-trick/zeros-gauntlet-final",
        title: TITLE,
        hosting: "Zero's Gauntlet, the final",
        source: Word::Static("rule post 000, second text: Final Match 1"),
        parent: Some(PARENT),
        about: "An action may be doubled, and the majority prevails; three items; a tie after 50 rounds goes to the seat that received more items.",
        needs_dmo: false,
        items: &Item::WORDS,
        ..ZEROS_GAUNTLET.card
    },
    rules: Rules {
        copies: Copies::Doubles,
        both_missing: BothMissing::Played,
        last_round: LastRound::Fifty,
        tie: Tie::MoreItems,
        items: Items::Three,
        ..ZEROS_GAUNTLET.rules
    },
};

/// The hosting with disregards and the worked example.
pub static DM_COLOSSEUM_2: RulesetEntry<FiveCardTrick> = RulesetEntry {
    card: RulesetCard {
        id: "five-card-trick/dm-colosseum-2",
        title: TITLE,
        hosting: "DM Colosseum 2",
        source: Word::Static("rule post 000, third text"),
        parent: Some(PARENT),
        about: "Up to two actions a round; an action that breaks a limit does not count; a tie after 50 rounds goes to the seat that last took the pot.",
        needs_dmo: false,
        ..ZEROS_GAUNTLET.card
    },
    rules: Rules {
        picks: Picks::UpToTwo,
        faults: Faults::LeftOut,
        both_missing: BothMissing::Played,
        last_round: LastRound::Fifty,
        tie: Tie::LastTaker,
        clock: Clock::Sixty,
        ..ZEROS_GAUNTLET.rules
    },
};

/// Setna's Curse.
pub static LEGENDS_UNTOLD: RulesetEntry<FiveCardTrick> = RulesetEntry {
    card: RulesetCard {
        id: "five-card-trick/legends-untold",
        title: Word::Static("Setna's Curse (Five-Card Trick)"),
        hosting: "Squeaky Genius: Legends Untold",
        source: Word::Static("rule post 000, fourth text: Setna's Curse"),
        parent: Some(DM_COLOSSEUM_2.card.id),
        about: "As in DM Colosseum 2, with gems, torches and Raise; a tie after 40 rounds goes to the DMO.",
        needs_dmo: true,
        ..DM_COLOSSEUM_2.card
    },
    rules: Rules { last_round: LastRound::Forty, tie: Tie::Dmo, words: Words::Gems, ..DM_COLOSSEUM_2.rules },
};

/// The hosting with the secret target.
pub static GENIUS_PUZZLER: RulesetEntry<FiveCardTrick> = RulesetEntry {
    card: RulesetCard {
        id: "five-card-trick/genius-puzzler",
        title: TITLE,
        hosting: "The Genius Puzzler",
        source: Word::Static("rule post 000, fifth text: Death Match 12"),
        parent: Some(DM_COLOSSEUM_2.card.id),
        about: "As in DM Colosseum 2; the target of a Block that did not act stays secret; a tie after 40 rounds goes to the DMO.",
        needs_dmo: true,
        ..DM_COLOSSEUM_2.card
    },
    rules: Rules {
        last_round: LastRound::Forty,
        tie: Tie::Dmo,
        target: TargetSecrecy::SealedUnlessItActs,
        ..DM_COLOSSEUM_2.rules
    },
};
