//! The numbers of the clauses; `clauses.txt` has the ruleset in our own words.

use alloc::vec::Vec;

use crate::{Clause, clause};

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
    clause::read(include_str!("clauses.txt"), &[], &[])
}
