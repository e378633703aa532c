//! What is understood of the sources in `fixtures/imports/`: each file holds what was given beside the source, the source,
//! what each of its lines was taken for, and the match that came of it.
//!
//! `UPDATE=1 cargo test -p matchbook-import` rewrites the files.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use engine::{BySeat, Seat};

use super::fix::Who;
use super::hearing::Hearing;
use super::row::Taken;
use super::score::Score;
use super::stranger::who_is;
use super::{Facts, Form, Reading, Speakers, read};

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

/// What a line of talk says that is held against the match, or known from another line: then it needs no button.
const KNOWN: [&str; 7] = ["A score", "Says that", "Told again", "Round", "Said on line", "Quoted from", "Reactions"];

/// Holds the rule of `lib.rs` on buttons: talk with a word of the game has one, unless it is known what it says.
fn hides_no_move(file: &str, reading: &Reading) {
    let Ok(hearing) = Hearing::open(&reading.facts) else { return };
    for row in reading.rows.iter().filter(|row| row.wrong.is_none() && row.fixes.is_empty()) {
        let known = || KNOWN.iter().any(|known| row.words.starts_with(known)) && row.words != Score::UNCOMPARED;
        let struck = || row.words.contains("; struck, and played again");
        let of_game = || hearing.is_of_the_game(&row.source) && !known();
        let talk = matches!(row.taken, Taken::LeftOut) && !row.source.starts_with('#');
        let hides = (row.taken == Taken::Passed && !struck()) || (talk && of_game());
        let left_out = reading.facts.others.iter().any(|(name, _)| name == "Struck");
        assert!(!hides || left_out, "{file}: line {} has no button: {} ({})", row.line, row.source, row.words);
    }
}

/// How somebody may say that a player won, or lost.
const WON: [&str; 9] = [
    "{} wins!!",
    "{} wins the death match!",
    "Congratulations {}, you win!",
    "Final: {} 999, {other} 1. {} wins!!",
    "Winner: {}",
    "GG! {} has won",
    "{other} loses.",
    "{} defeats {other}",
    "The board is empty. {} is the winner",
];

/// Looser words for it. In every log they are held against the match, or stand in the preview with a mark or a button.
const WON_LOOSELY: [&str; 31] = [
    "{} takes this match in style",
    "Victory for {}!",
    "{} emerges victorious after a long evening",
    "And the champion is {}",
    "{} prevails in the end",
    "{} has beaten {other}",
    "{other} was beaten by {}",
    "{other} has been knocked out",
    "{other} is out!",
    "{other} goes home, sadly",
    "A deserved win, {}",
    "GG both, but {} triumphs",
    "{other} concedes, thanks for playing",
    "{other} lost to {}",
    "{} moves on, {other} is eliminated",
    "What a game! {} survives the evening",
    "Sorry {other}, you lost",
    "{other} has been eliminated",
    "Player {n} took it",
    "player {word} survives",
    "seat {n} wins",
    "The DMO won",
    "EC survives",
    "Result: 0-1",
    "Result: 1-0",
    "{} gets the W",
    "{} takes the cake",
    "{alike} wins",
    "{} \u{1f3c6}",
    "{other}: 0 {}: 912",
    "{} took it home",
];

fn said_of(won: &str, seat: Seat, names: &BySeat<String>) -> String {
    let name = &names[seat];
    let (n, word) = if seat == Seat::P1 { ("1", "one") } else { ("2", "two") };
    let alike = name.replace('a', "\u{430}").replace('e', "\u{435}").replace('o', "\u{43e}").replace('i', "\u{456}");
    let said = won.replace("{}", name).replace("{other}", &names[seat.other()]).replace("{alike}", &alike);
    said.replace("{n}", n).replace("{word}", word)
}

#[test]
fn a_wrong_winner_below_any_log_is_marked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/imports");
    let mut held = 0;
    for file in fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path()) {
        let text = fs::read_to_string(&file).unwrap();
        let (head, rest) = text.split_once(SOURCE).unwrap();
        let source = rest.split(UNDERSTOOD).next().unwrap();
        let (facts, speakers) = given(head);
        let reading = read(source, Form::of(source), &facts, &speakers);
        let Some(import) = reading.import.filter(|_| Form::of(source) == Form::Chat) else { continue };
        let engine::Outcome::Over(ending) = import.outcome() else { continue };
        let Some(winner) = ending.verdict.winner() else { continue };
        let names = &reading.facts.names;
        for won in WON.into_iter().chain(WON_LOOSELY) {
            let said = said_of(won, winner.other(), names);
            for line in [said.clone(), format!("GM: {said}")] {
                let reading = read(&format!("{source}\n{line}\n"), Form::Chat, &facts, &speakers);
                let row = reading.rows.iter().find(|row| row.source == line).unwrap();
                let held_against = row.wrong.is_some() && reading.import.is_none();
                let told = WON_LOOSELY.contains(&won) && !(row.words.is_empty() && row.fixes.is_empty());
                assert!(held_against || told, "{}: {line}", file.display());
                held += usize::from(held_against);
            }
        }
    }
    assert!(held > 100, "{held}");
}

#[test]
fn what_is_said_below_a_ruling_is_marked() {
    let source = "Alice: score, grow\nBob: score, steal\nAlice: steal, score\nBob: claim, block claim\numpire: result p1 Bob left\n";
    let facts = Facts {
        ruleset: "five-card-trick/dm-colosseum-2".into(),
        names: BySeat { p1: "Alice".into(), p2: "Bob".into() },
        ..Facts::default()
    };
    let row = |line: &str| {
        let reading = read(&format!("{source}{line}\n"), Form::Chat, &facts, &Speakers::everywhere());
        let row = reading.rows.last().unwrap().clone();
        (reading.import.is_none() && row.wrong.is_some(), row)
    };
    for held_against in [
        "Alice has been eliminated",
        "seat 2 wins",
        "player two has won",
        "GM: player 2 takes the match",
        "Bob \u{1f3c6}",
        "Alice: 0 Bob: 12",
        "Bob takes this game",
    ] {
        let (held, row) = row(held_against);
        assert!(held, "{held_against}: {row:?}");
    }
    for marked in [
        "Player two took it",
        "The DMO won",
        "EC survives",
        "Result: 0-1",
        "Bob gets the W",
        "Bob takes the cake",
        "B\u{43e}b wins",
        "GM: B\u{43e}b wins",
        "GM: the opponent survives",
    ] {
        let (held, row) = row(marked);
        assert!(held || (!row.words.is_empty() && !row.fixes.is_empty()), "{marked}: {row:?}");
    }
    for talk in
        ["Alice: thanks for the game", "see you next week, Bob", "Alice wins", "Alice: well played", "seat 1 won"]
    {
        let (held, row) = row(talk);
        assert!(!held && row.wrong.is_none(), "{talk}: {row:?}");
    }
}

#[test]
fn a_figure_that_a_sheet_states_otherwise_is_marked() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/imports");
    for (file, right, wrong) in [
        ("chat-summed-up-in-a-table", "| 10:13 | 1", "| 10:12 | 1"),
        ("chat-summed-up-in-a-table", "| 10:13 | 1", "| 10:13 | 9"),
        ("chat-pasted-from-a-spreadsheet", "\t0\t1\t2\t", "\t2\t1\t2\t"),
        ("chat-pasted-from-a-spreadsheet", "\t0\t1\t2\t", "\t0\t1\t8\t"),
    ] {
        let text = fs::read_to_string(folder.join(format!("{file}.txt"))).unwrap();
        let (head, rest) = text.split_once(SOURCE).unwrap();
        let source = rest.split(UNDERSTOOD).next().unwrap();
        let (facts, speakers) = given(head);
        let at = source.lines().position(|line| line.contains(right)).unwrap();
        let reading = read(&source.replacen(right, wrong, 1), Form::Chat, &facts, &speakers);
        let row = reading.rows.iter().find(|row| row.line == at + 1).unwrap();
        let expected = row.wrong.as_ref().map(|wrong| wrong.expected.as_str()).unwrap_or_default();
        assert!(expected.starts_with("This says"), "{file}: {wrong}: {:?}", row.wrong);
    }
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
        if Form::of(source) == Form::Chat {
            hides_no_move(&file.display().to_string(), &reading);
        }
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
