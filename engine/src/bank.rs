//! Time that a seat has in store for a whole match.

use crate::{Shared, Word};

/// Extensions that begin by themselves when a seat's time runs out. They are counted where the clock is kept; the rules
/// only learn the answer, or that none came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bank {
    /// The number of extensions of each seat, for the whole match.
    pub extensions: u32,
    /// The length of each, in seconds.
    pub seconds: u32,
    /// It is one reserve of seconds: what was left of it when the answer came stays in store for later questions.
    pub reserve: bool,
    /// The words of the questions that they apply to.
    pub questions: Shared<[Word]>,
}

#[cfg(test)]
mod tests {
    #[test]
    fn one_game_has_a_bank_and_its_clause_says_the_same() {
        let mut with = crate::rulesets().filter_map(|ruleset| Some((ruleset, ruleset.bank()?)));
        let (ruleset, bank) = with.next().unwrap();
        assert!(with.next().is_none());
        assert_eq!((ruleset.card().id, bank.extensions, bank.seconds), ("higher-lower/tempo-up", 3, 30));
        let clauses = ruleset.clauses();
        let clock = clauses.iter().find(|clause| clause.title == "Clock").unwrap();
        assert!(clock.text.contains("three extensions of 30 seconds for the whole match"), "{}", clock.text);
    }
}
