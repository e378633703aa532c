//! While a match runs, no page and no file of it shows a sealed value.
//!
//! The tests draw two matches that differ only in their sealed values, and the results must be equal.

use app::archive::verdict_filter;
use app::umpires::UmpireNames;
use app::views::{Beat, BeforeStrike, VisibleMatch, beat_scene, match_scene};
use askama::Template;
use engine::{BySeat, Seat, Verdict};
use picture::Theme;
use record::verify::verify;
use record::{History, SheetRow, Strike};

use super::{comments, match_page, moment, moment_context, spoiler_free};
use crate::played::Book as Played;
use page::{Urls, VerdictBadge};
use web_http::{Spoilers, ViewParams};

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

fn everything(played: &Played) -> Vec<(String, String)> {
    let history = played.history();
    let verdict = verify(&played.bundle()).verdict;
    let badge = VerdictBadge::of(verdict_filter(&verdict), &verdict.to_string(), None);
    let mut drawn = vec![
        (
            "the match".to_owned(),
            match_page::MatchPage::of(&VisibleMatch::public(&history), None, badge, ViewParams::default(), "")
                .render()
                .unwrap(),
        ),
        ("json".to_owned(), app::views::match_json(&history, UmpireNames::NONE)),
        ("dmn".to_owned(), record::dmn(&history)),
        ("bundle".to_owned(), String::from_utf8(played.bundle().write()).unwrap()),
    ];
    drawn.extend(moments(&history));
    let params = ViewParams { spoilers: Spoilers::Hidden, ..ViewParams::default() };
    let page = spoiler_free::SpoilerFree::of(&params.visible(&history).unwrap(), None, params, "");
    drawn.push(("the beginning".to_owned(), page.render().unwrap()));
    let words = ViewParams::SIGHTS
        .map(|(word, sight)| (word, ViewParams { sight: Some(sight), ..ViewParams::default() }.visible(&history)));
    assert!(words.iter().all(|(word, visible)| visible.is_ok() == (history.is_ended() || *word == "public")));
    drawn.push(("the picture".to_owned(), picture::svg(&match_scene(&history), Theme::Light)));
    let rows = history.rows();
    for (at, beat) in (0..rows.len()).flat_map(|at| Beat::ALL.map(|beat| (at, beat))) {
        let scene = beat_scene(&VisibleMatch::public(&history), &rows, at, beat).unwrap();
        let name = format!("round {}, {}, the picture", rows[at].label, beat.word());
        drawn.push((name, picture::svg(&scene, Theme::Light)));
    }
    drawn
}

fn moments(history: &History) -> Vec<(String, String)> {
    let (params, urls, now) = (ViewParams::default(), Urls::of(history.match_id, ViewParams::default()), history);
    let rows = history.rows();
    let draw = |history: &History, rows: &[SheetRow<'_>], strike: Option<&Strike>| {
        let urls = strike.map_or(urls.clone(), |strike| urls.struck(strike.entry));
        let all = (0..rows.len()).flat_map(|at| Beat::ALL.map(|beat| (at, beat)));
        let drawn = all.map(|(at, beat)| {
            let context = moment_context::MomentContext {
                params,
                urls: urls.clone(),
                strike,
                umpire: None,
                site: "",
                umpires: UmpireNames::NONE,
                comments: &comments::MatchComments::default(),
                now,
            };
            let page = moment::Moment::of(&VisibleMatch::public(history), rows, at, beat, &context).unwrap();
            let gone = if strike.is_some() { ", struck" } else { "" };
            (format!("round {}, {}{gone}", rows[at].label, beat.word()), page.render().unwrap())
        });
        drawn.collect::<Vec<_>>()
    };
    let mut drawn = draw(history, &rows, None);
    for strike in &history.strikes {
        let earlier = BeforeStrike::of(history, strike);
        drawn.extend(draw(&earlier.history, &earlier.rows(), Some(strike)));
    }
    drawn
}

/// The text without hashes and keys: commitments differ by their hidden values.
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

/// The public pages of these two running matches differ only in their hashes.
fn look_alike(one: &Played, other: &Played) {
    for ((name, drawn), (_, again)) in everything(one).into_iter().zip(everything(other)) {
        for (place, secret) in &one.secrets {
            let opened = String::from_utf8(one.bundle().write()).unwrap().contains(&secret.key.to_hex());
            assert!(opened || !drawn.contains(&secret.key.to_hex()), "{name} holds the key of {place:?}");
        }
        if name != "bundle" {
            assert_eq!(without_hashes(&drawn), without_hashes(&again), "{name}");
        }
    }
}

/// The first turn on board D, played at the desk, with the assignment and two face-down circles on board A.
fn boards(assigned: &str, circles: [&str; 2]) -> Played {
    let mut played = Played::opened("higher-lower/tempo-up", Some(Seat::P2), NO_ITEMS);
    played.plays("p2: colour pink");
    played.plays(assigned);
    let [one, other] = circles;
    played.plays(&format!(
        "host: place A A9 {one} A10 A10 A3 {other} A5 A4 E6 B10 B1 E6 A5 E2 A2 A2 E5 B9 A8 E8 A10 B6 E7 E7 A1"
    ));
    for place in [
        "B C5 C6 B6 B7 C4 A3 B3 B2 B9 C5 B5 B3 B8 C3 B9 C1 B4 C2 A8 B1 B5 A7 B10 B5 B10",
        "C D4 D6 C7 B6 C2 D3 C2 B7 C4 B8 B8 B2 C3 D5 D5 C8 C7 D6 C6 D9 C7 D10 D9 C9 B4",
        "D D1 E1 C10 E3 E9 C4 D2 D4 C6 C1 D4 D9 D7 D5 E9 C9 D8 D6 E4 C8 C3 D10 C10 D8 E5",
        "E A9 E7 D2 E1 A7 E4 E10 A5 D1 E6 D3 A1 E9 A4 D7 E1 E10 A1 A9 D7 A6 A6 E3 E5 A3",
    ] {
        played.plays(&format!("host: place {place}"));
    }
    for line in ["p2: board D second", "p1: turn d3", "p1: north higher", "p1: east lower"] {
        played.plays(line);
    }
    played
}

#[test]
fn face_down_cards_are_on_no_page() {
    let one = boards("p1: assign A square B1 B9 B6", ["E2", "E8"]);
    let other = boards("p1: assign A circle E6 E2 E7", ["E8", "E2"]);
    look_alike(&one, &other);
}

#[test]
fn a_typed_draw_is_marked() {
    let mut played = boards("p1: assign A square B1 B9 B6", ["E2", "E8"]);
    let drawn = everything(&played);
    let page = |name: &str| drawn.iter().find(|(found, _)| found == name).unwrap().1.clone();
    assert!(page("the match").contains("drawn elsewhere and typed in: not checkable"));
    assert!(page("round 0.2, choices").contains("drawn elsewhere and typed in: not checkable"));
    assert!(!page("round 1.2, choices").contains("not checkable"));
    played.rules("conceded", Some(Verdict::Won(Seat::P1)));
    played.ends();
    let drawn = everything(&played);
    let last = &drawn.iter().find(|(found, _)| found == "round 1.2, after").unwrap().1;
    assert!(last.contains("face down to the players"), "what lay hidden is shown once it is over");
}

#[test]
fn search_results_are_shown_only_after_the_result() {
    let mut played = Played::opened("thwart-13/dm-colosseum-2", None, NO_ITEMS);
    played.plays("TH / 4C");
    played.plays("front / back");
    let told = |played: &Played| {
        let drawn = everything(played);
        let found = drawn.iter().filter(|(_, page)| page.contains("Can they still complete a set?"));
        found.map(|(name, _)| name.clone()).collect::<Vec<_>>()
    };
    assert!(told(&played).is_empty(), "it may say what to play");
    played.rules("conceded", Some(Verdict::Won(Seat::P1)));
    assert!(told(&played).is_empty(), "nothing before the result is entered");
    played.ends();
    let moments = ["1, before", "1, choices", "1, after", "1.2, before", "1.2, choices", "1.2, after"];
    assert_eq!(told(&played), moments.map(|moment| format!("round {moment}")));
}

#[test]
fn sealed_values_are_on_no_page() {
    let one = puzzler(["claim", "steal", "score", "block"]);
    let other = puzzler(["grow", "score", "steal", "claim"]);
    // A move without a Block also seals `-` as its target, and opens it.
    let sealed = one.secrets.iter().filter(|((_, field), secret)| field.as_str() != "move" && secret.value != "-");
    let sealed: Vec<_> = sealed.collect();
    assert!(sealed.len() >= 4, "the targets of two rounds: {sealed:?}");
    look_alike(&one, &other);
    for (name, drawn) in everything(&one) {
        for (place, secret) in &sealed {
            assert!(!drawn.contains(&secret.key.to_hex()), "{name} holds the key of {place:?}");
        }
        for target in ["score", "grow", "claim", "steal", "block"] {
            assert!(!drawn.contains(&format!("block:{target}")), "{name} names {target}");
            for words in ["block on", "block twice on"] {
                assert!(!drawn.to_lowercase().contains(&format!("{words} {target}")), "{name} names {target}");
            }
        }
    }
}

#[test]
fn everything_is_shown_after_the_result() {
    let mut played = puzzler(["claim", "steal", "score", "block"]);
    played.rules("conceded", Some(Verdict::Won(Seat::P1)));
    played.ends();
    let drawn = everything(&played);
    let page = |name: &str| &drawn.iter().find(|(found, _)| found == name).unwrap().1;
    assert!(page("the match").contains("Block Score") && page("the match").contains("Block Steal"));
    assert!(page("round 1, choices").contains("Claim and Block on Score"));
    assert!(page("json").contains("block:claim") && page("dmn").contains("claim block:score"));
    assert!(!page("the match").contains("block:?"));
}
