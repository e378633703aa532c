//! The numbers of the clauses; `clauses.txt` has the ruleset in our own words.

use alloc::vec::Vec;

use super::rules::Rules;
use crate::{Clause, clause};

pub(super) mod number {
    pub(crate) const DEAL: &str = "4.2";
    pub(crate) const STARTER: &str = "4.3";
    pub(crate) const REFILL: &str = "4.4.1";
    pub(crate) const OFFER: &str = "4.4.2";
    pub(crate) const DIVIDING: &str = "4.4.3";
    pub(crate) const DISCARDS: &str = "4.4.4";
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
    pub(crate) const MISSING: &str = "4.11.1";
    pub(crate) const DEFAULT_PRIVATE: &str = "4.11.2";
}

pub(super) fn of(rules: &Rules) -> Vec<Clause> {
    clause::read(include_str!("clauses.txt"), &rules.options(), &[])
}
