//! The questions of a script.

use engine::{Duel, Panel, Party, Refusal, Seat, Sight, SplitMix64};
use serde_json::Value;

use super::table::Table;
use crate::conformance::{result, wording};
use crate::shown;

fn party(word: &str) -> Party {
    word.parse::<Seat>().map_or(Party::Host, Party::Seat)
}

/// `refused by 4.6.1, of p2, at 8: "raise 4": ...`.
fn refused(refusal: &Refusal) -> String {
    let rule = refusal.rule.map_or(String::new(), |rule| format!(" by {rule}"));
    let seat = refusal.seat.map_or(String::new(), |seat| format!(", of {seat}"));
    let sealed = if refusal.sealed { ", for it is sealed" } else { "" };
    format!("refused{rule}{seat}, at {}{sealed}: {}", refusal.at, refusal.sentence())
}

fn lines(lines: impl IntoIterator<Item = String>) -> String {
    let lines: Vec<String> = lines.into_iter().collect();
    if lines.is_empty() { "nothing".to_owned() } else { lines.join("\n") }
}

/// The values at some paths of a state, or the whole state.
fn state(state: &str, paths: &str) -> String {
    if paths.is_empty() {
        return state.to_owned();
    }
    let all: Value = serde_json::from_str(state).unwrap();
    let value = |path: &str| {
        let value = wording::at(&all, path).unwrap_or_else(|| panic!("no {path} in {state}"));
        format!("{path} {}", wording::words(value).unwrap_or_else(|| value.to_string()))
    };
    paths.split(' ').map(value).collect::<Vec<_>>().join(" | ")
}

fn step(table: &Table) -> String {
    let (played, _) = table.last.as_ref().expect("a step");
    let mut out = vec![format!("{} {:?}: {}", played.row.round, played.row.place, played.text)];
    if played.public != played.text {
        out.push(format!("public: {}", played.public));
    }
    for (head, fields) in [("seals", &played.keeps), ("opens", &played.shows)] {
        if !fields.is_empty() {
            out.push(format!("{head}: {}", shown::fields(fields)));
        }
    }
    out.join("\n")
}

fn read(duel: &Duel, text: &str) -> String {
    let (who, rest) = text.split_once(' ').unwrap();
    let (what, sent) = rest.split_once(' ').unwrap();
    match duel.read(party(who), what, sent) {
        Ok(reading) => {
            let read = format!("{} = {}", reading.text, reading.words);
            lines([read].into_iter().chain(reading.notes))
        }
        Err(refusal) => refused(&refusal),
    }
}

fn split(duel: &Duel, text: &str) -> String {
    let (who, rest) = text.split_once(' ').unwrap();
    let (what, sent) = rest.split_once(' ').unwrap();
    match duel.split(party(who), what, sent) {
        Ok(values) => lines(values.into_iter().map(|(name, value)| format!("{name} {value}"))),
        Err(refusal) => refused(&refusal),
    }
}

fn found(duel: &Duel) -> String {
    lines(duel.analyse().into_iter().map(|found| {
        let shown = if found.groups.is_empty() { String::new() } else { format!(" in {} groups", found.groups.len()) };
        let witness = if found.witness.is_empty() { String::new() } else { format!(" ({})", found.witness) };
        format!("{} {} {}{shown}: {}{witness}", found.seat, found.what, found.holds, found.text)
    }))
}

/// The names of the cells that lie face up.
fn faces(duel: &Duel, sight: Sight) -> String {
    let rows = duel.view(sight).panels.into_iter().flat_map(|panel| match panel {
        Panel::Grid { rows, .. } => rows,
        _ => Vec::new(),
    });
    lines(rows.flat_map(|(_, cells)| cells).filter(|cell| cell.up).map(|cell| cell.name))
}

fn opened(table: &Table, change: &str) -> String {
    let mut head = table.head.clone();
    head.read(change);
    Duel::open(&head.0).map_or_else(|error| error.to_string(), |_| "it opens".to_owned())
}

fn form(duel: &Duel, text: &str) -> String {
    let (who, what) = text.split_once(' ').unwrap();
    duel.form(party(who), what).map_or("no form".to_owned(), |form| shown::form(&form))
}

/// The answer to a question.
pub(crate) fn answer(table: &mut Table, question: &str) -> String {
    let (sight, question) = match question.split_once(' ') {
        Some(("public", rest)) => (Sight::Public, rest),
        Some(("p1", rest)) => (Sight::Seat(Seat::P1), rest),
        Some(("p2", rest)) => (Sight::Seat(Seat::P2), rest),
        _ => (Sight::Everything, question),
    };
    let (word, rest) = question.split_once(' ').unwrap_or((question, ""));
    match word {
        "state" => state(&table.duel().state(sight), rest),
        "panels" => lines(table.duel().view(sight).panels.iter().map(shown::panel)),
        "faces" => faces(table.duel(), sight),
        "figures" => shown::figures(&table.duel().view(sight).figures),
        "result" => result(table.duel().outcome()),
        "asks" => lines(table.duel().asks().iter().map(shown::ask)),
        "form" => form(table.duel(), rest),
        "step" => step(table),
        "effects" => lines(table.last.iter().flat_map(|(_, effects)| effects).map(shown::effect)),
        "try" => table
            .attempt(rest)
            .map_or_else(|refusal| refused(&refusal), |played| format!("accepted as {}", played.text)),
        "read" => read(table.duel(), rest),
        "split" => split(table.duel(), rest),
        "join" => {
            let (what, values) = rest.split_once(' ').unwrap();
            table.duel().join(what, &values.split(" | ").collect::<Vec<_>>())
        }
        "spell" => table.duel().spell(rest).map_or_else(|refusal| refused(&refusal), |()| "it reads".to_owned()),
        "finds" => found(table.duel()),
        "judged" => table.duel().judged().to_string(),
        "sample" => {
            let (who, what) = rest.split_once(' ').unwrap();
            let sample = table.duel().sample(who.parse().unwrap(), what, &mut SplitMix64(1));
            sample.unwrap_or_else(|| "nothing".to_owned())
        }
        "draw" => table.duel().draw(&mut SplitMix64(1)).unwrap_or_else(|| "nothing".to_owned()),
        "with" => opened(table, rest),
        _ => panic!("{question} is no question"),
    }
}
