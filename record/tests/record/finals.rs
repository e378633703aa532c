//! Questions that close early because both seats have called their answers final: what the record says of it, and what a
//! verifier refuses.

use engine::{BySeat, Seat, Setup};
use ledger::{Author, DecisionId, Kind, Moment};
use record::body::{Body, Closing, Mode, Tree};
use record::verify::{Status, verify};
use record::write::{self, Clocks, Cover, NewMatch, Pace, WriteContext};
use record::{Bundle, History, TimeLeft};

use crate::acts::id;
use crate::book::Book;
use crate::forger::{Seals, among_others, bodies, caught, failing, forged};
use crate::receipts;

const ROUNDS: &str = "five-card-trick/dm-colosseum-2";
const MOVES: [(Seat, &str); 2] = [(Seat::P1, "grow"), (Seat::P2, "claim")];
const BOTH: BySeat<bool> = BySeat { p1: true, p2: true };

impl Book {
    /// A live match with clocks whose questions may close early.
    pub(crate) fn early(ruleset: &str, clocks: Clocks) -> Self {
        let setup = Setup { ruleset: ruleset.to_owned(), dmo: Some(Seat::P2), ..Setup::default() };
        let names = BySeat { p1: "Juniper".into(), p2: "Okapi".into() };
        Self::open(&NewMatch { setup, names, pace: Pace::Live { clocks, early: true }, ..NewMatch::default() })
    }

    /// The server resolves a decision.
    pub(crate) fn server_resolves(&mut self, decision: &DecisionId) {
        let cover = Cover { tree: Tree::from(self.tree()), witnessed: true };
        self.writes(|context, history, secrets| {
            let mut server = WriteContext { by: Author::Server, entropy: &mut *context.entropy, ..*context };
            write::resolve(&mut server, history, decision, secrets, cover)
        })
        .unwrap();
    }

    /// A round that the server closes, with these seats' answers called final.
    pub(crate) fn closes(&mut self, finals: BySeat<bool>, moves: &[(Seat, &str)]) {
        self.finals = finals;
        let decision = self.seals("round", moves);
        self.server_resolves(&decision);
    }
}

/// A match whose first round closed early, with 54 of its 60 seconds left.
pub(crate) fn closed_early() -> Book {
    let mut book = Book::early(ROUNDS, Clocks::Posted);
    book.runs().unwrap();
    book.passes(3);
    book.closes(BOTH, &MOVES);
    book
}

/// A match whose first round the server closed early while only p1 had called its answer final.
pub(crate) fn closed_too_early() -> Book {
    let mut book = Book::early(ROUNDS, Clocks::Posted);
    book.runs().unwrap();
    book.closes(BySeat { p1: true, p2: false }, &MOVES);
    book
}

/// A match that may not close early, with final answers.
pub(crate) fn marked() -> Bundle {
    let mut book = Book::running(ROUNDS);
    book.plays("grow / claim");
    forged(&book, Seals::Kept, |entries| bodies!(entries, Sealed).for_each(|sealed| sealed.is_final = true))
}

/// A match without clocks that says it may close early.
pub(crate) fn without_clocks() -> Bundle {
    forged(&Book::live(ROUNDS), Seals::Kept, |entries| bodies!(entries, Opened).next().unwrap().early = true)
}

/// Four rounds that closed early, signed by the seats.
pub(crate) fn signed() -> Book {
    let mut book = Book::early(ROUNDS, Clocks::AtOnce);
    book.runs().unwrap();
    book.registers(Seat::P1, 1).unwrap();
    book.registers(Seat::P2, 2).unwrap();
    for round in 0..4 {
        book.closes(BOTH, if round % 2 == 0 { &MOVES } else { &[(Seat::P1, "claim"), (Seat::P2, "score")] });
    }
    book
}

/// The same, ended by a ruling.
pub(crate) fn ended() -> Book {
    let mut book = signed();
    book.rules("conceded", Some(engine::Verdict::Won(Seat::P1)));
    book.ends();
    book
}

fn details(history: &Book) -> Vec<String> {
    let finding = history.verified().findings[3].clone();
    finding.details.into_iter().map(|detail| detail.text).collect()
}

#[test]
fn a_round_closes_early_once_both_answers_are_final() {
    let book = closed_early();
    let history = book.history();
    assert!(history.opened.early);
    assert_eq!(history.questions[&id("d1")].closes, Closing::AllIn);
    assert!(history.faults.is_empty(), "{:?}", history.faults);
    assert_eq!(history.final_closes.len(), 1);
    let report = book.verified();
    assert_eq!(report.verdict.to_string(), "so far verified (sealed by the server, unsigned)");
    assert_eq!(report.findings[3].status, Status::Holds);
    assert_eq!(details(&book), ["Round 1: closed 54 s before its time was up, as all moves were final"]);
    for (seq, entry) in book.entries().into_iter().enumerate().filter(|(_, entry)| entry.kind == Kind::Sealed) {
        assert!(entry.body.contains("\"final\":true"), "{seq}: {}", entry.body);
    }
    assert_eq!(signed().verdict(), "so far verified (signed with the seats' keys)");
}

#[test]
fn the_umpire_closes_early_as_before_and_so_does_the_deadline_without_a_mark() {
    let mut book = Book::early(ROUNDS, Clocks::AtOnce);
    book.runs().unwrap();
    book.finals = BySeat { p1: true, p2: false };
    book.plays("grow / claim");
    assert!(book.history().final_closes.is_empty(), "the umpire closed it");
    book.finals = BySeat::default();
    let decision = book.seals("round", &[(Seat::P1, "score"), (Seat::P2, "-")]);
    book.resolves(&decision);
    assert_eq!(book.history().early_closes.len(), 1, "it is said as in any match");
    assert!(book.history().faults.is_empty(), "{:?}", book.history().faults);
}

#[test]
fn what_the_server_closes_early_without_both_marks_fails() {
    for finals in [BySeat::default(), BySeat { p1: true, p2: false }, BySeat { p1: false, p2: true }] {
        let mut book = Book::early(ROUNDS, Clocks::Posted);
        book.runs().unwrap();
        book.closes(finals, &MOVES);
        caught(&book.bundle(), 4, "it was closed before its deadline, and p");
    }
    let mut silent = Book::early(ROUNDS, Clocks::Posted);
    silent.runs().unwrap();
    silent.closes(BOTH, &[(Seat::P1, "grow"), (Seat::P2, "-")]);
    among_others(&silent.bundle(), 4, "and p2 had not called its answer final");
    // Before the clock begins, too, nothing but finals closes anything.
    let mut waiting = Book::early(ROUNDS, Clocks::Posted);
    waiting.closes(BySeat::default(), &MOVES);
    among_others(&waiting.bundle(), 4, "had not called its answer final");
    let mut waiting = Book::early(ROUNDS, Clocks::Posted);
    waiting.closes(BOTH, &MOVES);
    assert_eq!(waiting.history().final_closes[0].left, TimeLeft::NotBegun);
    assert!(waiting.history().faults.is_empty());
}

#[test]
fn at_the_deadline_no_mark_is_needed() {
    let mut book = Book::early(ROUNDS, Clocks::Posted);
    book.runs().unwrap();
    book.closes(BySeat::default(), &MOVES);
    // It came in time, and the server closed the question a minute later.
    let at_deadline = forged(&book, Seals::Kept, |entries| {
        for (entry, _) in entries.iter_mut().skip_while(|(entry, _)| entry.kind != Kind::Sealed) {
            entry.at = Moment::from_micros(entry.at.micros() + 60_000_000).unwrap();
        }
    });
    assert_eq!(failing(&verify(&at_deadline)), Vec::<u8>::new());
}

#[test]
fn a_mark_stands_only_where_a_question_may_close_early_and_by_its_seat() {
    caught(&marked(), 4, "an answer is called final only where its question may close early");
    let typed = forged(&closed_early(), Seals::Kept, |entries| {
        let sealed = entries.iter_mut().find(|(entry, _)| entry.kind == Kind::Sealed).unwrap();
        sealed.0.by = "umpire:k3x9".parse().unwrap();
    });
    among_others(&typed, 4, "only a seat calls its own answer final");
    let replaced = forged(&receipts::ended(receipts::played()), Seals::Kept, |entries| {
        bodies!(entries, Unsealed).for_each(|body| body.replaced.iter_mut().for_each(|one| one.is_final = true));
    });
    among_others(&replaced, 4, "an answer is called final only where its question may close early");
}

#[test]
fn a_signature_covers_the_mark() {
    let other = |is_final: bool| {
        let book = signed();
        forged(&book, Seals::Kept, move |entries| {
            bodies!(entries, Sealed).next().unwrap().is_final = is_final;
        })
    };
    assert_eq!(failing(&verify(&other(true))), Vec::<u8>::new());
    among_others(&other(false), 3, "this signature was not made with the seat's key for this submission");
}

#[test]
fn only_a_live_match_with_clocks_may_close_early() {
    let opening = |change: fn(&mut record::body::Opened)| {
        forged(&closed_early(), Seals::Remade, move |entries| change(bodies!(entries, Opened).next().unwrap()))
    };
    let what = "questions may close early only in a live match with clocks";
    among_others(&opening(|opened| (opened.clocks, opened.starts) = (Some(false), None)), 4, what);
    among_others(&opening(|opened| opened.mode = Mode::Recorded), 4, what);
    among_others(&opening(|opened| opened.early = false), 4, "what closes it is what the match was opened with");
    let off = |clocks| Book::early(ROUNDS, clocks).history().opened.early;
    assert!(!off(Clocks::Off), "without clocks there is nothing to close before");
    assert!(!Book::running(ROUNDS).history().opened.early, "it is off unless it is chosen");
}

#[test]
fn one_seat_alone_and_shares_close_as_ever() {
    let closes = |history: &History| history.open.iter().map(|open| open.asked.closes).collect::<Vec<_>>();
    let mut book = Book::early("thwart-13/dm-colosseum-2", Clocks::Posted);
    assert_eq!(closes(&book.history()), [Closing::FirstValid, Closing::FirstValid, Closing::AllIn]);
    book.runs().unwrap();
    let word = |book: &Book, seat| match book.history().form(seat, "select") {
        Some(engine::Form::Words { choices, .. }) => choices[0].word.to_owned(),
        _ => panic!("no cards to select"),
    };
    let selected = word(&book, Seat::P1);
    book.plays(&format!("{selected} / pass"));
    assert_eq!(closes(&book.history()), [Closing::Deadline], "one seat is asked");
}

#[test]
fn bodies_have_the_marks_or_lack_them() {
    let book = closed_early();
    let entry = |kind: Kind| book.entries().into_iter().find(|entry| entry.kind == kind).unwrap();
    for (kind, mark) in [(Kind::Opened, "\"early\":true"), (Kind::Sealed, "\"final\":true")] {
        let entry = entry(kind);
        assert_eq!(Body::read(&entry).unwrap().write(), entry.body);
        for other in ["false", "null", "1"] {
            let body = entry.body.replace(mark, &mark.replace("true", other));
            assert!(Body::read(&ledger::Entry { body, ..entry.clone() }).is_err(), "{kind:?} {other}");
        }
    }
    assert!(Bundle::read(&book.bundle().write()).is_ok());
}
