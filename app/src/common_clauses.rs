//! Section 0: the clauses common to every game.

use engine::{Clause, Ruleset};

#[derive(Clone, Copy, Debug)]
pub struct CommonClause {
    pub number: &'static str,
    pub title: &'static str,
    pub text: &'static str,
}

impl CommonClause {
    #[must_use]
    pub fn clause(self) -> Clause {
        Clause { number: self.number, title: self.title, word: "", text: self.text.to_owned(), ruling: None }
    }
}

/// The clauses, in order.
pub const COMMON_CLAUSES: [CommonClause; 5] = [
    CommonClause {
        number: "0.1",
        title: "Seats",
        text: "Two players sit in seat 1 and seat 2, and every record names seat 1 first. Where a ruleset gives the Death Match Opponent (DMO) a right, the match says from its beginning which seat that is.",
    },
    CommonClause {
        number: "0.2",
        title: "No move",
        text: "A seat that sends nothing before its deadline has sent “-”, and what the question names as its default counts. Until the deadline a move may be changed, and the last one counts.",
    },
    CommonClause {
        number: "0.3",
        title: "Illegal moves",
        text: "A move that a rule forbids changes nothing: it is answered with the rule that forbids it, and another may be sent until the deadline. Where a ruleset says instead that a part is left out, the rest is played.",
    },
    CommonClause {
        number: "0.4",
        title: "Undecided",
        text: "A match that ends without a winner whom the rules name is undecided, with its reason. The program never makes up a winner.",
    },
    CommonClause {
        number: "0.5",
        title: "The umpire’s ruling",
        text: "The umpire may decide a match by a ruling at any time: for a seat, as undecided or as void. The ruling gives the reason and overrides the game’s own rules. It is part of the record, and the match’s page shows it for ever.",
    },
];

#[must_use]
pub fn named_clauses(ruleset: &dyn Ruleset) -> Vec<Clause> {
    COMMON_CLAUSES.into_iter().map(CommonClause::clause).chain(ruleset.clauses()).collect()
}
