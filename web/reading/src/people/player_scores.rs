//! The results of a player, added up by ruleset and by chair.

use app::archive::{Score, Tally};

use app::views::{ruleset_address, ruleset_name};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ScoreRow {
    pub(super) label: String,
    pub(super) address: Option<String>,
    pub(super) score: Score,
}

impl ScoreRow {
    const fn counts(&self) -> bool {
        self.score.ended() + self.score.running > 0
    }
}

pub(super) fn by_ruleset(tallies: &[Tally]) -> Vec<ScoreRow> {
    let mut rulesets: Vec<&str> = tallies.iter().map(|tally| tally.ruleset.as_str()).collect();
    rulesets.dedup();
    let row = |ruleset: &str| ScoreRow {
        label: ruleset_name(ruleset),
        address: engine::ruleset(ruleset).is_ok().then(|| ruleset_address(ruleset)),
        score: Score::of(tallies.iter().filter(|tally| tally.ruleset == ruleset)),
    };
    rulesets.into_iter().map(row).filter(ScoreRow::counts).collect()
}

type IsChair = fn(&Tally) -> bool;

/// By seat, and as DMO and EC if the match names them. A chair that the player never took is left out.
pub(super) fn by_chair(tallies: &[Tally]) -> Vec<ScoreRow> {
    let chairs: [(&str, IsChair); 4] = [
        ("In seat 1", |tally| tally.seat == "p1"),
        ("In seat 2", |tally| tally.seat == "p2"),
        ("As DMO", |tally| tally.dmo == Some(true)),
        ("As EC", |tally| tally.dmo == Some(false)),
    ];
    let row = |(label, is_chair): (&str, IsChair)| ScoreRow {
        label: label.to_owned(),
        address: None,
        score: Score::of(tallies.iter().filter(|tally| is_chair(tally) && !tally.result_only)),
    };
    chairs.into_iter().map(row).filter(ScoreRow::counts).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(ruleset: &str, seat: &str, dmo: Option<bool>, standing: &str, n: i64) -> Tally {
        Tally { ruleset: ruleset.into(), seat: seat.into(), dmo, standing: standing.into(), result_only: false, n }
    }

    #[test]
    fn results_are_added_up_by_chair_and_ruleset() {
        let tallies = [
            tally("three-card/simply-genius", "p1", Some(true), "won", 3),
            tally("three-card/simply-genius", "p2", Some(false), "lost", 2),
            tally("three-card/simply-genius", "p2", None, "void", 1),
            tally("thwart-13/legends-untold", "p1", None, "*", 1),
        ];
        assert_eq!(Score::of(&tallies), Score { won: 3, lost: 2, void: 1, running: 1, ..Score::default() });
        assert_eq!((Score::of(&tallies).ended(), Score::of(&tallies).all()), (5, 7), "void counts for nobody");
        let chairs: Vec<_> = by_chair(&tallies).into_iter().map(|row| (row.label, row.score.ended())).collect();
        let expected = [("In seat 1", 3), ("In seat 2", 2), ("As DMO", 3), ("As EC", 2)];
        assert_eq!(chairs, expected.map(|(label, n)| (label.to_owned(), n)));
        assert_eq!(by_ruleset(&tallies).len(), 2);
        let known = Tally { result_only: true, ..tally("Colour Wheel", "p1", None, "won", 2) };
        let all = Score::of(tallies.iter().chain([&known]));
        assert_eq!((all.won, all.result_only), (5, 2));
        assert_eq!(by_chair(std::slice::from_ref(&known)), [], "nobody told the seats");
        assert_eq!(by_ruleset(&[known])[0].address, None, "a game in words has no rules here");
    }
}
