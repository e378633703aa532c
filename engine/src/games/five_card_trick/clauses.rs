//! The ruleset in our own words, clause by clause, and the rulings where the rule posts leave something open.

use alloc::format;
use alloc::vec::Vec;

use super::rules::{Items, Picks, Rules, TargetSecrecy, Tie, Words};
use super::{Action, Item};
use crate::clause::ClauseList;
use crate::{Clause, RulingNote};

/// The clauses' numbers, as effects and refusals cite them.
pub(super) mod number {
    pub(crate) const CHOOSING: &str = "1.1.1";
    pub(crate) const TARGET: &str = "1.1.2";
    pub(crate) const THIRD_IN_A_ROW: &str = "1.1.3";
    pub(crate) const SAME_PAIR: &str = "1.1.4";
    pub(crate) const DOUBLE_BAN: &str = "1.1.5";
    pub(crate) const MISSING: &str = "1.1.6";
    pub(crate) const REPLAY: &str = "1.1.7";
    pub(crate) const LIGHTS: &str = "1.2";
    pub(crate) const CANCELLING: &str = "1.3";
    pub(crate) const BLOCKING: &str = "1.4";
    pub(crate) const SCORE: &str = "1.5.1";
    pub(crate) const GROW: &str = "1.5.2";
    pub(crate) const CLAIM: &str = "1.5.3";
    pub(crate) const STEAL: &str = "1.5.4";
    pub(crate) const BLOCK: &str = "1.5.5";
    pub(crate) const ROUND_END: &str = "1.6";
    pub(crate) const ITEMS: &str = "1.7.1";
    pub(crate) const OVERLOAD: &str = "1.7.2";
    pub(crate) const LIMIT_RESET: &str = "1.7.3";
    pub(crate) const CLAIM_PRIORITY: &str = "1.7.4";
    pub(crate) const BEFORE_THE_RESULT: &str = "1.7.5";
    pub(crate) const END: &str = "1.8";
    pub(crate) const TIE: &str = "1.9";
    pub(crate) const SECRETS: &str = "1.10";
    pub(crate) const CLOCK: &str = "1.11";
}

pub(super) fn of(rules: &Rules) -> Vec<Clause> {
    let mut list = ClauseList::default();
    choosing(rules, &mut list);
    third_in_a_row(rules, &mut list);
    same_pair(rules, &mut list);
    missing(rules, &mut list);
    table(rules, &mut list);
    acting(rules, &mut list);
    if rules.items == Items::Three {
        items(&mut list);
        claim_priority(&mut list);
    }
    ending(rules, &mut list);
    list.clauses
}

fn choosing(rules: &Rules, list: &mut ClauseList) {
    let names: Vec<&str> = Action::ALL.map(|action| rules.name(action)).to_vec();
    let due = match (rules.picks, rules.doubles()) {
        (Picks::ExactlyTwo, false) => "exactly two different actions",
        (Picks::ExactlyTwo, true) => "exactly two actions, which may be the same one twice",
        (Picks::UpToTwo, _) => "none, one or two different actions",
    };
    list.ruled(
        number::CHOOSING,
        "Choosing",
        format!(
            "Each round both seats secretly name {due} out of {}. A submission may be replaced until the deadline; the last one counts.",
            names.join(", ")
        ),
        RulingNote {
            issue: "FCT-1",
            question: "May one action be named twice, or more actions than allowed?",
            readings: &["The surplus is left out of play.", "The submission is illegal and may be sent again."],
            chosen: "It is illegal. Nobody could tell which of the surplus was meant.",
            option: None,
        },
    );
    let target = "Block is written with the action that it bars, as in block:claim.";
    if rules.refuses_faults() {
        list.clause(
            number::TARGET,
            "Target",
            format!("{target} Without one, the submission is illegal and may be sent again."),
        );
    } else {
        list.ruled(
            number::TARGET,
            "Target",
            format!("{target} A Block without one is left out of play, before anything else is looked at; it turns on no {}.", rules.light().0),
            RulingNote {
                issue: "FCT-2",
                question: "What of a Block that names nothing? (Silent in Setna's Curse only.)",
                readings: &["It is left out, as in the hostings it descends from.", "The submission is illegal."],
                chosen: "It is left out everywhere that submissions hold up to two actions.",
                option: Some("faults=left-out"),
            },
        );
    }
}

fn third_in_a_row(rules: &Rules, list: &mut ClauseList) {
    let fate = if rules.refuses_faults() {
        "is illegal and may be sent again"
    } else {
        "is left out of play: it turns nothing on, meets nothing and does nothing"
    };
    let third = format!("An action that counted for a seat in both of its last two rounds {fate}.");
    if rules.refuses_faults() {
        list.clause(number::THIRD_IN_A_ROW, "Third in a row", third);
    } else {
        list.ruled(
            number::THIRD_IN_A_ROW,
            "Third in a row",
            third,
            RulingNote {
                issue: "FCT-15",
                question: "What is free after a round in which fewer than two actions counted?",
                readings: &["Everything: no limit looks back past such a round.", "Every pair; a third in a row stays one."],
                chosen: "Every pair. One hosting lets a seat choose anything then, the others lift the limit on pairs alone, and all of them mean it to stand beside that limit.",
                option: None,
            },
        );
    }
}

fn same_pair(rules: &Rules, list: &mut ClauseList) {
    let pair = "two actions that are the very two which counted for the seat in its last round";
    if rules.refuses_faults() {
        list.clause(
            number::SAME_PAIR,
            "Same pair",
            format!("A submission of {pair} is illegal and may be sent again."),
        );
    } else {
        list.ruled(
            number::SAME_PAIR,
            "Same pair",
            format!("Of {pair}, both are left out of play. Where fewer than two counted in the last round, this limit does not apply."),
            RulingNote {
                issue: "FCT-3",
                question: "Is the pair looked at as it was written, or after 1.1.3 has left something out?",
                readings: &[
                    "As written: after A B and A C, another A C loses both.",
                    "After 1.1.3: A is gone, C alone is no pair, and C counts.",
                ],
                chosen: "As written. Both limits look at the same submission, less a Block without target, so that their order does not matter.",
                option: None,
            },
        );
    }
    if rules.doubles() {
        list.ruled(
            number::DOUBLE_BAN,
            "After a double",
            "An action that a seat doubled in its last round may not be named by it in this one.",
            RulingNote {
                issue: "FCT-4",
                question: "May a doubled Block name two targets?",
                readings: &["One for each copy.", "One target, written with both copies."],
                chosen: "One target. Two copies act once, so there is one Block.",
                option: None,
            },
        );
    }
}

fn missing(rules: &Rules, list: &mut ClauseList) {
    let missing = "A seat that sends nothing before the deadline plays nothing. That breaks its runs: nothing counted for it in that round.";
    if rules.doubles() {
        list.ruled(
            number::MISSING,
            "Nothing in time",
            missing,
            RulingNote {
                issue: "FCT-16",
                question: "What of a final's round in which a seat, or both, send nothing? (The final's post is silent.)",
                readings: &["A round that both miss is replayed, as in the game before it.", "The seat plays nothing, and the round is played."],
                chosen: "It is played. The replay is a rule of the other text, and the final says nothing of it.",
                option: Some("both-missing=played"),
            },
        );
    } else {
        list.clause(number::MISSING, "Nothing in time", missing);
    }
    if rules.replays() {
        list.ruled(
            number::REPLAY,
            "Replayed round",
            "When both seats send nothing, the round is replayed. Nothing changes, its number stays, and what was blocked stays blocked.",
            RulingNote {
                issue: "FCT-5",
                question: "Does a Block run out in a round that is replayed?",
                readings: &["It was for that round, so it is spent.", "The round has not been played yet, so it holds for the replay."],
                chosen: "It holds. For every limit, too, a replayed round does not exist.",
                option: None,
            },
        );
    }
}

fn table(rules: &Rules, list: &mut ClauseList) {
    let (light, lights) = rules.light();
    list.clause(
        number::LIGHTS,
        lights,
        format!("Every action that counts turns on its {light} for that seat, whether or not it is cancelled, blocked or fails."),
    );
    if rules.doubles() {
        list.ruled(
            number::CANCELLING,
            "Cancelling",
            "When both seats play an action, the seat with more copies prevails and the other's are cancelled; equal copies cancel for both. Two copies act once.",
            RulingNote {
                issue: "FCT-6",
                question: "Are blocked copies compared?",
                readings: &["No: what is blocked is not there.", "Yes: it is there, and does not act."],
                chosen: "Yes. A blocked claim claim still beats a single Claim, and then does nothing.",
                option: None,
            },
        );
    } else {
        list.clause(
            number::CANCELLING,
            "Cancelling",
            "An action that counts for both seats is cancelled for both, also where it is blocked for one of them.",
        );
    }
    list.clause(
        number::BLOCKING,
        "Blocked",
        format!("An action that the opponent's Block named in the last round does not act in this one. It may still be played: it counts, turns on its {light}, and meets the opponent's."),
    );
}

fn acting(rules: &Rules, list: &mut ClauseList) {
    let chip = rules.chip();
    list.clause(number::SCORE, "Score", format!("The seat gains 1 {chip} from outside the pot."));
    list.clause(
        number::GROW,
        rules.name(Action::Grow),
        format!("1 {chip} is added to the pot, before Claim and Steal look at it."),
    );
    list.clause(
        number::CLAIM,
        "Claim",
        "The seat takes the whole pot, unless the opponent has a Steal that is neither cancelled nor blocked.",
    );
    let steal = "The seat takes the whole pot, but only if the opponent has a Claim that is neither cancelled nor blocked. Otherwise it fails.";
    if rules.refuses_faults() {
        list.ruled(
            number::STEAL,
            "Steal",
            steal,
            RulingNote {
                issue: "FCT-7",
                question: "Does Steal work against a Claim that is cancelled or blocked?",
                readings: &["Yes: the opponent did play Claim.", "No: there is no Claim to take from."],
                chosen: "No, as a later hosting of the game clarified.",
                option: None,
            },
        );
    } else {
        list.clause(number::STEAL, "Steal", steal);
    }
    list.clause(
        number::BLOCK,
        "Block",
        "In the next round, and in that one only, the opponent's action of that name is blocked.",
    );
    let (light, lights) = rules.light();
    list.clause(
        number::ROUND_END,
        "Round's end",
        format!(
            "A seat with all five {} on gains 1 {chip}, and its {} go off. Then an empty pot gets 1 {chip}. The pot starts the match with 1 {chip}, the seats with none, and every {light} is off.",
            lights.to_ascii_lowercase(),
            lights.to_ascii_lowercase()
        ),
    );
}

fn items(list: &mut ClauseList) {
    let names = Item::ALL.map(Item::name).join(", ");
    list.ruled(
        number::ITEMS,
        "Items",
        format!("Seats may have received items before the match: {names}. Each can be used once, by its holder. Overload and Limit Reset are part of the secret submission and shown with the round's result."),
        RulingNote {
            issue: "FCT-8",
            question: "How many of each item are there?",
            readings: &["As many as are won.", "One of each."],
            chosen: "One of each; an item may stay ungiven.",
            option: None,
        },
    );
    list.ruled(
        number::OVERLOAD,
        "Overload",
        "Three actions are named instead of two, not all the same. Every two of them obey the limits: no selection of two within the submission may be one that was within the last round's.",
        RulingNote {
            issue: "FCT-9",
            question: "Is a double a selection of two actions?",
            readings: &["No: a pair is two different actions.", "Yes."],
            chosen: "Yes. The post speaks of each selection of two of the cards.",
            option: None,
        },
    );
    list.ruled(
        number::LIMIT_RESET,
        "Limit Reset",
        "Earlier rounds limit nothing in this submission (1.1.3, 1.1.4, 1.1.5), and the next round's limits look at this round alone.",
        RulingNote {
            issue: "FCT-10",
            question: "What does it lift?",
            readings: &["Every restriction, a Block and Overload's among them.", "What earlier rounds restrict."],
            chosen: "What earlier rounds restrict. A blocked action stays blocked, and three actions may still not all be the same.",
            option: None,
        },
    );
}

fn claim_priority(list: &mut ClauseList) {
    list.ruled(
        number::CLAIM_PRIORITY,
        "Claim Priority",
        "After a round in which both Claims tied with at least one copy each, its holder may take the whole pot as it then stands; the pot becomes 1 and the clock starts again. The window closes on use, on declining, or with the next round's submissions; declining keeps the item.",
        RulingNote {
            issue: "FCT-11",
            question: "When exactly may it be used?",
            readings: &[
                "After any tied Claims.",
                "Only if the opponent's Steal did not act, reading \"resolve\" as neither cancelled nor blocked; and not if the holder's own Claim was blocked.",
            ],
            chosen: "The second: Priority breaks the tie, and a Claim that wins the tie must itself be able to act.",
            option: None,
        },
    );
    list.ruled(
        number::BEFORE_THE_RESULT,
        "Before the result",
        "Where the result is examined after the round, the match waits until Claim Priority is used or declined, and examines it then.",
        RulingNote {
            issue: "FCT-17",
            question: "May Claim Priority change the result of the last round?",
            readings: &["No: the round is over, and the chips are counted.", "Yes: it is used after a round's results, and the last one has results too."],
            chosen: "Yes. So the match waits for the holder before it counts.",
            option: None,
        },
    );
}

fn ending(rules: &Rules, list: &mut ClauseList) {
    let (chips, last) = (rules.chips_title().to_ascii_lowercase(), rules.last_round());
    list.clause(
        number::END,
        "The end",
        format!("After round 25 the seat with more {chips} wins. While the seats are level five more rounds are played, up to round {last}."),
    );
    match rules.tie {
        Tie::Dmo => {
            list.clause(number::TIE, "Still level", format!("Level after round {last}: the Death Match Opponent wins."));
        }
        Tie::LastTaker => list.ruled(
            number::TIE,
            "Still level",
            format!("Level after round {last}: whoever took the pot last, with Claim or with Steal, wins. If nobody ever did, the rules name no winner."),
            RulingNote {
                issue: "FCT-12",
                question: "And if nobody ever took the pot?",
                readings: &["The DMO wins.", "The rules name no winner, and the umpire decides."],
                chosen: "The umpire decides: this hosting gives the DMO nothing.",
                option: Some("tie=last-taker"),
            },
        ),
        Tie::MoreItems => list.ruled(
            number::TIE,
            "Still level",
            format!("Level after round {last}: the seat that received more of this game's items wins. With as many each, the rules name no winner."),
            RulingNote {
                issue: "FCT-13",
                question: "Do used items count?",
                readings: &["Only items still held.", "Items received, used or not."],
                chosen: "Items received: using one should not cost the match.",
                option: Some("tie=more-items"),
            },
        ),
    }
    if rules.target == TargetSecrecy::SealedUnlessItActs {
        list.ruled(
            number::SECRETS,
            "Secret target",
            "The target of a Block that was cancelled, blocked or left out is not shown to the opponent or the public before the match is over.",
            RulingNote {
                issue: "FCT-14",
                question: "Does a Block that was left out reveal its target?",
                readings: &["Yes: only a cancelled one is secret.", "No: it did not act for whatever reason."],
                chosen: "No. The post says \"for whatever reason\".",
                option: Some("target=sealed-unless-it-acts"),
            },
        );
    } else {
        list.clause(number::SECRETS, "Open information", "Everything but the running round's submissions is public.");
    }
    let seconds = rules.clock_seconds();
    let word = if rules.words == Words::Gems { "ability" } else { "action" };
    list.clause(
        number::CLOCK,
        "Clock",
        format!("{seconds} seconds for each submission, without reserve. An {word} that comes later does not count."),
    );
}
