//! The addresses of a match, of a ruleset and of a rule.

use engine::Ruleset;
use engine::games::declared::DECLARED;
use ledger::MatchId;
use record::{History, game_hash};

use crate::{named_clauses, slug};

#[must_use]
pub fn match_address(match_id: MatchId) -> String {
    format!("/m/{}", slug(match_id))
}

#[must_use]
pub fn ruleset_address(ruleset: &str) -> String {
    format!("/rules/{ruleset}")
}

/// The page of a match's rules, or of its game if the umpire declared it.
#[must_use]
pub fn rules_address(history: &History) -> String {
    let declared = history.ruleset().declaration().map(|game| format!("/games/{}", game_hash(game)));
    declared.unwrap_or_else(|| ruleset_address(&history.opened.ruleset))
}

#[must_use]
pub fn rule_address(ruleset: &str, rule: &str) -> String {
    format!("/rules/{ruleset}#{rule}")
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleLink {
    pub number: String,
    pub address: Option<String>,
}

impl RuleLink {
    #[must_use]
    pub fn known(ruleset: &str, number: &str) -> Self {
        // A declared game has no rules to read.
        if ruleset == DECLARED {
            return Self { number: String::new(), address: None };
        }
        Self { number: number.to_owned(), address: Some(rule_address(ruleset, number)) }
    }

    #[must_use]
    pub fn written(ruleset: &dyn Ruleset, number: &str) -> Self {
        let number = number.trim();
        let known = named_clauses(ruleset).iter().any(|clause| clause.number == number);
        if known { Self::known(ruleset.card().id, number) } else { Self { number: number.to_owned(), address: None } }
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
