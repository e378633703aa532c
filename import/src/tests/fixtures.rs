//! What is understood of the sources in `fixtures/imports/`: each file holds what was given beside the source, the source,
//! what each of its lines was taken for, and the match that came of it.
//!
//! `UPDATE=1 cargo test -p matchbook-import` rewrites the files.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use crate::{Facts, Form, Reading, Speakers, Who, read, who_is};

pub(super) const SOURCE: &str = "== source\n";
pub(super) const UNDERSTOOD: &str = "== understood\n";
const MATCH: &str = "== match\n";

/// What stands above the source, a name and a value each. `match` names the match in `fixtures/matches/` that was played, where
/// somebody who had not read this crate wrote the source from it.
pub(super) fn given(head: &str) -> (Facts, Speakers) {
    let (mut facts, mut speakers) = (Facts::default(), Speakers::everywhere());
    for (name, value) in head.lines().filter_map(|line| line.split_once(": ")) {
        let who = match name {
            "p1 is called" => Who::P1,
            "p2 is called" => Who::P2,
            "host is called" => Who::Host,
            "match" => continue,
            _ => {
                assert!(facts.take(name, value), "{name}");
                continue;
            }
        };
        speakers.add(value, who);
    }
    (facts, speakers)
}

fn told(reading: &Reading) -> String {
    let mut out = String::new();
    let mut say = |line: String| writeln!(out, "{}", line.trim_end()).unwrap();
    for problem in &reading.problems {
        say(format!("problem: {problem}"));
    }
    for note in &reading.notes {
        say(format!("note: {note}"));
    }
    for stranger in &reading.strangers {
        say(format!("stranger: {stranger}"));
        for fix in who_is(stranger, reading.facts.names.as_ref().map(String::as_str)) {
            say(format!("    [{}]", fix.label));
        }
    }
    for row in &reading.rows {
        let parts = [row.taken.phrase(), row.words.clone(), row.standing.clone()];
        let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        say(format!("{}: {}", row.line, parts.join(" | ")));
        if let Some(wrong) = &row.wrong {
            say(format!("    wrong at \u{201c}{}\u{201d}: {}", wrong.found, wrong.expected));
        }
        for fix in &row.fixes {
            say(format!("    [{}]", fix.label));
        }
    }
    out
}

#[test]
fn every_source_is_understood_as_its_file_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/imports");
    let mut differ = Vec::new();
    let mut files: Vec<_> = fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 8, "{files:?}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let (head, rest) = text.split_once(SOURCE).unwrap_or_else(|| panic!("{}: no source", file.display()));
        let source = rest.split_once(UNDERSTOOD).map_or(rest, |(source, _)| source);
        let (facts, speakers) = given(head);
        let reading = read(source, Form::of(source), &facts, &speakers);
        let dmn = reading.import.as_ref().map_or("none\n", |_| reading.dmn.as_str());
        let comes = format!("{head}{SOURCE}{source}{UNDERSTOOD}{}{MATCH}{dmn}", told(&reading));
        if comes != text {
            differ.push(file.display().to_string());
            if std::env::var_os("UPDATE").is_some() {
                fs::write(&file, comes).unwrap();
            }
        }
    }
    assert!(differ.is_empty(), "UPDATE=1 writes what comes now: {differ:#?}");
}
