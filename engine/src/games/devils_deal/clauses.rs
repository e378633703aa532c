//! The ruleset in our own words, clause by clause. The rulings where the rule post leaves something open are in
//! `rulings`.

use alloc::vec::Vec;

use super::rules::Rules;
use super::rulings::{self, Open};
use crate::Clause;

/// The clauses' numbers, as effects and refusals cite them.
pub(super) mod number {
    pub(crate) const CARDS: &str = "4.1";
    pub(crate) const DEAL: &str = "4.2";
    pub(crate) const STARTER: &str = "4.3";
    pub(crate) const REFILL: &str = "4.4.1";
    pub(crate) const OFFER: &str = "4.4.2";
    pub(crate) const DIVIDING: &str = "4.4.3";
    pub(crate) const DISCARDS: &str = "4.4.4";
    pub(crate) const ORDER: &str = "4.4.5";
    pub(crate) const TAKING: &str = "4.4.6";
    pub(crate) const COMMUNITY: &str = "4.5.1";
    pub(crate) const PRIVATE: &str = "4.5.2";
    pub(crate) const ANTE: &str = "4.5.3";
    pub(crate) const BETTING: &str = "4.6.1";
    pub(crate) const OPENING: &str = "4.6.2";
    pub(crate) const LIMIT: &str = "4.6.3";
    pub(crate) const SKIPPED: &str = "4.6.4";
    pub(crate) const SHOWING: &str = "4.6.5";
    pub(crate) const FOLD: &str = "4.7.1";
    pub(crate) const PENALTY: &str = "4.7.2";
    pub(crate) const HANDS: &str = "4.8.1";
    pub(crate) const WINNER: &str = "4.8.2";
    pub(crate) const EQUAL: &str = "4.8.3";
    pub(crate) const USED: &str = "4.9.1";
    pub(crate) const NEXT: &str = "4.9.2";
    pub(crate) const END: &str = "4.10.1";
    pub(crate) const TABLE: &str = "4.10.2";
    pub(crate) const MISSING: &str = "4.11.1";
    pub(crate) const DEFAULT_PRIVATE: &str = "4.11.2";
    pub(crate) const SECRETS: &str = "4.12.1";
    pub(crate) const VEIL: &str = "4.12.2";
    pub(crate) const CLOCKS: &str = "4.13";
}

type Line = (&'static str, &'static str, &'static str, Option<Open>);

pub(super) fn of(rules: &Rules) -> Vec<Clause> {
    let community = if rules.draws_first() {
        (
            number::COMMUNITY,
            "Community card",
            "Each round begins with a card that the host draws out of all 27; it belongs to both hands. The refill step follows it.",
            Some(rulings::COMMUNITY_FIRST),
        )
    } else {
        (
            number::COMMUNITY,
            "Community card",
            "When both seats have stopped refilling, the host draws a card out of all 27; it belongs to both hands.",
            Some(rulings::COMMUNITY_AFTER),
        )
    };
    let lines = START.iter().chain(&REFILL).chain([&community]).chain(&POKER).chain(&BETTING).chain(&AFTER);
    lines
        .map(|(number, title, text, open)| Clause {
            number,
            title,
            text: (*text).into(),
            ruling: open.as_ref().map(Open::note),
        })
        .collect()
}

const START: [Line; 3] = [
    (
        number::CARDS,
        "Cards",
        "There are 27 different cards: red, green and blue, each with the numbers 1 to 9, written R7, G1, B9. Every draw comes out of a fresh deck of all 27, so a pool may come to hold a card more than once. A pool keeps at most 10 cards.",
        None,
    ),
    (
        number::DEAL,
        "Deal",
        "Both pools start with 5 cards, all out of one deck, for everybody to see. Each seat has 30 chips.",
        Some(rulings::CHANGES),
    ),
    (
        number::STARTER,
        "Starting player",
        "When the pools are known, the Death Match Opponent says who starts the first round.",
        None,
    ),
];

const REFILL: [Line; 6] = [
    (
        number::REFILL,
        "Refilling",
        "In the refill step the starting player may refill as often as it likes, and then the opponent. A refill costs 5 chips and is carried through before the next. A seat with fewer than 5 chips is not asked.",
        Some(rulings::POOR),
    ),
    (number::OFFER, "The offer", "For each refill the host draws 12 different cards, in random order.", None),
    (
        number::DIVIDING,
        "Dividing",
        "The refiller lays cards of the offer into piles, as many as it likes; cards may be left out. The numbers of every pile must add up to the same sum. One of the piles is set aside; the cards of all the others go into the refiller's pool. With one pile, or none, nothing is taken. A division may be replaced until the deadline; the last valid one counts.",
        Some(rulings::MARK),
    ),
    (
        number::DISCARDS,
        "Ten cards",
        "A seat whose pool has more than 10 cards discards as many as it has too many, and no more. New cards may be among them. Discards are open.",
        Some(rulings::EXACT),
    ),
    (
        number::ORDER,
        "Order",
        "First the refiller takes and discards, then the opponent takes and discards.",
        Some(rulings::ORDER),
    ),
    (
        number::TAKING,
        "The opponent's card",
        "The opponent may take one card of those of the offer that the refiller did not take, for nothing.",
        Some(rulings::TAKING),
    ),
];

const POKER: [Line; 2] = [
    (
        number::PRIVATE,
        "Private cards",
        "Both seats secretly choose two cards of their pools, a first and a second one. With the community card they make a hand of three cards, which must all be different. A seat that has no two such cards has lost.",
        None,
    ),
    (
        number::ANTE,
        "Ante",
        "Then both pay 2 chips into the pot, and 1 of these leaves the game, so that the pot is 3. A seat that cannot pay has lost, and nobody pays.",
        Some(rulings::ANTE),
    ),
];

const BETTING: [Line; 5] = [
    (
        number::BETTING,
        "Betting",
        "There are two betting phases; the starting player begins both, and the seats take turns. To raise is to bring one's bet in this phase to a total above the opponent's. To call is to match the opponent's bet, which ends the phase.",
        Some(rulings::TOTAL),
    ),
    (
        number::OPENING,
        "Opening",
        "Whoever begins a phase must raise, by 1 chip at least, or fold.",
        Some(rulings::OPENING),
    ),
    (
        number::LIMIT,
        "Limit",
        "Nobody bets more in a phase than the poorer seat had when it began, so that a call can always be paid.",
        Some(rulings::CAP),
    ),
    (
        number::SKIPPED,
        "No chips",
        "Where a seat has no chips when a phase would begin, nobody bets or folds in it: its cards are shown, and play goes on.",
        Some(rulings::SKIPPED),
    ),
    (
        number::SHOWING,
        "Showing",
        "After the first phase each seat's first private card is shown, after the second each seat's second one.",
        None,
    ),
];

const AFTER: [Line; 14] = [
    (
        number::FOLD,
        "Fold",
        "Whoever folds gives up the round, and the opponent takes the pot. Private cards that were not shown yet stay unshown, of both seats.",
        None,
    ),
    (
        number::PENALTY,
        "Folding a high card",
        "A seat whose hand, with the card or cards that were not shown, is a high card pays the opponent 2 more when it folds. Everybody learns whether it pays. A seat that has fewer than 2 chips then has lost.",
        Some(rulings::PENALTY),
    ),
    (
        number::HANDS,
        "Hands",
        "From the best: three of a kind (one number), straight flush (a straight of one colour), straight (three numbers in a row), flush (one colour), pair (two of a number), high card. 9 and 1 are not in a row. A hand counts as the best that it is, whatever the order of its cards.",
        Some(rulings::HANDS),
    ),
    (
        number::WINNER,
        "Showdown",
        "The better hand takes the pot. Of two hands of a kind the higher number wins: of pairs the number of the pair, then that of the third card; otherwise the highest number, then the next, then the last.",
        Some(rulings::NUMBERS),
    ),
    (
        number::EQUAL,
        "Equal hands",
        "If all numbers are the same, both seats take back everything that they put in this round; the chip that left the game comes back too.",
        Some(rulings::EQUAL),
    ),
    (
        number::USED,
        "Used cards",
        "The private cards of a round leave their pools, however it ended. The community card never was in one.",
        None,
    ),
    (
        number::NEXT,
        "Next starter",
        "The winner of a round starts the next one. After equal hands the same seat starts again.",
        Some(rulings::STARTER),
    ),
    (
        number::END,
        "The end",
        "A seat loses the match when it cannot choose private cards, when it cannot pay the ante, when it cannot pay for folding a high card, or when it has no chips left after a round; whichever comes first. If both fail the same at once, the starting player loses.",
        Some(rulings::END),
    ),
    (
        number::TABLE,
        "What is left",
        "A match that ends before the ante is paid leaves its last round uncompleted, and the private cards stay in the pools, unshown. An umpire's decision breaks a round off: what lies in the pot is nobody's, and the private cards stay in the pools.",
        Some(rulings::TABLE),
    ),
    (
        number::MISSING,
        "Nothing in time",
        "Without an answer: the chooser starts; no refill; a division that takes nothing; the lowest cards are discarded (of one number red before green before blue); no card is taken; a bet is a fold.",
        Some(rulings::DEFAULTS),
    ),
    (
        number::DEFAULT_PRIVATE,
        "No private cards in time",
        "A seat that names no private cards plays the two lowest that are allowed together, the lower one first; of one number red before green before blue.",
        Some(rulings::DEFAULT_PRIVATE),
    ),
    (
        number::SECRETS,
        "Secrets",
        "Everything is public but the private cards of the running round, and those that were folded unshown. They are opened when the match is over.",
        Some(rulings::UNSHOWN),
    ),
    (
        number::VEIL,
        "Pools after a fold",
        "Once a card has left a pool unshown, the record shows of that pool only how many cards it holds, for the rest of the match. Its owner sees it. A page may list what everybody can work out: which cards are surely there, and which ones perhaps.",
        Some(rulings::VEIL),
    ),
    (
        number::CLOCKS,
        "Clocks",
        "20 seconds for a refill (yes or no), for discards, for the opponent's card and for a bet; 90 seconds for a division, for the private cards and for the starting player. Between two rounds there are 20 seconds or more. The umpire may stop a clock.",
        Some(rulings::CLOCKS),
    ),
];
