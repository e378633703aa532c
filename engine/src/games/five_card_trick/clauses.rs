//! The numbers of the clauses; `clauses.txt` has the ruleset in our own words.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::rules::{Picks, Rules};
use super::{Action, Item};
use crate::{Clause, clause};

pub(super) mod number {
    pub(crate) const CHOOSING: &str = "1.1.1";
    pub(crate) const TARGET: &str = "1.1.2";
    pub(crate) const THIRD_IN_A_ROW: &str = "1.1.3";
    pub(crate) const SAME_PAIR: &str = "1.1.4";
    pub(crate) const DOUBLE_BAN: &str = "1.1.5";
    pub(crate) const MISSING: &str = "1.1.6";
    pub(crate) const REPLAY: &str = "1.1.7";
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
    pub(crate) const END: &str = "1.8";
    pub(crate) const TIE: &str = "1.9";
}

pub(super) fn of(rules: &Rules) -> Vec<Clause> {
    let due = match (rules.picks, rules.doubles()) {
        (Picks::ExactlyTwo, false) => "exactly two different actions",
        (Picks::ExactlyTwo, true) => "exactly two actions, which may be the same one twice",
        (Picks::UpToTwo, _) => "none, one or two different actions",
    };
    let (light, lights) = rules.light();
    let words = [
        ("due", due),
        ("actions", &Action::ALL.map(|action| rules.name(action)).join(", ")),
        ("items", &Item::ALL.map(Item::name).join(", ")),
        ("light", light),
        ("lights", &lights.to_ascii_lowercase()),
        ("chip", rules.chip()),
        ("chips", &rules.chips_title().to_ascii_lowercase()),
        ("last", &rules.last_round().to_string()),
        ("seconds", &rules.clock_seconds().to_string()),
    ];
    clause::read(include_str!("clauses.txt"), &rules.options(), &words)
}
