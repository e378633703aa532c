//! The ruleset in our own words, clause by clause, and the rulings where the rule post leaves something open.

use alloc::vec::Vec;

use crate::clause::ClauseList;
use crate::{Clause, RulingNote};

/// The clauses' numbers, as effects and refusals cite them.
pub(super) mod number {
    pub(crate) const CHOOSING: &str = "2.1.1";
    pub(crate) const SAME_SET: &str = "2.1.2";
    pub(crate) const POT: &str = "2.2";
    pub(crate) const BLOCKING: &str = "2.3";
    pub(crate) const GROW: &str = "2.4.1";
    pub(crate) const CLAIM: &str = "2.4.2";
    pub(crate) const STEAL: &str = "2.4.3";
    pub(crate) const LAMPS: &str = "2.5";
    pub(crate) const END: &str = "2.6";
    pub(crate) const CLOCK: &str = "2.7";
}

pub(super) fn all() -> Vec<Clause> {
    let mut list = ClauseList::default();
    choosing(&mut list);
    acting(&mut list);
    ending(&mut list);
    list.clauses
}

fn choosing(list: &mut ClauseList) {
    list.clause(
            number::CHOOSING,
            "Choosing",
            "Each round both seats secretly name none, one or two different actions out of Grow, Claim, Steal. A submission may be replaced until the deadline; the last one counts.",
        );
    list.ruled(
            number::SAME_SET,
            "Same set",
            "A seat may not submit exactly the set of its last submission. A round in which nothing came is a submission of nothing; nothing after nothing is allowed.",
            RulingNote {
                issue: "TCT-1",
                question: "May a seat that sent nothing send nothing again?",
                readings: &[
                    "No: the set would be the same, yet the clock would default to it.",
                    "Yes: the default must always be possible.",
                ],
                chosen: "Yes. Any other repeated set is illegal and may be sent again until the deadline.",
                option: None,
            },
        );
    list.clause(
        number::POT,
        "The pot",
        "At the start of each round an empty pot gets 1 chip; so the first round starts with 1.",
    );
}

fn acting(list: &mut ClauseList) {
    list.clause(
            number::BLOCKING,
            "Blocked",
            "A seat that chose one action cannot be blocked. Of a seat that chose two, each action that the opponent also chose is blocked, even where the opponent's is blocked as well. A blocked action does nothing and lights nothing.",
        );
    list.clause(number::GROW, "Grow", "1 chip is added to the pot, before Claim and Steal look at it.");
    list.clause(
        number::CLAIM,
        "Claim",
        "The seat takes the pot. Two Claims that are not blocked share it evenly, and an odd chip stays in the pot.",
    );
    list.ruled(
            number::STEAL,
            "Steal",
            "The seat takes what the opponent's Claim took in this round. Where there was no such Claim, or it was blocked, Steal fails.",
            RulingNote {
                issue: "TCT-2",
                question: "Can Steal take more than the opponent's Claim took?",
                readings: &["Yes: chips of earlier rounds too.", "Never more than that Claim took."],
                chosen: "Never more: the post lets Steal fail against a blocked Claim, so it feeds on the Claim alone.",
                option: None,
            },
        );
}

fn ending(list: &mut ClauseList) {
    list.clause(
            number::LAMPS,
            "Lamps",
            "Every action that is not blocked lights its lamp, whether or not it gained anything. A seat with all three lit after the round gains 1 chip, and its lamps go off.",
        );
    list.clause(
            number::END,
            "The end",
            "After 20 rounds the seat with more chips wins. A tie adds 5 rounds, once; if the seats are still level, the Death Match Opponent wins.",
        );
    list.clause(number::CLOCK, "Clock", "60 seconds for each submission. A seat that sends nothing plays nothing.");
}
