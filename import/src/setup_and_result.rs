//! The setup of a match and its result: what is missing of them, or contradicts the moves, is asked for.

use engine::dmn;
use engine::{BySeat, Seat, SetupError, Verdict};
use record::write::Import;

use super::facts::tag;
use super::fix::Fix;
use super::match_builder::MatchBuilder;
use super::notation_tag_fixes;
use super::preview::{Reading, Row, Taken};

/// What is wrong then.
pub(crate) const STILL_RUNS: &str = "the match is not over: it still runs. Add the missing rounds, or say how it ended";

/// The reason of a decision of which only the result is known.
pub(crate) const REPORTED: &str = "as it was reported";

/// A decision for each result there can be. `write` puts it as the source writes such a thing.
pub(crate) fn fixes(names: BySeat<&str>, at: usize, line: &str, write: impl Fn(&str) -> String) -> Vec<Fix> {
    let won = |seat| (Verdict::Won(seat), format!("It was decided: {} won", names[seat]));
    let verdicts = [
        won(Seat::P1),
        won(Seat::P2),
        (Verdict::Undecided, "It was left undecided".to_owned()),
        (Verdict::Void, "It does not count".to_owned()),
    ];
    let fix = |(verdict, label): (Verdict, String)| {
        let decision = format!("result {} {REPORTED}", verdict.word());
        Fix::line(label, at, line, vec![line.to_owned(), write(&decision)])
    };
    verdicts.map(fix).into()
}

/// Holds a match that was heard to its end against what was stated of it, and reads it as a file.
pub(crate) fn close(reading: &mut Reading, builder: &MatchBuilder) {
    let outcome = builder.duel().outcome();
    let stated = reading.facts.result.clone();
    if !stated.is_empty() && stated != "*" && stated != outcome.tag() {
        let why = format!(
            "the result is stated as \u{201c}{stated}\u{201d}, and the moves come to \u{201c}{}\u{201d}",
            outcome.tag()
        );
        let now = notation_tag_fixes::written("Result", outcome.tag());
        about(reading, &["result"], &why, |at, line| {
            vec![Fix::line("State the result of the moves", at, line, vec![now]), Fix::ignore(at, line)]
        });
    }
    let tags = reading.facts.tags(outcome.tag());
    reading.dmn = dmn::write(&tags, builder.steps().iter().map(|step| step.text.as_str()));
    if reading.wrong() > 0 || !outcome.is_over() {
        return;
    }
    match Import::read(&reading.dmn) {
        Ok(import) => reading.import = Some(import),
        Err(errors) => {
            reading.problems.extend(errors.iter().map(|error| record::words::sentence(&error.expected)));
        }
    }
}

/// Opens the match of a source's facts, or says what is missing among them.
pub(crate) fn open(reading: &mut Reading) -> Option<MatchBuilder> {
    let facts = &reading.facts;
    if facts.ruleset.is_empty() {
        reading.problems.push("Which ruleset was it? Choose it below, under “Rules”.".to_owned());
        return None;
    }
    match MatchBuilder::open(facts) {
        Ok(builder) => Some(builder),
        Err(error) => {
            let why = error.to_string();
            let out =
                |label: &'static str| move |at, line: &str| vec![Fix::line(label, at, line, vec![format!("# {line}")])];
            match &error {
                SetupError::NoDmo(_) => {
                    let why =
                        "By these rules the Death Match Opponent has a right of their own: say below who that was.";
                    reading.problems.push(why.to_owned());
                    let names = reading.facts.names.clone();
                    if let Some(row) = reading.rows.first_mut().filter(|row| row.wrong.is_none()) {
                        let tag = |seat: Seat| {
                            let name = if names[seat].is_empty() { seat.word() } else { names[seat].as_str() };
                            let now = vec![notation_tag_fixes::written("DMO", seat.word()), row.source.clone()];
                            Fix::line(format!("{name} was the DMO"), row.line, &row.source, now)
                        };
                        let fixes = Seat::BOTH.map(tag);
                        row.fixes.extend(fixes);
                    }
                }
                SetupError::UnknownRuleset { id: said, .. } => {
                    about(reading, &["ruleset", "rules"], &why, |at, line| {
                        let take = |id| {
                            Fix::line(format!("Take {id}"), at, line, vec![notation_tag_fixes::written("Ruleset", id)])
                        };
                        notation_tag_fixes::rulesets(said).map(take).collect()
                    });
                }
                SetupError::NoDeclaration(_) | SetupError::Declared(_) => reading.problems.push(why.clone()),
                SetupError::UnknownOption { .. } => about(reading, &["options"], &why, out("Leave the options out")),
                SetupError::NoItems(_) | SetupError::UnknownItem { .. } | SetupError::ItemTwice { .. } => {
                    about(reading, &["p1items", "p2items"], &why, out("Leave the items out"));
                }
            }
            None
        }
    }
}

/// Says which names are missing: nobody can be entered without one.
pub(crate) fn names_missing(reading: &mut Reading) {
    for (seat, name) in reading.facts.names.each() {
        if name.trim().is_empty() {
            reading.problems.push(name_missing(seat));
        }
    }
}

/// Half of a step, of which the other seat's part does not come before the end.
pub(crate) fn is_half(rows: &mut [Row], seat: Seat, name: &str, line: usize) {
    let Some(row) = rows.iter_mut().find(|row| row.line == line && row.wrong.is_none()) else { return };
    row.refuse(&format!("{name}’s part of this step is missing: nothing of {name} follows"));
    row.fixes.clear();
    row.offer(format!("Nothing came from {name}"), vec![row.source.clone(), format!("{seat}: -")]);
    row.offer_ignore();
}

/// Asks who sat there.
pub(crate) fn name_missing(seat: Seat) -> String {
    let which = if seat == Seat::P1 { "first" } else { "second" };
    format!("Who was the {which} player? Write the name below.")
}

/// Says what is wrong with a fact of the match, on the lines that state it; of the whole source where none does.
fn about(reading: &mut Reading, names: &[&str], why: &str, fixes: impl FnOnce(usize, &str) -> Vec<Fix>) {
    let states = |row: &&mut Row| {
        let cell = || row.source.split([',', ';', '\t']).next().unwrap_or_default().trim().trim_matches('"');
        let name = tag(&row.source).map_or_else(|| cell().to_owned(), |(name, _)| name.to_owned());
        row.taken == Taken::Fact && names.iter().any(|known| known.eq_ignore_ascii_case(&name))
    };
    match reading.rows.iter_mut().rev().find(states) {
        Some(row) => {
            row.refuse(why);
            row.fixes = fixes(row.line, &row.source);
        }
        None => reading.problems.push(record::words::sentence(why)),
    }
}
