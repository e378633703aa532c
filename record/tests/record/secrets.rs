//! The secret target of the Genius Puzzler: closed while the match runs, open when it is over. What a verifier says of it is
//! in `fixtures/verdicts/secrets.txt`.

use engine::{Seat, Verdict};
use record::Rule;
use record::write::{self, NewEntries};

use crate::book::Book;
use crate::report::said_by;

#[test]
fn a_cancelled_target_opens_at_the_end_only() {
    let book = Book::of("cancelled targets");
    for secret in book.secrets.values().filter(|secret| ["claim", "steal"].contains(&secret.value.as_str())) {
        let opened = book.said().contains(&secret.key.to_hex());
        assert_eq!(opened, book.secrets.iter().any(|((_, field), s)| s == secret && field.as_str() == "move"));
    }
    let running = book.public();
    assert_eq!(running.closed_at, Some(1));
    assert!(running.faults.is_empty(), "{:?}", running.faults);
    // The umpire's own fold sees all of it.
    let seen = book.history();
    assert_eq!(seen.steps[0].text.as_deref(), Some("1. score block:claim / grow block:steal"));
    assert_eq!(seen.steps[1].after.as_ref().map(|duel| duel.coming_round()), Some(Some(3)));
    // The file of a running match keeps the secret, and that of an ended one has it.
    for history in [book.public(), book.history()] {
        let file = record::dmn(&history);
        assert!(file.contains("1. score block:? / grow block:?"), "{file}");
    }
    let file = record::dmn(&Book::of("cancelled targets, ended").public());
    assert!(file.contains("\n1. score block:claim / grow block:steal\n"), "{file}");
}

#[test]
fn a_corrected_secret_can_be_corrected_again() {
    let history = Book::of("a secret corrected twice").history();
    assert_eq!(history.steps[0].text.as_deref(), Some("1. score block:score / grow block:steal"));
    let struck = Book::of("shown by a correction").public().strikes[0].struck[0].public.clone();
    assert_eq!(struck, "1. score block:? / grow block:?");
    assert!(Book::of("hidden by a correction").said().contains("step-1-p2-target"), "it is sealed in the strike");
}

/// The seals that a verification of an ended match names as never opened.
fn never_opened(book: &Book) -> usize {
    said_by(&book.verified(), Rule::NeverOpened).len()
}

/// As after the loss of the key under which a server keeps openings.
#[test]
fn a_step_whose_secrets_are_lost_is_struck_and_the_match_is_ruled_on() {
    let mut book = Book::of("opened Puzzler");
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
    let mut book = Book::of("opened Puzzler");
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
