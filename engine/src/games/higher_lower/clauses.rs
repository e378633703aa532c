//! The numbers of the clauses; `clauses.txt` has the ruleset in our own words.

use alloc::vec::Vec;

use crate::{Clause, clause};

pub(super) mod number {
    pub(crate) const LAYOUT: &str = "5.1.2";
    pub(crate) const AGAIN: &str = "5.1.3";
    pub(crate) const COLOURS: &str = "5.2";
    pub(crate) const ASSIGNING: &str = "5.3.2";
    pub(crate) const FRUITS: &str = "5.3.3";
    pub(crate) const PATTERN: &str = "5.3.4";
    pub(crate) const ONCE: &str = "5.3.6";
    pub(crate) const INVALID: &str = "5.3.7";
    pub(crate) const STANDS: &str = "5.3.8";
    pub(crate) const GREY: &str = "5.4.1";
    pub(crate) const PARITY: &str = "5.4.2";
    pub(crate) const APART: &str = "5.4.3";
    pub(crate) const PLACING: &str = "5.5.1";
    pub(crate) const ORDER: &str = "5.5.2";
    pub(crate) const BOARD: &str = "5.6";
    pub(crate) const TURNING: &str = "5.7.1";
    pub(crate) const PREDICTING: &str = "5.7.2";
    pub(crate) const STOPPING: &str = "5.7.3";
    pub(crate) const TURN_END: &str = "5.7.4";
    pub(crate) const BOARD_END: &str = "5.8";
    pub(crate) const END: &str = "5.9";
    pub(crate) const CLOCK: &str = "5.10.1";
    pub(crate) const MISSED_BOARD: &str = "5.10.2";
    pub(crate) const MISSES: &str = "5.10.3";
}

pub(super) fn all() -> Vec<Clause> {
    clause::read(include_str!("clauses.txt"), &[], &[])
}
