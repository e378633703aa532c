//! Section 0: the clauses common to every game.

use engine::Clause;

/// A clause of every ruleset.
#[derive(Clone, Copy, Debug)]
pub(super) struct CommonClause {
    pub(super) number: &'static str,
    pub(super) title: &'static str,
    pub(super) text: &'static str,
}

impl CommonClause {
    /// In the form of a ruleset's own clauses.
    pub(super) fn clause(self) -> Clause {
        Clause { number: self.number, title: self.title, text: self.text.to_owned(), ruling: None }
    }
}

/// The clauses, in order.
pub(super) const COMMON: [CommonClause; 5] = [
    CommonClause {
        number: "0.1",
        title: "Seats",
        text: "Two players sit in seat 1 and seat 2, and every record names seat 1 first. Where a ruleset gives the Death Match Opponent (DMO) a right, the match says from its beginning which seat that is.",
    },
    CommonClause {
        number: "0.2",
        title: "Nothing sent",
        text: "A seat that sends nothing before its deadline has sent “-”, and what the question names as its default counts. Until the deadline a submission may be replaced, and the last one counts.",
    },
    CommonClause {
        number: "0.3",
        title: "Illegal submissions",
        text: "A submission that a rule forbids changes nothing: it is answered with the rule that forbids it, and another may be sent until the deadline. Where a ruleset says instead that a part is left out, the rest is played.",
    },
    CommonClause {
        number: "0.4",
        title: "Undecided",
        text: "A match that ends without a winner whom the rules name is undecided, with its reason. The program never makes up a winner.",
    },
    CommonClause {
        number: "0.5",
        title: "The umpire’s decision",
        text: "The umpire may decide a match at any time, for a seat, as undecided or as void, and gives the reason. The decision is part of the record and overrides the game’s own rules. It can be seen on the match’s page for ever.",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use app::views::RuleLink;

    #[test]
    fn cited_common_clauses_exist() {
        let ruleset = engine::rulesets().next().unwrap();
        for clause in COMMON {
            let address = RuleLink::written(ruleset, clause.number).address;
            assert!(address.is_some_and(|address| address.ends_with(&format!("#{}", clause.number))));
        }
    }
}
