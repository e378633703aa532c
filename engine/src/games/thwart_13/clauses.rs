//! The numbers of the clauses; `clauses.txt` has the ruleset in our own words.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::rules::Rules;
use crate::{Clause, clause};

pub(super) mod number {
    pub(crate) const SELECTION: &str = "3.2.1";
    pub(crate) const PASS: &str = "3.2.2";
    pub(crate) const UNAVAILABLE: &str = "3.2.3";
    pub(crate) const BURNED: &str = "3.2.4";
    pub(crate) const ACTION: &str = "3.3.1";
    pub(crate) const DISCARD: &str = "3.3.2";
    pub(crate) const FULL_HAND: &str = "3.3.3";
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
    pub(crate) const CLOCK: &str = "3.9";
}

pub(super) fn of(rules: &Rules) -> Vec<Clause> {
    let words = [
        ("selection", &*SELECTION_SECONDS.to_string()),
        ("action", &ACTION_SECONDS.to_string()),
        ("answer", &ANSWER_SECONDS.to_string()),
    ];
    clause::read(include_str!("clauses.txt"), &rules.options(), &words)
}

pub(super) const SELECTION_SECONDS: u32 = 60;
pub(super) const ACTION_SECONDS: u32 = 60;
pub(super) const ANSWER_SECONDS: u32 = 180;
