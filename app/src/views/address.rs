//! The addresses of a match, of a ruleset and of a rule.

use engine::Ruleset;
use ledger::MatchId;

use crate::{named_clauses, slug};

/// The page of a match.
#[must_use]
pub fn match_address(match_id: MatchId) -> String {
    format!("/m/{}", slug(match_id))
}

/// The page of a ruleset, by its id.
#[must_use]
pub fn ruleset_address(ruleset: &str) -> String {
    format!("/rules/{ruleset}")
}

/// The place of a clause on its ruleset's page.
#[must_use]
pub fn rule_address(ruleset: &str, rule: &str) -> String {
    format!("/rules/{ruleset}#{rule}")
}

/// A rule with a link to its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleLink {
    /// The clause's number, such as `1.5.3`, or the text that an umpire wrote.
    pub number: String,
    /// The address of its text; none if the ruleset has no such clause.
    pub address: Option<String>,
}

impl RuleLink {
    /// A clause that certainly exists in the ruleset.
    #[must_use]
    pub fn known(ruleset: &str, number: &str) -> Self {
        Self { number: number.to_owned(), address: Some(rule_address(ruleset, number)) }
    }

    /// A clause as an umpire wrote it.
    #[must_use]
    pub fn written(ruleset: &'static dyn Ruleset, number: &str) -> Self {
        let number = number.trim();
        let known = named_clauses(ruleset).iter().any(|clause| clause.number == number);
        let address = known.then(|| rule_address(ruleset.card().id, number));
        Self { number: number.to_owned(), address }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_clauses_that_are_there_are_linked() {
        let ruleset = engine::rulesets().next().unwrap();
        assert!(RuleLink::written(ruleset, " 0.5 ").address.unwrap().ends_with("#0.5"));
        assert!(RuleLink::written(ruleset, "1.4").address.unwrap().ends_with("#1.4"));
        assert_eq!(RuleLink::written(ruleset, "javascript:x").address, None);
    }
}
