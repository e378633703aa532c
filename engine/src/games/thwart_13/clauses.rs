//! The ruleset in our own words, clause by clause, and the rulings where the rule posts leave something open.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::rules::{DoublePasses, FullHands, LastCard, Rules};
use crate::clause::ClauseList;
use crate::{Clause, RulingNote};

/// The clauses' numbers, as effects and refusals cite them.
pub(super) mod number {
    pub(crate) const DECK: &str = "3.1";
    pub(crate) const SELECTION: &str = "3.2.1";
    pub(crate) const PASS: &str = "3.2.2";
    pub(crate) const UNAVAILABLE: &str = "3.2.3";
    pub(crate) const BURNED: &str = "3.2.4";
    pub(crate) const ACTION: &str = "3.3.1";
    pub(crate) const DISCARD: &str = "3.3.2";
    pub(crate) const FULL_HAND: &str = "3.3.3";
    pub(crate) const GONE: &str = "3.3.4";
    pub(crate) const ROUND: &str = "3.4";
    pub(crate) const VALID_SET: &str = "3.5.1";
    pub(crate) const ORDER: &str = "3.5.2";
    pub(crate) const FRONT: &str = "3.5.3";
    pub(crate) const CHALLENGE: &str = "3.6.1";
    pub(crate) const ANSWER: &str = "3.6.2";
    pub(crate) const FAILED: &str = "3.6.3";
    pub(crate) const MET: &str = "3.6.4";
    pub(crate) const END: &str = "3.7.1";
    pub(crate) const ONE_VALID: &str = "3.7.2";
    pub(crate) const COMPARED: &str = "3.7.3";
    pub(crate) const NO_WINNER: &str = "3.7.4";
    pub(crate) const OPEN: &str = "3.8";
    pub(crate) const CLOCK: &str = "3.9";
    pub(crate) const AUDIT: &str = "3.10";
}

pub(super) fn of(rules: &Rules) -> Vec<Clause> {
    let mut list = ClauseList::default();
    selecting(rules, &mut list);
    acting(rules, &mut list);
    valid_sets(&mut list);
    challenges(&mut list);
    ending(rules, &mut list);
    winning(&mut list);
    around(&mut list);
    list.clauses
}

fn selecting(rules: &Rules, list: &mut ClauseList) {
    list.clause(
        number::DECK,
        "Deck and hands",
        "One deck of 52 cards lies open, and every card of it is available at first. Each seat fills three hands: a front hand of 3 cards, a middle and a back hand of 5 cards each. All start empty.",
    );
    list.clause(
        number::SELECTION,
        "Selection",
        "Each round both seats secretly select one available card each, or pass. A selection may be replaced until the deadline; then both are shown.",
    );
    list.ruled(
        number::PASS,
        "Passing",
        "A seat that passes, or sends nothing in time, gets no card in this round. Any selection that counts ends a run of rounds in which both passed.",
        RulingNote {
            issue: "T13-1",
            question: "Have both passed a round in which one of them did not say so, but sent nothing or a card that counts as a pass?",
            readings: &["No: passing is a choice.", "Yes: whatever counts as a pass is one."],
            chosen: "Yes. The post says of both that they are considered to pass, and passes nowhere differ by their cause.",
            option: None,
        },
    );
    let question = "What of a selected card that is not available? (One post is silent.)";
    let readings = &["It counts as a pass.", "It is illegal and may be sent again until the deadline."];
    if rules.passes_unavailable() {
        list.ruled(
            number::UNAVAILABLE,
            "Unavailable card",
            "A selected card that is not available counts as a pass. It stays in the record as it was written.",
            RulingNote {
                issue: "T13-2",
                question,
                readings,
                chosen: "It counts as a pass: this post says so.",
                option: Some("unavailable=pass"),
            },
        );
    } else {
        list.ruled(
            number::UNAVAILABLE,
            "Unavailable card",
            "Selecting a card that is not available is illegal and may be sent again.",
            RulingNote {
                issue: "T13-2",
                question,
                readings,
                chosen: "It is illegal: a seat loses a round only where the post says so, and this one does not.",
                option: Some("unavailable=refused"),
            },
        );
    }
    list.clause(
        number::BURNED,
        "The same card",
        "A card that both selected is burned: it goes to neither seat and is gone, and the round is complete.",
    );
}

fn acting(rules: &Rules, list: &mut ClauseList) {
    list.clause(
        number::ACTION,
        "Action",
        "Otherwise each seat that has a card secretly decides what becomes of it: it is claimed to the front, the middle or the back hand, or discarded. Where both have one they decide at the same time.",
    );
    list.clause(
        number::DISCARD,
        "Discarding",
        "A discarded card goes into no hand. A seat that sends nothing in time discards.",
    );
    let question = "What of a claim to a hand that is full? (One post is silent.)";
    let readings = &["It counts as a discard.", "It is illegal and may be sent again until the deadline."];
    if rules.discards_into_full() {
        list.ruled(
            number::FULL_HAND,
            "Full hand",
            "A claim to a hand that is full counts as a discard.",
            RulingNote {
                issue: "T13-3",
                question,
                readings,
                chosen: "It counts as a discard: this post says so.",
                option: Some("full-hand=discard"),
            },
        );
    } else {
        list.ruled(
            number::FULL_HAND,
            "Full hand",
            "Claiming to a hand that is full is illegal and may be sent again.",
            RulingNote {
                issue: "T13-3",
                question,
                readings,
                chosen: "It is illegal: this post says that one can no longer claim there, and names no other outcome.",
                option: Some("full-hand=refused"),
            },
        );
    }
    list.clause(
        number::GONE,
        "Taken cards",
        "A selected card is no longer available from the moment it is shown, whatever becomes of it. A claimed card never moves again.",
    );
    list.clause(
        number::ROUND,
        "Complete rounds",
        "A round is complete with a burned card, with a pass of both seats, or with the end of the action. A challenge completes none.",
    );
}

fn valid_sets(list: &mut ClauseList) {
    list.clause(
        number::VALID_SET,
        "Valid set",
        "Three hands are a valid set when all of them are full, the front hand is weaker than the middle hand, and the middle hand is weaker than the back hand. Hands of equal strength are not in order.",
    );
    list.clause(
        number::ORDER,
        "Strength",
        "Hands rank as in poker, from the weakest: high card, pair, two pairs, three of a kind, straight, flush, full house, four of a kind, straight flush. Within a category ranks decide, those of which there are more cards first, then the others from the highest. Suits are equal. The ace is high, except in A-2-3-4-5, which is the lowest straight.",
    );
    list.ruled(
        number::FRONT,
        "Front hand",
        "Three cards are a high card, a pair or three of a kind. Against the middle hand the category decides first, then the ranks; a hand that has run out of kickers where the other still has one is the weaker.",
        RulingNote {
            issue: "T13-4",
            question: "Three cards of one suit or in a row at the front: what are they?",
            readings: &["They are forbidden there, and make the set invalid.", "They count as what else they are: a high card."],
            chosen: "A high card. The posts go on to list what a front hand can be, and every three cards are one of these.",
            option: None,
        },
    );
}

fn challenges(list: &mut ClauseList) {
    list.ruled(
        number::CHALLENGE,
        "Challenge",
        "Instead of selecting, a seat may challenge, openly: it says that its opponent can no longer complete a valid set. The first challenge recorded in a round stands, and the round's selections are void.",
        RulingNote {
            issue: "T13-5",
            question: "What becomes of a selection that the opponent had sent before the challenge?",
            readings: &["The card is taken, and not available for the answer.", "Nothing: it was never shown."],
            chosen: "Nothing. Cards are taken when both selections are shown, and here they never are.",
            option: None,
        },
    );
    list.ruled(
        number::ANSWER,
        "The answer",
        "The challenged seat answers with three complete hands, written front | middle | back. Each holds all the cards already claimed to it, in any order, and is filled up with cards that are still available, each used once.",
        RulingNote {
            issue: "T13-6",
            question: "May an answer that is no valid set be put right?",
            readings: &[
                "No: the first answer is the answer.",
                "Yes, until the deadline: it is refused with what is wrong, and may be sent again.",
            ],
            chosen: "Yes. The seat has all of its time to form a set, and a slip of the pen is no failure to do so.",
            option: None,
        },
    );
    list.ruled(
        number::FAILED,
        "No valid set",
        "If no valid set is shown by the deadline, the challenger wins.",
        RulingNote {
            issue: "T13-7",
            question: "What of an answer in a record, opened or imported, that is no valid set?",
            readings: &[
                "It is an error: such an answer is refused.",
                "It stands, and loses, as long as it is three groups of cards; anything else is no answer and cannot be read.",
            ],
            chosen: "It stands and loses: a record says what was done, and there is no sending again. Three groups of one card or more each are an answer, however wrong in number, order or cards; a word that is no card, or another number of groups, is an error in a record too. Nothing at all is written -.",
            option: None,
        },
    );
    list.clause(number::MET, "Valid set shown", "If the challenged seat shows a valid set, it wins.");
}

fn ending(rules: &Rules, list: &mut ClauseList) {
    let mut text = String::from(match rules.last_card {
        LastCard::Unplayed => {
            "The match ends when, after a complete round, no card or exactly one is available; that one is not played."
        }
        LastCard::Played => "The match ends when, after a complete round, no card is available.",
    });
    match rules.full_hands {
        FullHands::PlayOn => text.push_str(" Full hands end nothing."),
        FullHands::End => text.push_str(" It also ends when all six hands are full."),
    }
    match rules.double_passes {
        DoublePasses::EndAtThree => {
            text.push_str(" It also ends after three rounds in a row in which both seats passed.");
            list.ruled(
                number::END,
                "The end",
                text,
                RulingNote {
                    issue: "T13-8",
                    question: "Does the match end before its cards do when all six hands are full?",
                    readings: &[
                        "Yes: nothing can change any more.",
                        "No: play goes on to the last card, or to three double passes.",
                    ],
                    chosen: "No. The post lists the ends, and this is none of them.",
                    option: Some("full-hands=play-on"),
                },
            );
        }
        DoublePasses::EndNothing => {
            text.push_str(" Passes end nothing; where both seats only pass, the umpire decides.");
            list.ruled(
                number::END,
                "The end",
                text,
                RulingNote {
                    issue: "T13-9",
                    question: "What ends a match in which both seats only pass?",
                    readings: &[
                        "Three rounds in a row of it, as in the hosting it descends from.",
                        "Nothing but the umpire.",
                    ],
                    chosen: "Nothing but the umpire: the post names two ends, and passes are not among them.",
                    option: Some("double-passes=end-nothing"),
                },
            );
        }
    }
}

fn winning(list: &mut ClauseList) {
    list.clause(number::ONE_VALID, "One valid set", "At the end, a seat with a valid set wins against one without.");
    list.ruled(
        number::COMPARED,
        "Two valid sets",
        "Front is held against front, middle against middle, back against back. The seat that wins more of the three wins.",
        RulingNote {
            issue: "T13-10",
            question: "What if both seats win as many hands, some being equal?",
            readings: &["The back hands decide, then the middle hands.", "The rules name no winner, and the umpire decides."],
            chosen: "The umpire decides: the posts know no other comparison.",
            option: None,
        },
    );
    list.ruled(
        number::NO_WINNER,
        "No winner by the rules",
        "Where neither seat has a valid set, or both win as many hands, the rules name no winner and the umpire decides.",
        RulingNote {
            issue: "T13-11",
            question: "Who wins when neither seat has a valid set?",
            readings: &["The hands are compared all the same.", "The rules name no winner, and the umpire decides."],
            chosen: "The umpire decides. The posts compare hands of valid sets, and give the match to a seat only for the other's fault.",
            option: None,
        },
    );
}

fn around(list: &mut ClauseList) {
    list.clause(
        number::OPEN,
        "Open information",
        "Everything is public but the selections and actions that are still being decided.",
    );
    list.ruled(
        number::CLOCK,
        "Clock",
        format!(
            "{SELECTION_SECONDS} seconds for a selection, {ACTION_SECONDS} for an action, {ANSWER_SECONDS} to answer a challenge. A seat that sends nothing passes, discards, or loses the challenge."
        ),
        RulingNote {
            issue: "T13-12",
            question: "What does it mean that a seat which may challenge sends nothing?",
            readings: &["It does not challenge, and that is no line of a record.", "It does not challenge; where a record says so all the same, nothing changes."],
            chosen: "It is no line. Nobody waits for a challenge, so that its absence is no answer; a - of one seat alone while both select is refused.",
            option: None,
        },
    );
    list.ruled(
        number::AUDIT,
        "Could it still be done?",
        "Of every moment the record can be asked whether each seat could still complete a valid set from its hands, a card that it is about to decide on, and the available cards. A set that is found is shown; where none is, every way of completing the hands has been ruled out.",
        RulingNote {
            issue: "T13-13",
            question: "While a seat decides what becomes of a card, does that card count as one it could use?",
            readings: &["No: it is not available any more.", "Yes, for that seat: it can still claim it."],
            chosen: "Yes, for that seat. Otherwise the record would call impossible what the next step does. A challenge never meets such a card.",
            option: None,
        },
    );
}

pub(super) const SELECTION_SECONDS: u32 = 60;
pub(super) const ACTION_SECONDS: u32 = 60;
pub(super) const ANSWER_SECONDS: u32 = 180;
