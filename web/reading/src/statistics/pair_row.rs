//! Two kinds of moves that were sent in the same step, as a row of a table.

use app::archive::PairCount;
use record::words::{capital, row_rules, sent_words};

use super::matrix::{KindPair, NOT_ASKED};
use page::Rate;

pub(super) struct PairRow {
    pub(super) what: String,
    pub(super) p1: String,
    pub(super) p2: String,
    pub(super) n: i64,
    pub(super) matches: Option<String>,
    pub(super) won: [Rate; 2],
    pub(super) gain: [String; 2],
    /// Where the explorer goes on from here.
    pub(super) address: Option<String>,
}

pub(super) fn met(p1: &str, p2: &str) -> String {
    match (p1, p2) {
        (_, NOT_ASKED) => format!("Seat 1: {p1}"),
        (NOT_ASKED, _) => format!("Seat 2: {p2}"),
        _ => format!("{p1} against {p2}"),
    }
}

impl PairRow {
    pub(super) fn alone(&self) -> Option<String> {
        [&self.p1, &self.p2].iter().any(|words| *words == NOT_ASKED).then(|| met(&self.p1, &self.p2))
    }

    /// A pair of kinds of moves, with the address of its matches.
    pub(super) fn of_kinds(ruleset: &str, pair: &PairCount, matches: Option<String>) -> Self {
        Self::of(pair, [&pair.p1, &pair.p2].map(|sent| sent_words(row_rules(ruleset), sent)), None, matches)
    }

    pub(super) fn kind_pair(&self) -> KindPair<'_> {
        KindPair { what: &self.what, p1: &self.p1, p2: &self.p2, n: self.n }
    }

    /// A pair of moves, in words for people.
    pub(super) fn of(
        pair: &PairCount,
        [p1, p2]: [String; 2],
        address: Option<String>,
        matches: Option<String>,
    ) -> Self {
        let n = pair.n;
        let gain = |all: i64| {
            if n == 0 { String::new() } else { format!("{:+.2}", all as f64 / n as f64) }
        };
        Self {
            what: capital(&pair.what),
            p1,
            p2,
            n,
            won: [pair.won_p1, pair.won_p2].map(|k| Rate { k, n }),
            gain: [pair.gain_p1, pair.gain_p2].map(gain),
            address,
            matches,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seat_that_was_not_asked_met_nobody() {
        assert_eq!(met("Raises", NOT_ASKED), "Seat 1: Raises");
        assert_eq!(met(NOT_ASKED, "Folds"), "Seat 2: Folds");
        assert_eq!(met("Score", "Claim"), "Score against Claim");
    }
}
