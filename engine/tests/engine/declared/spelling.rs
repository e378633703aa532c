//! What is refused, and in which sentence: declarations, answers, draws and the umpire's word.

use std::sync::Arc;

use engine::games::declared::{Declaration, Table};
use engine::{Seat, Sight};

use super::file::play;

const REFUSED: &str = "../fixtures/declared/refused.txt";
const STEPS: &str = "../fixtures/declared/refused-steps.txt";

/// Compares what is said of each block of lines in a file with the sentence behind it; `UPDATE=1` writes it there.
fn hold(file: &str, say: impl Fn(&[&str]) -> Option<String>) {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let blocks = text.trim_end().split("\n\n").map(|block| {
        let lines: Vec<&str> = block.lines().filter(|line| !line.starts_with("# ")).collect();
        lines.join("\n") + &say(&lines).map_or_else(String::new, |said| format!("\n# {said}"))
    });
    let written = blocks.collect::<Vec<_>>().join("\n\n") + "\n";
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &written).unwrap();
    }
    assert_eq!(written, text, "UPDATE=1 cargo test -p matchbook-engine declared rewrites it; then read it");
}

fn structure(lines: &[&str]) -> Result<Vec<String>, String> {
    Declaration::read(lines.iter().copied()).map(|game| game.structure()).map_err(|fault| fault.to_string())
}

#[test]
fn a_declaration_is_refused_with_its_line_the_word_and_what_would_be_right() {
    hold(REFUSED, |lines| Some(structure(lines).unwrap_err()));
}

/// The declaration at the head of the file of refused steps.
fn game() -> Arc<Declaration> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(STEPS);
    let text = std::fs::read_to_string(path).unwrap();
    Arc::new(Declaration::read(text.lines().take_while(|line| !line.is_empty())).unwrap())
}

/// The table after these steps; the last may be refused.
fn after(steps: &[&str]) -> (Table, Result<String, String>) {
    let mut table = Table::new(game());
    let mut last = Ok(String::new());
    for step in steps {
        assert_eq!(last.as_ref().err(), None);
        last = play(&mut table, step).map_err(|refusal| refusal.sentence());
    }
    (table, last)
}

#[test]
fn a_step_is_refused_with_the_part_that_does_not_fit() {
    hold(STEPS, |steps| {
        let (_, before) = steps.split_last().filter(|(last, _)| last.contains(": ") || last.contains(". "))?;
        let (table, played) = after(steps);
        assert_eq!(table, after(before).0, "{steps:?} changes nothing");
        Some(played.unwrap_err())
    });
}

#[test]
fn a_declaration_is_not_endless() {
    let refused = |lines: &[&str]| structure(lines).unwrap_err();
    assert!(refused(&["ask a both yes-no"; 65]).contains("line 65: \"ask\": expected at most 64 lines"));
    let title = format!("title {}", "x".repeat(9000));
    assert!(refused(&[title.as_str()]).ends_with("expected at most 64 lines and 8000 bytes in all"));
    let decks: Vec<String> = (0..6).map(|n| format!("deck d{n} (1..200)")).collect();
    let decks: Vec<&str> = decks.iter().map(String::as_str).collect();
    assert!(refused(&decks).contains("line 6: \"(\": expected at most 1000 cards and faces"));
}

#[test]
fn one_game_has_one_spelling() {
    let written = ["counter c each 0", "dice d (1..3 9 10 R7..R9)", "ask a one pick 0..2 of (x y)", "score none"];
    for lines in [
        "score none | ask a one  pick 0..2 of ( x y ) | counter c each 0 from 0 | dice d (1 2 3 9 10 R7 R8..R9)",
        "title T | counter c each 0 \"C\" | dice d (1..2 3 9..10 R7..R9) | ask a one pick 0..2 of (x y) \"A?\" | score none",
    ] {
        assert_eq!(structure(&lines.split(" | ").collect::<Vec<_>>()), Ok(written.map(String::from).to_vec()));
    }
}

#[test]
fn a_default_is_played_where_it_is_legal() {
    let said = |steps: &[&str]| after(steps).1;
    assert_eq!(said(&["umpire: says next bid both", "1. - / 3; none"]), Ok("1. 2; x / 3; none".into()));
    assert_eq!(said(&["umpire: says chips p1 1; next bid both", "1. - / 3; y x"]), Ok("1. - / 3; x y".into()));
}

#[test]
fn a_state_is_read_by_those_who_may() {
    let steps = [
        "umpire: says deal d 1 to each in h; put X at b2 of g; chips p2 -2; \"Begin\"; next card p1",
        "host: d C",
        "host: d C",
        "p1: C",
        "umpire: says move C from h p2 to d; next spot p2",
    ];
    let (table, _) = after(&steps[..3]);
    let hands = |sight| {
        let state: serde_json::Value = serde_json::from_str(&table.state(sight)).unwrap();
        format!("{}", state["h"])
    };
    assert_eq!(hands(Sight::Public), r#"{"p1":["?"],"p2":["?"]}"#);
    assert_eq!(hands(Sight::Seat(Seat::P2)), r#"{"p1":["?"],"p2":["C"]}"#);
    let (table, _) = after(&steps);
    assert_eq!(
        table.state(Sight::Everything),
        "{\"phase\":\"asked\",\"round\":0,\"asks\":{\"what\":\"spot\",\"to\":\"p2\"},\"chips\":{\"p1\":5,\"p2\":-2},\
         \"pot\":0,\"h\":{\"p1\":[],\"p2\":[]},\"out\":{\"p1\":[\"C\"],\"p2\":[]},\
         \"g\":[[\"-\",\"-\",\"-\"],[\"-\",\"X\",\"-\"]],\"said\":1}"
    );
}
