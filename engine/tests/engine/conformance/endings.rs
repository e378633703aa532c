//! The possible endings of a match, ruleset by ruleset, as the rules name them.

use engine::Ruleset;

/// Status, winner and reason, in the words of the cases.
pub(crate) fn of(ruleset: &dyn Ruleset) -> Vec<String> {
    let options = ruleset.options();
    let option = |name: &str| options.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    let id = ruleset.card().id;
    // Reasons with a winner, then reasons without one.
    let (won, undecided): (&[&str], &[&str]) = match (ruleset.game(), option("tie")) {
        ("five-card-trick", Some("more-items")) => (&["more-chips", "more-items"], &["equal-items"]),
        ("five-card-trick", Some("last-taker")) => (&["more-chips", "last-taker"], &["nobody-took-the-pot"]),
        ("five-card-trick", Some("dmo")) | ("three-card", _) => (&["more-chips", "dmo"], &[]),
        ("thwart-13", _) => {
            (&["challenge-met", "challenge-failed", "opponent-invalid", "more-hands"], &["both-invalid", "equal-hands"])
        }
        ("devils-deal", _) => (&["no-private-cards", "no-ante", "no-penalty", "no-chips"], &[]),
        ("higher-lower", _) => (&["three-boards"], &[]),
        _ => panic!("{id}: say here how its matches can end"),
    };
    let seats =
        won.iter().copied().chain(["umpire"]).flat_map(|why| ["p1", "p2"].map(|seat| format!("won {seat} {why}")));
    let nobody = undecided.iter().copied().chain(["umpire"]).map(|why| format!("undecided {why}"));
    seats.chain(nobody).chain(["void umpire".to_owned()]).collect()
}
