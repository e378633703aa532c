//! Matches that wait for the log's witnesses before they open anything.

use engine::{BySeat, Seat, Setup, Verdict};
use ledger::{DecisionId, Note, Policy};
use record::body::Body;
use record::verify::{Finding, Report, Status, verify, verify_by};
use record::write::{self, Clocks, NewMatch, Pace, WriteContext};
use record::{Bundle, Rule};

use crate::book::Book;
use crate::forger::{Seals, bodies, forged};
use crate::log::{cosigned_at, log_key, logged, policy};

const LIMIT: u32 = 30;

fn new(pace: Pace) -> NewMatch {
    let setup = Setup { ruleset: "five-card-trick/dm-colosseum-2".to_owned(), ..Setup::default() };
    let names = BySeat { p1: "Juniper".into(), p2: "Okapi".into() };
    NewMatch { setup, names, pace, wait: Some(LIMIT), ..NewMatch::default() }
}

/// A live match that waits at most 30 seconds.
pub(crate) fn waiting() -> Book {
    Book::open(&new(Pace::Live { clocks: Clocks::Off, early: false }))
}

/// The same, played to its end.
pub(crate) fn witnessed() -> Book {
    let mut book = waiting();
    book.plays("grow / claim");
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    book
}

/// The same with two rounds, of which the second was opened without its witnesses.
pub(crate) fn passed() -> Book {
    let mut book = waiting();
    book.plays("grow / claim");
    let decision = sealed(&mut book);
    book.passes(LIMIT.into());
    book.resolves_by(&decision, false);
    book
}

fn sealed(book: &mut Book) -> DecisionId {
    book.seals("round", &[(Seat::P1, "score"), (Seat::P2, "grow")])
}

fn said(report: &Report, rule: Rule) -> Vec<String> {
    let details = report.findings.iter().flat_map(|finding| &finding.details);
    details.filter(|detail| detail.rule == rule).map(|detail| detail.text.clone()).collect()
}

fn broken(bundle: &Bundle) -> Vec<Rule> {
    let report = verify(bundle);
    let details = report.findings.iter().flat_map(|finding| &finding.details);
    details.filter(|detail| detail.wrong).map(|detail| detail.rule).collect()
}

fn logged_finding(report: &Report) -> &Finding {
    &report.findings[1]
}

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
fn each_tree_was_witnessed_before_its_opening_and_the_time_is_said() {
    let mut book = waiting();
    for line in ["grow / claim", "score / grow"] {
        book.plays(line);
    }
    let report = verify_by(&logged(&book), &policy(&book));
    assert!(report.is_good(), "{report:#?}");
    assert_eq!(logged_finding(&report).status, Status::Holds, "{report:#?}");
    let summary = &logged_finding(&report).summary;
    assert!(
        summary.contains("Before each opening, of 2 decisions, those witnesses had cosigned its tree."),
        "{summary}"
    );
    let time = "waited for the log\u{2019}s witnesses before 2 openings: 2 s in all, at most 1 s, with a limit of 30 s. No \
                clock ran for what came next";
    assert_eq!(said(&report, Rule::Waited), [time]);
    let unpoliced = verify(&logged(&book));
    assert!(
        logged_finding(&unpoliced).summary.contains("its tree was witnessed, as the server says"),
        "{unpoliced:#?}"
    );
}

#[test]
fn a_limit_that_passed_is_marked_and_no_policy_is_satisfied() {
    let book = passed();
    let nobody = Policy::read(format!("log {}\nquorum none\n", log_key(&book).verifier()).as_bytes()).unwrap();
    for policy in [policy(&book), nobody] {
        let report = verify_by(&logged(&book), &policy);
        assert!(report.is_good(), "{report:#?}");
        assert_eq!(logged_finding(&report).status, Status::NotShown, "{report:#?}");
        let summary = &logged_finding(&report).summary;
        let told = "Of 2 decisions, 1 opened without enough witnesses: the limit had passed.";
        assert!(summary.contains(told), "{summary}");
    }
    let text = "d2: opened 31 s after its seals, without enough witnesses, because the limit had passed";
    assert_eq!(said(&verify(&logged(&book)), Rule::LimitPassed), [text], "everybody is told");
    assert_eq!(said(&verify(&book.bundle()), Rule::LimitPassed), [text], "without a log, too");
}

#[test]
fn what_is_not_cosigned_by_then_is_not_shown() {
    let mut book = waiting();
    book.plays("grow / claim");
    let resolved = book.history().waits[0].at.micros().unsigned_abs() / 1_000_000;
    let shown = |seconds: Option<u64>| {
        let bundle = with_notes(&book, |note| match seconds {
            Some(seconds) => cosigned_at(unsigned(note), seconds),
            None => unsigned(note),
        });
        let report = verify_by(&bundle, &policy(&book));
        assert!(report.is_good(), "{report:#?}");
        (logged_finding(&report).status, said(&report, Rule::NotWitnessed).len())
    };
    assert_eq!(shown(Some(resolved)), (Status::Holds, 0), "in the same second");
    assert_eq!(shown(Some(resolved + 1)), (Status::NotShown, 1), "later than it was opened");
    assert_eq!(shown(None), (Status::NotShown, 1), "without cosignatures");
}

#[test]
fn a_false_cosignature_of_an_earlier_tree_fails() {
    let mut book = waiting();
    book.plays("grow / claim");
    book.plays("score / grow");
    let mut bundle = logged(&book);
    let logged = bundle.logged.as_mut().unwrap();
    let later = logged.trees[1].checkpoint.as_ref().unwrap().signatures()[1].clone();
    let first = logged.trees[0].checkpoint.as_mut().unwrap();
    *first = unsigned(first);
    first.add(later).unwrap();
    let report = verify_by(&bundle, &policy(&book));
    assert_eq!(said(&report, Rule::KnownLog), ["the policy does not accept an earlier checkpoint"], "{report:#?}");
    assert!(!report.is_good());
}

#[test]
fn a_match_that_waits_says_so_as_it_must() {
    let mut book = waiting();
    book.plays("grow / claim");
    let limited =
        |seconds| forged(&book, Seals::Remade, |entries| bodies!(entries, Opened).next().unwrap().wait = seconds);
    assert_eq!(broken(&limited(Some(0)))[0], Rule::WaitStated);
    assert_eq!(broken(&limited(Some(601)))[0], Rule::WaitStated);
    assert_eq!(broken(&limited(Some(600))), []);
    assert_eq!(broken(&limited(None)), [Rule::WaitStated], "a resolution speaks of witnesses elsewhere");
    let silent = forged(&book, Seals::Remade, |entries| bodies!(entries, Resolved).next().unwrap().witnessed = None);
    assert_eq!(broken(&silent), [Rule::WaitStated]);
    let imported = Book::imported(&crate::book::archive()[0].text);
    let imported = forged(&imported, Seals::Kept, |entries| bodies!(entries, Opened).next().unwrap().wait = Some(9));
    assert_eq!(broken(&imported), [Rule::WaitStated]);
}

#[test]
fn nothing_opens_without_witnesses_before_the_limit() {
    let mut book = waiting();
    let decision = sealed(&mut book);
    book.resolves_by(&decision, false);
    assert_eq!(broken(&book.bundle()), [Rule::LimitKept]);
}

#[test]
fn a_decision_without_a_seal_waits_for_nobody() {
    let mut book = waiting();
    book.plays("- / -");
    assert_eq!(broken(&book.bundle()), []);
    assert!(book.history().waits.is_empty());
    let resolved = bodies_of(&book, |body| matches!(body, Body::Resolved(resolved) if resolved.witnessed.is_none()));
    assert_eq!(resolved, 1);
}

fn bodies_of(book: &Book, is: impl Fn(&Body) -> bool) -> usize {
    book.entries().iter().filter(|entry| is(&Body::read(entry).unwrap())).count()
}

#[test]
fn the_decision_that_waits_is_known_until_it_is_resolved() {
    let mut book = waiting();
    assert_eq!(book.history().waiting(), None);
    let decision = sealed(&mut book);
    let waiting = book.history().waiting().unwrap();
    assert_eq!((waiting.decision.clone(), waiting.sealed), (decision.clone(), ledger::Seq(3)));
    assert_eq!(waiting.until.micros() - waiting.since.micros(), i64::from(LIMIT) * 1_000_000);
    book.resolves(&decision);
    assert_eq!(book.history().waiting(), None);
}

#[test]
fn a_limit_out_of_bounds_is_refused() {
    for seconds in [0, 601] {
        let (origin, match_id) = ("example.org/log".parse().unwrap(), Book::new().match_id);
        let (by, at) = ("umpire:k3x9".parse().unwrap(), "2026-11-20T20:00:00.000000Z".parse().unwrap());
        let waiting = &write::NO_KEYS;
        let mut context = WriteContext { origin: &origin, match_id, by, at, waiting, entropy: &mut || [7; 32] };
        let new = NewMatch { wait: Some(seconds), ..new(Pace::Recorded) };
        let refused = write::open(&mut context, &new).unwrap_err().to_string();
        assert_eq!(refused, "a match waits for witnesses at least 1 second and at most 600");
    }
    let mut recorded = Book::open(&new(Pace::Recorded));
    recorded.plays("grow / claim");
    assert_eq!(broken(&recorded.bundle()), []);
    assert_eq!(recorded.history().waits.len(), 1);
}
