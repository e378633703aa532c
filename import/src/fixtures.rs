//! What is understood of the sources in `fixtures/imports/`: each file holds what was given beside the source, the source,
//! what each of its lines was taken for, and the match that came of it.
//!
//! `UPDATE=1 cargo test -p matchbook-import` rewrites the files.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use super::fix::Who;
use super::stranger::who_is;
use super::{Facts, Form, Reading, Speakers, read};

const SOURCE: &str = "== source\n";
const UNDERSTOOD: &str = "== understood\n";
const MATCH: &str = "== match\n";

/// What stands above the source, a name and a value each. `match` names the match in `fixtures/matches/` that was played, where
/// somebody who had not read this crate wrote the source from it.
fn given(head: &str) -> (Facts, Speakers) {
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

/// What was understood of the logs that somebody wrote who had not read this crate, beside the matches that were played.
#[derive(Default)]
struct Understanding {
    logs: usize,
    steps: usize,
    /// Steps that were played, understood as they were pasted.
    unaided: usize,
    /// Steps that were understood and not played.
    misread: usize,
    questions: usize,
    /// Matches that could be entered and are not the one that was played.
    lost_silently: usize,
}

/// The steps of a match in the notation; with the seats changed, as where the other player was taken for the first.
fn steps(dmn: &str, changed: bool) -> Vec<String> {
    let lines = dmn.lines().filter(|line| !line.starts_with('[') && !line.is_empty() && !line.starts_with("umpire:"));
    let change = |line: &str| match line.split_once(": ") {
        Some(("p1", said)) => format!("p2: {said}"),
        Some(("p2", said)) => format!("p1: {said}"),
        _ => {
            let (number, moves) =
                line.split_once(". ").map_or((String::new(), line), |(n, rest)| (format!("{n}. "), rest));
            moves.split_once(" / ").map_or_else(|| line.to_owned(), |(one, other)| format!("{number}{other} / {one}"))
        }
    };
    lines.map(|line| if changed { change(line) } else { line.to_owned() }).collect()
}

/// How many of these come among those, in order.
fn common(these: &[String], those: &[String]) -> usize {
    let mut row = vec![0; those.len() + 1];
    for this in these {
        let before = row.clone();
        for (n, that) in those.iter().enumerate() {
            row[n + 1] = if this == that { before[n] + 1 } else { before[n + 1].max(row[n]) };
        }
    }
    row[those.len()]
}

/// `cargo test -p matchbook-import blind -- --nocapture` prints the table of `docs/benchmarks.md`.
#[test]
fn no_step_of_a_blind_log_is_lost_silently() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures");
    let mut files: Vec<_> = fs::read_dir(folder.join("imports")).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let mut all = Understanding::default();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let (head, rest) = text.split_once(SOURCE).unwrap();
        let Some(played) = head.lines().find_map(|line| line.strip_prefix("match: ")) else { continue };
        let played = fs::read_to_string(folder.join("matches").join(format!("{played}.dmn"))).unwrap();
        let source = rest.split(UNDERSTOOD).next().unwrap();
        let (facts, speakers) = given(head);
        let reading = read(source, Form::of(source), &facts, &speakers);
        let found = [false, true].map(|changed| common(&reading.understood, &steps(&played, changed)));
        let (unaided, played) = (found[0].max(found[1]), steps(&played, false));
        let name = file.file_stem().unwrap().to_string_lossy().into_owned();
        println!(
            "{name:40} {:4} of {:4} steps, {:3} misread, {:3} questions",
            unaided,
            played.len(),
            reading.understood.len() - unaided,
            reading.wrong()
        );
        all.logs += 1;
        all.steps += played.len();
        all.unaided += unaided;
        all.misread += reading.understood.len() - unaided;
        all.questions += reading.wrong();
        let same = [false, true].into_iter().any(|changed| steps(&reading.dmn, changed) == played);
        all.lost_silently += usize::from(reading.import.is_some() && !same);
    }
    println!("| logs | steps | understood unaided | misread | questions | lost silently |");
    println!(
        "| {} | {} | {} | {} | {} | {} |",
        all.logs, all.steps, all.unaided, all.misread, all.questions, all.lost_silently
    );
    assert_eq!(all.lost_silently, 0);
}
