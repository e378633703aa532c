//! Questions that close early because both seats have called their answers final. What a verifier says of it is in
//! `fixtures/verdicts/signatures.txt`.

use engine::{BySeat, Seat};
use ledger::{Author, DecisionId, Kind};
use record::body::{Body, Closing, Tree};
use record::write::{self, Cover, WriteContext};
use record::{Bundle, History, TimeLeft};

use crate::acts::id;
use crate::book::Book;

impl Book {
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

#[test]
fn a_round_closes_early_once_both_answers_are_final() {
    let book = Book::of("closed early");
    let history = book.history();
    assert!(history.opened.early);
    assert_eq!(history.questions[&id("d1")].closes, Closing::AllIn);
    assert!(history.faults.is_empty(), "{:?}", history.faults);
    assert_eq!(history.final_closes.len(), 1);
    for (seq, entry) in book.entries().into_iter().enumerate().filter(|(_, entry)| entry.kind == Kind::Sealed) {
        assert!(entry.body.contains("\"final\":true"), "{seq}: {}", entry.body);
    }
    let mut waiting = Book::of("early");
    waiting.closes(BySeat { p1: true, p2: true }, &[(Seat::P1, "grow"), (Seat::P2, "claim")]);
    assert_eq!(waiting.history().final_closes[0].left, TimeLeft::NotBegun);
    assert!(waiting.history().faults.is_empty());
}

#[test]
fn the_umpire_closes_early_as_before_and_so_does_the_deadline_without_a_mark() {
    let mut book = Book::of("early at once");
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
fn only_a_live_match_with_clocks_may_close_early() {
    assert!(!Book::of("early without clocks").history().opened.early, "there is nothing to close before");
    assert!(!Book::of("running").history().opened.early, "it is off unless it is chosen");
}

#[test]
fn one_seat_alone_and_shares_close_as_ever() {
    let closes = |history: &History| history.open.iter().map(|open| open.asked.closes).collect::<Vec<_>>();
    let mut book = Book::of("early Thwart");
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
    let book = Book::of("closed early");
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
