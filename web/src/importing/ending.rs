//! The end of what was written, where the match is not over: somebody has to say how it ended.

use engine::dmn;
use engine::{BySeat, SetupError, Verdict};
use record::write::Import;

use super::fix::Fix;
use super::hearing::Hearing;
use super::row::Reading;

/// What is wrong then.
pub(super) const STILL_RUNS: &str =
    "a finished match: this one still runs. Add what is missing, or say how the umpire decided it";

/// A decision for each result there can be. `write` puts it as the source writes such a thing.
pub(super) fn fixes(names: BySeat<&str>, at: usize, line: &str, write: impl Fn(&str) -> String) -> Vec<Fix> {
    let won = |seat| (Verdict::Won(seat), format!("It was decided: {} won", names[seat]));
    let verdicts = [
        won(engine::Seat::P1),
        won(engine::Seat::P2),
        (Verdict::Undecided, "It was left undecided".to_owned()),
        (Verdict::Void, "It does not count".to_owned()),
    ];
    let fix = |(verdict, label): (Verdict, String)| {
        let decision = format!("result {} as it was reported", verdict.word());
        Fix::line(label, at, line, vec![line.to_owned(), write(&decision)])
    };
    verdicts.map(fix).into()
}

/// Holds a match that was heard to its end against what was stated of it, and reads it as a file.
pub(super) fn close(reading: &mut Reading, hearing: &Hearing) {
    let outcome = hearing.duel().outcome();
    let stated = reading.facts.result.clone();
    if !stated.is_empty() && stated != "*" && stated != outcome.tag() {
        reading.problems.push(format!(
            "The result is stated as \u{201c}{stated}\u{201d}, and the moves come to \u{201c}{}\u{201d}.",
            outcome.tag()
        ));
    }
    let tags = reading.facts.tags(outcome.tag());
    reading.dmn = dmn::write(&tags, hearing.steps().iter().map(String::as_str));
    if reading.wrong() > 0 || !outcome.is_over() {
        return;
    }
    match Import::read(&reading.dmn) {
        Ok(import) => reading.import = Some(import),
        Err(errors) => {
            reading.problems.extend(errors.iter().map(|error| crate::page::typed::sentence(&error.expected)));
        }
    }
}

/// Opens the match of a source's facts, or says what is missing among them.
pub(super) fn open(reading: &mut Reading) -> Option<Hearing> {
    let facts = &reading.facts;
    if facts.ruleset.is_empty() {
        reading.problems.push("By which rules was it played? Choose them below.".to_owned());
        return None;
    }
    match Hearing::open(facts) {
        Ok(hearing) => Some(hearing),
        Err(error) => {
            reading.problems.push(match error {
                SetupError::NoDmo(_) => {
                    "By these rules the Death Match Opponent has a right of their own: say below who that was."
                        .to_owned()
                }
                error => crate::page::typed::sentence(&error.to_string()),
            });
            None
        }
    }
}

/// Says which names are missing: nobody can be entered without one.
pub(super) fn names_missing(reading: &mut Reading) {
    for (seat, name) in reading.facts.names.each() {
        if name.trim().is_empty() {
            let which = if seat == engine::Seat::P1 { "first" } else { "second" };
            reading.problems.push(format!("Who was the {which} player? Write the name below."));
        }
    }
}
