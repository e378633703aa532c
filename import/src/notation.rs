//! A source in the notation: its lines are the match's own.

use engine::dmn::{Error, Replay};
use record::words::standing;
use record::write::Import;

use super::facts::Facts;
use super::fix::Fix;
use super::preview::{Reading, Row, Taken, Wrong};
use super::{notation_step_fixes, notation_tag_fixes, setup_and_result};

/// Errors that are shown; a file of another kind has one on every line.
const ERRORS_SHOWN: usize = 100;

/// Reads a match in the notation.
pub(crate) fn read(text: &str, given: &Facts) -> Reading {
    let mut reading = Reading { rows: rows(text), ..Reading::default() };
    let begins = |row: &&mut Row| row.source.trim().trim_start_matches('\u{feff}').starts_with("[DMN ");
    let mut begun = reading.rows.iter_mut().filter(begins);
    if begun.next().is_some() {
        begun.for_each(Row::begins_another);
    }
    if reading.wrong() > 0 {
        return reading;
    }
    let mut replay = match Replay::open(text) {
        Ok(replay) => replay,
        Err(errors) => {
            for error in errors.iter().take(ERRORS_SHOWN) {
                // Who played is nobody's to guess.
                match notation_tag_fixes::unnamed(error).filter(|seat| given.names[*seat].trim().is_empty()) {
                    Some(seat) => reading.problems.push(setup_and_result::name_missing(seat)),
                    None => place(&mut reading, text, error, notation_tag_fixes::fixes(text, error, given)),
                }
            }
            return reading;
        }
    };
    reading.facts = facts(&replay);
    if !plays(&mut reading, text, &mut replay) {
        return reading;
    }
    if !replay.duel().outcome().is_over() {
        still_runs(&mut reading, text, &replay);
        return reading;
    }
    match (replay.finish(), Import::read(text)) {
        (Ok(_), Ok(import)) => reading.import = Some(import),
        (Err(error), _) => {
            let now = vec![format!("[Result \"{}\"]", replay.duel().outcome().tag())];
            let line = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
            place(&mut reading, text, &error, vec![Fix::line("State the result of the replay", error.line, line, now)]);
        }
        (Ok(_), Err(errors)) => reading.problems.extend(errors.iter().map(ToString::to_string)),
    }
    text.clone_into(&mut reading.dmn);
    reading
}

/// The lines that say something.
fn rows(text: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let said = line.trim().trim_start_matches('\u{feff}');
        if !said.is_empty() && !said.starts_with('#') {
            let taken = if said.starts_with('[') { Taken::Fact } else { Taken::Later };
            rows.push(Row::new(n + 1, line, taken, ""));
        }
    }
    rows
}

/// Plays all steps. False if one of them is wrong.
fn plays(reading: &mut Reading, text: &str, replay: &mut Replay<'_>) -> bool {
    let names = replay.tags().names.clone();
    loop {
        let before = replay.duel().clone();
        match replay.play(None) {
            None => return true,
            Some(Ok(line)) => {
                if let Some(row) = reading.rows.iter_mut().find(|row| row.line == line.line) {
                    // What is written as it is read needs no saying again.
                    let words = Some(line.played.text).filter(|text| text != row.source.trim()).unwrap_or_default();
                    (row.taken, row.words, row.standing) = (Taken::Step, words, standing(replay.duel()));
                }
            }
            Some(Err(errors)) => {
                for (n, error) in errors.iter().take(ERRORS_SHOWN).enumerate() {
                    let line = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
                    // What comes after it was not held against the match yet.
                    let fixes = match n {
                        0 => notation_step_fixes::fixes(&before, &names, error.line, line),
                        _ => vec![Fix::ignore(error.line, line)],
                    };
                    place(reading, text, error, fixes);
                }
                return false;
            }
        }
    }
}

/// The match ends without a result: the umpire's decisions that may end it are offered.
fn still_runs(reading: &mut Reading, text: &str, replay: &Replay<'_>) {
    let last = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).last();
    let (at, line) = last.map_or((1, ""), |(n, line)| (n + 1, line));
    let error = Error {
        line: at,
        column: line.chars().count() + 1,
        found: String::new(),
        expected: setup_and_result::STILL_RUNS.to_owned(),
        sealed: false,
    };
    let names = replay.tags().names.as_ref().map(String::as_str);
    let fixes = setup_and_result::fixes(names, at, line, |decision| format!("umpire: {decision}"));
    place(reading, text, &error, fixes);
}

fn facts(replay: &Replay<'_>) -> Facts {
    let tags = replay.tags();
    Facts {
        ruleset: tags.setup.ruleset.clone(),
        names: tags.names.clone(),
        event: tags.event.clone().unwrap_or_default(),
        date: tags.date.clone().unwrap_or_default(),
        ..Facts::default()
    }
}

/// Says an error where it stands. A line says one at a time; what else is wrong with it stands in a row of its own.
fn place(reading: &mut Reading, text: &str, error: &Error, fixes: Vec<Fix>) {
    let wrong = Some(Wrong::of(text, error));
    let free = |row: &&mut Row| row.line == error.line && row.wrong.is_none();
    if let Some(row) = reading.rows.iter_mut().find(free) {
        if row.taken != Taken::Step {
            row.taken = Taken::Wrong;
        }
        (row.wrong, row.fixes) = (wrong, fixes);
        return;
    }
    let line = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
    let row = Row { wrong, fixes, ..Row::new(error.line, line, Taken::Wrong, "") };
    let at = reading.rows.iter().take_while(|row| row.line <= error.line).count();
    reading.rows.insert(at, row);
}
