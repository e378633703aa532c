//! Entries of a hostile server: anything, in any order, with the largest and the smallest numbers and times. Nothing
//! stops the program, each contradiction is a fault with a place, and folding entry by entry gives the same as folding
//! at once.

use engine::Seat;
use ledger::{Author, DecisionId, Draft, Entry, Head, Moment, Seq};
use proptest::prelude::*;
use record::body::{
    AdmittedAnswer, Asked, BankExtension, Body, Closing, DecidedResult, Extended, Handed, Objected, Outage, Paused,
    Resumed, Ruled, RulingEffect, SeatWord, Struck,
};
use record::verify::{Check, Verdict, verify};
use record::{Bundle, Duty, IncrementalFold, Secrets, Texts, fold};

use crate::book::Book;

fn moment() -> impl Strategy<Value = Moment> {
    let edge = prop_oneof![Just(0), Just(1), Just(Moment::MAX.micros()), Just(Moment::MAX.micros() - 1)];
    let near = 1_795_207_300_000_000..1_795_207_500_000_000_i64;
    prop_oneof![edge, near].prop_map(|micros| Moment::from_micros(micros).unwrap())
}

fn number() -> impl Strategy<Value = u32> {
    prop_oneof![0..4_u32, Just(30), Just(60), Just(u32::MAX), Just(u32::MAX - 1), any::<u32>()]
}

fn decision() -> impl Strategy<Value = DecisionId> {
    prop_oneof![Just("d1"), Just("d2"), Just("d3"), Just("d9"), Just("struck-4"), Just("word-0")]
        .prop_map(|id| id.parse().unwrap())
}

fn seat() -> impl Strategy<Value = SeatWord> {
    prop_oneof![Just(Seat::P1), Just(Seat::P2)].prop_map(SeatWord)
}

fn does() -> impl Strategy<Value = Option<RulingEffect>> {
    prop_oneof![
        Just(None),
        Just(Some(RulingEffect::Records)),
        seat().prop_map(|seat| Some(RulingEffect::Warns(seat))),
        (decision(), seat()).prop_map(|(decision, seat)| Some(RulingEffect::Admits(AdmittedAnswer { decision, seat }))),
        number().prop_map(|entry| Some(RulingEffect::Answers(entry))),
    ]
}

fn closes() -> impl Strategy<Value = Closing> {
    prop_oneof![Just(Closing::Umpire), Just(Closing::Deadline), Just(Closing::FirstValid), Just(Closing::AllIn)]
}

/// Any body of a kind around the game, each with its own commitments.
fn body() -> impl Strategy<Value = Body> {
    let word = any::<[u8; 32]>().prop_map(|bytes| hex::encode(bytes).parse::<ledger::Commitment>().unwrap());
    let result = (number(), prop_oneof![Just("p1"), Just("void"), Just("p3")])
        .prop_map(|(step, verdict)| DecidedResult { step, verdict: verdict.to_owned(), digest: ledger::Hash::ZERO });
    let spent = (seat(), number()).prop_map(|(seat, left)| BankExtension { seat, left });
    let asked =
        (decision(), proptest::collection::vec(seat(), 0..3), number(), closes(), proptest::option::of(moment()));
    let outage = (moment(), moment()).prop_map(|(from, until)| Outage { from, until });
    let (spent, outage) = (proptest::option::of(spent), proptest::option::of(outage));
    let extended = (decision(), number(), moment(), spent, outage, proptest::option::of(word.clone()));
    let ruled = (word.clone(), proptest::option::of(result), does());
    prop_oneof![
        3 => (decision(), proptest::option::of(word.clone()))
            .prop_map(|(decision, reason)| Body::Paused(Paused { decision, reason })),
        3 => (decision(), moment()).prop_map(|(decision, deadline)| Body::Resumed(Resumed { decision, deadline })),
        3 => extended.prop_map(|(decision, seconds, deadline, bank, outage, reason)| {
            Body::Extended(Extended { decision, seconds, deadline, bank, outage, reason })
        }),
        2 => asked.prop_map(|(decision, seats, clock, closes, deadline)| {
            let fields = vec!["move".parse().unwrap()];
            Body::Asked(Asked { decision, what: "round".to_owned(), seats, fields, clock, closes, deadline })
        }),
        3 => ruled.prop_map(|(text, result, does)| Body::Ruled(Ruled { rule: None, text, result, does })),
        1 => (number(), word.clone()).prop_map(|(step, text)| Body::Objected(Objected { step, text })),
        1 => word.clone()
            .prop_map(|reason| Body::Handed(Handed { to: "vera1".parse().unwrap(), reason })),
        1 => (number(), word).prop_map(|(from, reason)| {
            Body::Struck(Struck { from, reason, steps: Vec::new(), openings: Vec::new() })
        }),
    ]
}

fn hand() -> impl Strategy<Value = Author> {
    let umpire = || "umpire:k3x9".parse::<Author>().unwrap();
    prop_oneof![3 => Just(umpire()), 1 => Just(Author::Server), 1 => Just(Author::P1), 1 => Just(Author::P2), 1 => Just(Author::Host)]
}

/// The match with these entries after its own, chained.
fn with(book: &Book, bodies: &[(Body, Author, Moment)]) -> Bundle {
    let mut bundle = book.bundle();
    let mut at = book.entries().last().unwrap().at;
    for (body, by, said) in bodies {
        at = at.max(*said);
        let draft = Draft { at, by: by.clone(), kind: body.kind(), body: body.write() };
        let line = draft.write(book.match_id, bundle.head.next, bundle.head.leaf).unwrap();
        bundle.head = Head { next: bundle.head.next.next().unwrap(), leaf: line.leaf() };
        bundle.lines.push(line.into_bytes());
    }
    bundle
}

/// Runs every check and every view.
fn looked_at(bundle: &Bundle) {
    let read = Bundle::read(&bundle.write()).unwrap();
    let check = Check::of(&read, None);
    let report = check.report();
    assert_eq!(report.findings.len(), usize::from(Check::FINDINGS));
    assert!(!report.verdict.to_string().is_empty());
    let Some(history) = check.history() else { return };
    let last = bundle.lines.len() as u32;
    for fault in &history.faults {
        assert!(fault.rule.duty() == Duty::Fail && fault.entry.0 < last, "{fault:?}");
    }
    for clock in &history.clocks {
        for now in [Moment::MIN, history.last_at, Moment::MAX] {
            let _ = (clock.remaining(now), clock.excluded(), clock.may_give(), clock.sum(6));
        }
    }
    for open in &history.open {
        let _ = history.in_time_until(open);
    }
    let _ = (history.extensions_left(), history.rows().len(), history.umpires().len(), record::dmn(history));
    // At once and one by one.
    let entries: Vec<Entry> = bundle.lines.iter().map(|line| Entry::read(line).unwrap()).collect();
    let leaves: Vec<ledger::Hash> = bundle.lines.iter().map(|line| ledger::leaf_hash(line)).collect();
    let whole = fold(&bundle.origin, &entries, &leaves, &Texts::new(), &Secrets::new()).unwrap();
    let mut going = IncrementalFold::open(&bundle.origin, &entries[0], leaves[0]).unwrap();
    for (entry, leaf) in entries.iter().zip(&leaves).skip(1) {
        going.push(entry, *leaf);
    }
    let going = going.history();
    assert_eq!(going.faults, whole.faults);
    assert_eq!(
        (&going.clocks, &going.early_closes, &going.final_closes, &going.objections),
        (&whole.clocks, &whole.early_closes, &whole.final_closes, &whole.objections)
    );
    assert_eq!(
        (going.open.len(), going.recorded_from, going.ended),
        (whole.open.len(), whole.recorded_from, whole.ended)
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn nothing_around_a_game_stops_the_program(
        bodies in proptest::collection::vec((body(), hand(), moment()), 0..12)
    ) {
        looked_at(&with(&Book::of("at once, a round played"), &bodies));
    }
}

#[test]
fn clocks_of_no_time_and_of_all_time_are_sums_too() {
    let (umpire, d2): (Author, DecisionId) = ("umpire:k3x9".parse().unwrap(), "d2".parse().unwrap());
    let paused = || Body::Paused(Paused { decision: d2.clone(), reason: None });
    let resumed = |deadline| Body::Resumed(Resumed { decision: d2.clone(), deadline });
    for end in [Moment::MIN, Moment::MAX] {
        let bundle = with(
            &Book::of("at once, a round played"),
            &[
                (paused(), umpire.clone(), Moment::MIN),
                (resumed(end), umpire.clone(), Moment::MAX),
                (paused(), umpire.clone(), Moment::MAX),
                (resumed(end), umpire.clone(), Moment::MAX),
            ],
        );
        looked_at(&bundle);
    }
    // The pause lasts until the last moment, and so does the clock: the sum is as large as a moment can be.
    let bundle = with(
        &Book::of("at once, a round played"),
        &[(paused(), umpire.clone(), Moment::MIN), (resumed(Moment::MAX), umpire, Moment::MAX)],
    );
    assert!(verify(&bundle).is_good(), "{:#?}", verify(&bundle));
}

/// A file with one extra entry at the end, of any bytes.
fn file_with(line: &str) -> Vec<u8> {
    let mut bundle = Book::of("at once, a round played").bundle();
    bundle.lines.push(line.as_bytes().to_vec());
    bundle.head = Head { next: Seq(bundle.lines.len() as u32), leaf: ledger::leaf_hash(line.as_bytes()) };
    bundle.write()
}

#[test]
fn hostile_lines_are_faults_with_a_place() {
    let book = Book::of("at once, a round played");
    let place = book.head.next.0;
    let start = format!(
        "{{\"v\":1,\"match\":\"{}\",\"seq\":{place},\"prev\":\"{}\",\"at\":\"2026-11-21T00:00:00.000000Z\",\"by\":\"umpire:k3x9\",",
        book.match_id, book.head.leaf
    );
    let deep = |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    for body in [
        deep(64),
        deep(65),
        deep(20_000),
        format!("{{\"a\":{}{}}}", "[".repeat(30_000), "]".repeat(30_000)),
        "{\"decision\":\"d2\",\"decision\":\"d2\",\"reason\":null}".to_owned(),
        "{\"decision\":\"d2\",\"\\u0064ecision\":\"d2\",\"reason\":null}".to_owned(),
        "{\"decision\":\"d2\",\"seconds\":99999999999999999999,\"deadline\":\"9999-12-31T23:59:59.999999Z\"}"
            .to_owned(),
        "{\"decision\":\"d2\",\"seconds\":1e9,\"deadline\":\"9999-12-31T23:59:59.999999Z\"}".to_owned(),
        "{\"decision\":\"d2\",\"seconds\":-0,\"deadline\":\"9999-12-31T23:59:59.999999Z\"}".to_owned(),
        "{\"decision\":\"d2\",\"deadline\":\"10000-01-01T00:00:00.000000Z\"}".to_owned(),
        "{\"decision\":\"d2\",\"deadline\":\"1969-12-31T23:59:59.999999Z\"}".to_owned(),
        "{\"decision\":\"\\ud800\",\"reason\":null}".to_owned(),
        "{\"does\":{\"answers\":4294967296},\"result\":null,\"rule\":null,\"text\":\"00\"}".to_owned(),
        "{\"does\":null}".to_owned(),
        "{}".to_owned(),
        "[]".to_owned(),
        String::new(),
    ] {
        for kind in ["paused", "resumed", "extended", "ruled", "handed", "objected", "asked", "nothing"] {
            let file = file_with(&format!("{start}\"kind\":\"{kind}\",\"body\":{body}}}"));
            let report = verify(&Bundle::read(&file).unwrap());
            let shown: String = body.chars().take(80).collect();
            assert!(matches!(report.verdict, Verdict::Failed { entry, .. } if entry == Seq(place)), "{kind} {shown}");
        }
    }
}
