//! The secret target of the Genius Puzzler: closed while the match runs, open when it is over.

use engine::{Seat, Verdict};
use ledger::Kind;
use record::write::{self, NewEntries};

use crate::acts::NO_ITEMS;
use crate::book::Book;

fn puzzler() -> Book {
    Book::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS)
}

/// The lines of the steps, as in the entries.
fn steps(book: &Book) -> Vec<String> {
    book.public().steps.iter().map(|step| step.public.clone()).collect()
}

#[test]
fn a_cancelled_target_opens_at_the_end_only() {
    let mut book = puzzler();
    book.plays("score block:claim / grow block:steal");
    book.plays("steal / claim");
    assert_eq!(steps(&book), ["1. score block:? / grow block:?", "2. steal / claim"]);
    for secret in book.secrets.values().filter(|secret| ["claim", "steal"].contains(&secret.value.as_str())) {
        let opened = book.said().contains(&secret.key.to_hex());
        assert_eq!(opened, book.secrets.iter().any(|((_, field), s)| s == secret && field.as_str() == "move"));
    }
    let running = book.public();
    assert_eq!(running.closed_at, Some(1));
    assert!(running.faults.is_empty(), "{:?}", running.faults);
    assert_eq!(book.verdict(), "not yet checkable: values are sealed until the end of the match");
    // The umpire's own fold sees all of it.
    let seen = book.history();
    assert_eq!(seen.steps[0].text.as_deref(), Some("1. score block:claim / grow block:steal"));
    assert_eq!(seen.steps[1].after.as_ref().map(|duel| duel.coming_round()), Some(Some(3)));

    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    let unsealed = book.of_kind(Kind::Unsealed);
    assert_eq!(unsealed.len(), 1);
    let opened = String::from_utf8(book.lines[unsealed[0].0 as usize].clone()).unwrap();
    assert_eq!(opened.matches("\"field\":\"target\"").count(), 2, "{opened}");
    assert_eq!(book.verdict(), "verified with 1 ruling (recorded by the umpire)");
    assert_eq!(steps(&book)[0], "1. score block:? / grow block:?");
    let file = record::dmn(&book.public());
    assert!(file.contains("\n1. score block:claim / grow block:steal\n"), "{file}");
}

#[test]
fn a_target_that_acts_opens_with_its_step() {
    let mut book = puzzler();
    book.plays("score block:claim / grow steal");
    assert_eq!(steps(&book), ["1. score block:claim / grow steal"]);
    assert_eq!(book.verdict(), "so far verified (recorded by the umpire)");
    // A blocked Block is as secret as a cancelled one, and as one that is left out.
    book.plays("claim block:block / score");
    book.plays("grow block:score / block:claim");
    assert_eq!(steps(&book)[1..], ["2. claim block:block / score", "3. grow block:? / block:?"]);
}

#[test]
fn the_export_of_a_running_match_keeps_the_secret() {
    let mut book = puzzler();
    book.plays("score block:claim / grow block:steal");
    for history in [book.public(), book.history()] {
        let file = record::dmn(&history);
        assert!(file.contains("1. score block:? / grow block:?"), "{file}");
    }
}

#[test]
fn a_correction_can_make_a_hidden_target_public() {
    let mut book = puzzler();
    book.plays("score block:claim / grow block:steal");
    book.plays("grow steal / score");
    // Without the other Block, the first one acts; its seal opens in the strike.
    book.corrects(1, None, Some("grow"));
    assert_eq!(steps(&book), ["1. score block:claim / grow", "2. grow steal / score"]);
    assert_eq!(book.verdict(), "so far verified with 1 correction (recorded by the umpire)");
    let struck = String::from_utf8(book.lines[book.of_kind(Kind::Struck)[0].0 as usize].clone()).unwrap();
    assert_eq!(struck.matches("\"field\":\"target\"").count(), 1, "{struck}");
    let history = book.public();
    assert_eq!(history.strikes[0].struck[0].public, "1. score block:? / grow block:?");
    finishes(book);
}

#[test]
fn a_correction_can_hide_a_target_that_was_public() {
    let mut book = puzzler();
    book.plays("score block:claim / grow");
    book.plays("grow steal / score");
    book.corrects(1, None, Some("grow block:steal"));
    assert_eq!(steps(&book)[0], "1. score block:? / grow block:?");
    let struck = String::from_utf8(book.lines[book.of_kind(Kind::Struck)[0].0 as usize].clone()).unwrap();
    assert!(struck.contains("step-1-p2-target"), "the new secret is sealed in the strike: {struck}");
    assert!(!struck.contains("\"value\":\"steal\""), "{struck}");
    assert_eq!(book.verdict(), "not yet checkable: values are sealed until the end of the match");
    // And back again: the seal in the first strike opens in the second.
    let mut back = book.clone();
    back.corrects(1, Some("score"), None);
    assert_eq!(steps(&back)[0], "1. score / grow block:steal");
    assert_eq!(back.verdict(), "so far verified with 2 corrections (recorded by the umpire)");
    finishes(back);
    finishes(book);
}

#[test]
fn a_correction_of_a_later_step_leaves_the_seals_of_the_earlier_alone() {
    let mut book = puzzler();
    book.plays("score block:claim / grow block:steal");
    book.plays("steal / claim");
    book.plays("grow block:claim / score block:block");
    book.corrects(2, Some("score steal"), None);
    assert_eq!(
        steps(&book),
        ["1. score block:? / grow block:?", "2. score steal / claim", "3. grow block:? / score block:?"]
    );
    finishes(book);
}

#[test]
fn a_corrected_secret_can_be_corrected_again() {
    let mut book = puzzler();
    book.plays("score block:claim / grow block:steal");
    book.corrects(1, Some("score block:grow"), None);
    book.corrects(1, Some("score block:score"), None);
    let history = book.history();
    assert_eq!(history.steps[0].text.as_deref(), Some("1. score block:score / grow block:steal"));
    finishes(book);
}

#[test]
fn a_struck_end_can_be_played_again() {
    let mut book = puzzler();
    book.plays("score block:claim / grow block:steal");
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    book.strikes(2, "the concession was a joke");
    assert!(!book.history().is_ended());
    assert_eq!(book.verdict(), "so far verified with 1 ruling and 1 strike (recorded by the umpire)");
    book.plays("steal / claim");
    assert_eq!(steps(&book)[1], "2. steal / claim");
    book.rules("conceded after all", Some(Verdict::Won(Seat::P1)));
    book.ends();
    assert!(book.verdict().starts_with("verified with 2 rulings and 1 strike"), "{}", book.verdict());
}

#[test]
fn seals_of_a_decision_that_was_struck_open_at_the_end() {
    let mut book = puzzler();
    book.plays("score / grow");
    book.seals("round", &[(Seat::P1, "score block:claim"), (Seat::P2, "grow block:steal")]);
    book.strikes(1, "the wrong clock");
    finishes(book);
}

/// The seals that a verification of an ended match names as never opened.
fn never_opened(book: &Book) -> usize {
    let report = book.verified();
    report.findings[2].details.iter().filter(|detail| detail.text.contains("this seal was never opened")).count()
}

/// As after the loss of the key under which a server keeps openings.
#[test]
fn a_step_whose_secrets_are_lost_is_struck_and_the_match_is_ruled_on() {
    let mut book = puzzler();
    book.plays("score grow / score steal");
    book.plays("claim block:claim / grow block:steal");
    book.loses_secrets();
    let lost = book.history();
    assert_eq!((lost.closed_at, lost.host_act()), (Some(2), None));
    let strike_first = "a value of an earlier step cannot be opened any more: strike back to that step first";
    let (void, decision) = (Some(Verdict::Void), lost.open[0].asked.decision.clone());
    let ruled = book.writes(|context, history, _| write::rule(context, history, None, "The key is lost", void));
    assert_eq!(ruled.unwrap_err().to_string(), strike_first);
    let sent = book.writes(|context, history, _| {
        write::prepare(context, history, &decision, Seat::P1, "grow").map(|_| NewEntries::default())
    });
    assert_eq!(sent.unwrap_err().to_string(), strike_first);

    book.strikes(2, "The key is lost");
    assert_eq!(book.history().closed_at, None);
    let mut played_again = book.clone();
    played_again.plays("claim block:claim / grow block:steal");
    book.rules("The key is lost", Some(Verdict::Won(Seat::P1)));
    book.ends();
    assert_eq!(book.verdict(), "verified with 1 ruling and 1 strike (recorded by the umpire)");
    assert_eq!(never_opened(&book), 2);
    played_again.rules("conceded", Some(Verdict::Won(Seat::P2)));
    played_again.ends();
    assert_eq!(played_again.verdict(), "verified with 1 ruling and 1 strike (recorded by the umpire)");
    assert_eq!(never_opened(&played_again), 2);
}

#[test]
fn a_round_whose_openings_are_lost_behind_its_seals_is_ruled_on() {
    let mut book = puzzler();
    book.plays("score / grow");
    let decision = book.seals("round", &[(Seat::P1, "score block:claim"), (Seat::P2, "grow block:steal")]);
    book.loses_secrets();
    assert_eq!(book.history().closed_at, None, "nothing that was played is lost");
    let cover = write::Cover { tree: book.tree().into(), witnessed: false };
    let resolved = book.writes(|context, history, secrets| write::resolve(context, history, &decision, secrets, cover));
    assert_eq!(resolved.unwrap_err().to_string(), "the openings of this decision's seals are not here");
    book.rules("The key is lost", Some(Verdict::Void));
    book.ends();
    assert_eq!(book.verdict(), "verified with 1 ruling (recorded by the umpire)");
    assert_eq!(never_opened(&book), 2);
}

/// Ends a match by a ruling, and verifies it.
fn finishes(mut book: Book) {
    book.rules("called off", Some(Verdict::Void));
    book.ends();
    let report = book.verified();
    assert!(report.verdict.to_string().starts_with("verified with "), "{report:#?}");
    assert!(book.history().seals.iter().all(|seal| seal.opened_by.iter().all(Option::is_some)), "a seal stays closed");
}
