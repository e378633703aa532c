//! While a match runs, nothing that is sealed stands on any page or in any file of it.
//!
//! Two matches that differ in nothing but what is sealed are drawn, and come out the same.

use askama::Template;
use engine::{BySeat, Seat, Verdict};
use record::History;
use record::verify::verify;

use super::{json, match_page, moment};
use crate::account::Visitor;
use crate::page::played::Book as Played;
use crate::page::{Beat, Stamp};

const NO_ITEMS: BySeat<&[&str]> = BySeat { p1: &[], p2: &[] };

/// A running match in which both Blocks were cancelled, twice: once in a round that was corrected.
fn puzzler(targets: [&str; 4]) -> Played {
    let [a, b, c, d] = targets;
    let mut played = Played::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS);
    played.plays(&format!("score block:{a} / grow block:{b}"));
    played.plays("steal / claim");
    played.corrects(1, Some(&format!("claim block:{c}")), None);
    played.plays(&format!("grow block:{d} / score block:{a}"));
    played.notes("a remark");
    played
}

/// Every public page and file of the match, drawn with everything that the server knows.
fn everything(played: &Played) -> Vec<(String, String)> {
    let history = played.history();
    let stamp = Stamp::of(&verify(&played.bundle()).verdict, None);
    let mut drawn = vec![
        ("the match".to_owned(), match_page::MatchPage::of(&history, &Visitor::default(), stamp).render().unwrap()),
        ("json".to_owned(), json::of(&history)),
        ("dmn".to_owned(), record::dmn(&history)),
        ("bundle".to_owned(), String::from_utf8(played.bundle().write()).unwrap()),
    ];
    drawn.extend(moments(&history));
    drawn
}

fn moments(history: &History) -> Vec<(String, String)> {
    let rows = history.rows();
    let all = (0..rows.len()).flat_map(|at| Beat::ALL.map(|beat| (at, beat)));
    let drawn = all.map(|(at, beat)| {
        let page = moment::Moment::of(history, &rows, at, beat, &Visitor::default()).unwrap();
        (format!("round {}, {}", rows[at].label, beat.word()), page.render().unwrap())
    });
    drawn.collect()
}

/// The text with every hash and key left out: commitments differ by what they hide.
fn without_hashes(text: &str) -> String {
    let hex = |c: char| c.is_ascii_digit() || ('a'..='f').contains(&c);
    let mut out = String::new();
    let mut run = String::new();
    for c in text.chars().chain(['\n']) {
        if hex(c) {
            run.push(c);
            continue;
        }
        out.push_str(if run.len() >= 8 { "#" } else { &run });
        run.clear();
        out.push(c);
    }
    out
}

#[test]
fn nothing_that_is_sealed_is_drawn() {
    let one = puzzler(["claim", "steal", "score", "block"]);
    let other = puzzler(["grow", "score", "steal", "claim"]);
    // A move without a Block seals `-` for its target, and opens it.
    let sealed = one.secrets.iter().filter(|((_, field), secret)| field.as_str() != "move" && secret.value != "-");
    let sealed: Vec<_> = sealed.collect();
    assert!(sealed.len() >= 4, "the targets of two rounds: {sealed:?}");
    for ((name, drawn), (_, again)) in everything(&one).into_iter().zip(everything(&other)) {
        for (place, secret) in &sealed {
            assert!(!drawn.contains(&secret.key.to_hex()), "{name} holds the key of {place:?}");
        }
        for target in ["score", "grow", "claim", "steal", "block"] {
            assert!(!drawn.contains(&format!("block:{target}")), "{name} names {target}");
            assert!(!drawn.to_lowercase().contains(&format!("naming {target}")), "{name} names {target}");
        }
        if name != "bundle" {
            assert_eq!(without_hashes(&drawn), without_hashes(&again), "{name}");
        }
    }
}

#[test]
fn everything_is_drawn_once_the_result_is_entered() {
    let mut played = puzzler(["claim", "steal", "score", "block"]);
    played.rules("conceded", Some(Verdict::Won(Seat::P1)));
    played.ends();
    let drawn = everything(&played);
    let page = |name: &str| &drawn.iter().find(|(found, _)| found == name).unwrap().1;
    assert!(page("the match").contains("Block Score") && page("the match").contains("Block Steal"));
    assert!(page("round 1, choices").contains("Claim and Block naming Score"));
    assert!(page("json").contains("block:claim") && page("dmn").contains("claim block:score"));
    assert!(!page("the match").contains("block:?"));
}
