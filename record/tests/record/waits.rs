//! Matches that wait for the log's witnesses before they open anything. What a verifier says of them without a policy is in
//! `fixtures/verdicts/signatures.txt`.

use ledger::{Note, Policy};
use record::verify::{Status, verify, verify_by};
use record::write::{self, NewMatch, WriteContext};
use record::{Bundle, Rule};

use crate::book::{Book, new_match};
use crate::log::{cosigned_at, log_key, logged, policy};
use crate::report::said_by;

/// The bundle with the note of each tree that an entry names.
pub(crate) fn with_notes(book: &Book, change: impl Fn(&Note) -> Note) -> Bundle {
    let mut bundle = logged(book);
    for named in &mut bundle.logged.as_mut().unwrap().trees {
        named.checkpoint = named.checkpoint.as_ref().map(&change);
    }
    bundle
}

/// A note as the log alone signed it.
pub(crate) fn unsigned(note: &Note) -> Note {
    Note::with_signature(note.text().clone(), note.signatures()[0].clone())
}

#[test]
fn a_limit_that_passed_satisfies_no_policy() {
    let book = Book::of("waiting, without witnesses");
    let nobody = Policy::read(format!("log {}\nquorum none\n", log_key(&book).verifier()).as_bytes()).unwrap();
    let report = verify_by(&logged(&book), &nobody);
    assert!(report.is_good(), "{report:#?}");
    assert_eq!(report.findings[1].status, Status::NotShown, "{report:#?}");
    assert!(report.findings[1].summary.contains("1 opened without enough witnesses: the limit had passed."));
    assert_eq!(said_by(&verify(&logged(&book)), Rule::LimitPassed).len(), 1, "everybody is told");
    let unpoliced = verify(&logged(&Book::of("waiting, ended")));
    assert!(unpoliced.findings[1].summary.contains("its tree was witnessed, as the server says"), "{unpoliced:#?}");
}

#[test]
fn what_is_not_cosigned_by_then_is_not_shown() {
    let book = Book::of("waiting, a round played");
    let resolved = book.history().waits[0].at.micros().unsigned_abs() / 1_000_000;
    let shown = |seconds: Option<u64>| {
        let bundle = with_notes(&book, |note| match seconds {
            Some(seconds) => cosigned_at(unsigned(note), seconds),
            None => unsigned(note),
        });
        let report = verify_by(&bundle, &policy(&book));
        assert!(report.is_good(), "{report:#?}");
        (report.findings[1].status, said_by(&report, Rule::NotWitnessed).len())
    };
    assert_eq!(shown(Some(resolved)), (Status::Holds, 0), "in the same second");
    assert_eq!(shown(Some(resolved + 1)), (Status::NotShown, 1), "later than it was opened");
    assert_eq!(shown(None), (Status::NotShown, 1), "without cosignatures");
}

#[test]
fn a_false_cosignature_of_an_earlier_tree_fails() {
    let mut book = Book::of("waiting, a round played");
    book.plays("score / grow");
    let mut bundle = logged(&book);
    let logged = bundle.logged.as_mut().unwrap();
    let later = logged.trees[1].checkpoint.as_ref().unwrap().signatures()[1].clone();
    let first = logged.trees[0].checkpoint.as_mut().unwrap();
    *first = unsigned(first);
    first.add(later).unwrap();
    let report = verify_by(&bundle, &policy(&book));
    assert_eq!(said_by(&report, Rule::KnownLog), ["the policy does not accept an earlier checkpoint"], "{report:#?}");
    assert!(!report.is_good());
}

#[test]
fn the_decision_that_waits_is_known_until_it_is_resolved() {
    let mut book = Book::of("waiting");
    assert_eq!(book.history().waiting(), None);
    let decision = book.seals("round", &[(engine::Seat::P1, "score"), (engine::Seat::P2, "grow")]);
    let waiting = book.history().waiting().unwrap();
    assert_eq!((waiting.decision.clone(), waiting.sealed), (decision.clone(), ledger::Seq(3)));
    assert_eq!(waiting.until.micros() - waiting.since.micros(), 30_000_000);
    book.resolves(&decision);
    assert_eq!(book.history().waiting(), None);
    assert_eq!(Book::of("waiting, recorded").history().waits.len(), 1);
    // Nobody waits for a decision without a seal.
    let mut book = Book::of("waiting");
    book.plays("- / -");
    assert!(book.history().waits.is_empty());
    assert_eq!(book.lines.iter().filter(|line| String::from_utf8_lossy(line).contains("\"witnessed\"")).count(), 0);
}

#[test]
fn a_limit_out_of_bounds_is_refused() {
    for seconds in [0, 601] {
        let (origin, match_id) = ("example.org/log".parse().unwrap(), Book::new().match_id);
        let (by, at) = ("umpire:k3x9".parse().unwrap(), "2026-11-20T20:00:00.000000Z".parse().unwrap());
        let waiting = &write::NO_KEYS;
        let mut context = WriteContext { origin: &origin, match_id, by, at, waiting, entropy: &mut || [7; 32] };
        let new = NewMatch { wait: Some(seconds), ..new_match("recorded five-card-trick/dm-colosseum-2") };
        let refused = write::open(&mut context, &new).unwrap_err().to_string();
        assert_eq!(refused, "a match waits for witnesses at least 1 second and at most 600");
    }
}
