//! A source in the notation: its lines are the match's own.

use engine::dmn::{Error, Replay};
use engine::{BySeat, Duel, Party, Seat, To};
use record::write::Import;

use super::ending;
use super::facts::{Facts, tag};
use super::fix::Fix;
use super::nearest::{nearest, nearest_word};
use super::row::{Reading, Row, Taken, Wrong};
use crate::page::standing;

/// Errors that are shown; a file of another kind has one on every line.
const ERRORS_SHOWN: usize = 100;

/// Reads a match in the notation.
pub(super) fn read(text: &str) -> Reading {
    let mut rows: Vec<Row> = Vec::new();
    for (n, line) in text.lines().enumerate() {
        let said = line.trim().trim_start_matches('\u{feff}');
        if !said.is_empty() && !said.starts_with('#') {
            let taken = if said.starts_with('[') { Taken::Fact } else { Taken::Later };
            rows.push(Row::new(n + 1, line, taken, ""));
        }
    }
    let mut reading = Reading { rows, ..Reading::default() };
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
                let fixes = tag_fixes(text, error);
                place(&mut reading, text, error, fixes);
            }
            return reading;
        }
    };
    reading.facts = facts(&replay);
    let names = replay.tags().names.clone();
    loop {
        let before = replay.duel().clone();
        match replay.play(None) {
            None => break,
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
                    let fixes = if n == 0 { step_fixes(&before, &names, error.line, line) } else { Vec::new() };
                    place(&mut reading, text, error, fixes);
                }
                return reading;
            }
        }
    }
    if !replay.duel().outcome().is_over() {
        let last = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()).last();
        let (at, line) = last.map_or((1, ""), |(n, line)| (n + 1, line));
        let error = Error {
            line: at,
            column: line.chars().count() + 1,
            found: String::new(),
            expected: ending::STILL_RUNS.to_owned(),
            sealed: false,
        };
        let names = names.as_ref().map(String::as_str);
        let fixes = ending::fixes(names, at, line, |decision| format!("umpire: {decision}"));
        place(&mut reading, text, &error, fixes);
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

/// What can be done about a tag.
fn tag_fixes(text: &str, error: &Error) -> Vec<Fix> {
    let line = text.lines().nth(error.line.saturating_sub(1)).unwrap_or_default();
    let before = |added: String| vec![added, line.to_owned()];
    let missing = |tag: &str| error.expected.contains(&format!("tag [{tag} "));
    if missing("DMN") {
        return vec![Fix::line("Add the version of the notation", error.line, line, before("[DMN \"1\"]".to_owned()))];
    }
    if error.expected.contains("which seat is the DMO") || error.expected.contains("gives the DMO a right") {
        let dmo = |seat: Seat| {
            Fix::line(
                format!("The DMO is {seat}"),
                error.line,
                line,
                vec![line.to_owned(), format!("[DMO \"{seat}\"]")],
            )
        };
        return Seat::BOTH.map(dmo).into();
    }
    match tag(line) {
        Some(("Ruleset", said)) => {
            let ids = engine::rulesets().map(|ruleset| ruleset.card().id);
            let near = nearest_word(&said, ids);
            near.map(|id| Fix::line(format!("Take {id}"), error.line, line, vec![format!("[Ruleset \"{id}\"]")]))
                .into_iter()
                .collect()
        }
        _ => Vec::new(),
    }
}

/// What can be done about a step that is refused, in the match as it stood before it.
fn step_fixes(duel: &Duel, names: &BySeat<String>, at: usize, line: &str) -> Vec<Fix> {
    let said = line.split_once('#').map_or(line, |(said, _)| said).trim();
    let mut fixes = Vec::new();
    let mut offer = |label: String, now: String| {
        if duel.clone().play(&now, None).is_ok() {
            fixes.push(Fix::line(label, at, line, vec![now]));
        }
    };
    if let Some((speaker, text)) = said.split_once(':').filter(|_| !said.contains('/')) {
        let party = match speaker.trim().to_ascii_lowercase().as_str() {
            "host" => Some(Party::Host),
            speaker => speaker.parse::<Seat>().ok().map(Party::Seat),
        };
        for near in party.map(|party| nearest(duel, party, text)).unwrap_or_default() {
            let now = format!("{}: {near}", speaker.trim());
            offer(now.clone(), now);
        }
    } else {
        let numbered = said.split_once('.').filter(|(n, _)| !n.is_empty() && n.chars().all(|n| n.is_ascii_digit()));
        let moves = numbered.map_or(said, |(_, moves)| moves);
        let number = duel.coming_round().map_or_else(String::new, |round| format!("{round}. "));
        offer(format!("Make it round {}", number.trim_end_matches(". ")), format!("{number}{}", moves.trim()));
        let (p1, p2) = moves.split_once('/').unwrap_or((moves, "-"));
        let what = duel.asks().iter().rev().find(|ask| ask.to == To::Both).map(|ask| ask.what);
        let legal = BySeat { p1, p2 }.map(str::trim);
        let is_legal = |seat: Seat| what.is_some_and(|what| duel.read(seat, what, legal[seat]).is_ok());
        for seat in Seat::BOTH.into_iter().filter(|seat| !is_legal(*seat)) {
            let other = if is_legal(seat.other()) {
                legal[seat.other()].to_owned()
            } else {
                nearest(duel, seat.other().into(), legal[seat.other()])
                    .first()
                    .cloned()
                    .unwrap_or_else(|| "-".to_owned())
            };
            for near in nearest(duel, seat.into(), legal[seat]).into_iter().chain(["-".to_owned()]) {
                let label = match near.as_str() {
                    "-" => format!("Nothing came from {}", names[seat]),
                    near => format!("{}: {near}", names[seat]),
                };
                let (p1, p2) = if seat == Seat::P1 { (&near, &other) } else { (&other, &near) };
                offer(label, format!("{number}{p1} / {p2}"));
            }
        }
    }
    fixes.push(Fix::ignore(at, line));
    fixes
}
