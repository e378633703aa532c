//! Private links to seats, the umpire's permission to look, and the time at which a key may enter.

use engine::{Seat, Setup};
use ledger::{Author, Kind};
use record::body::{Body, LinkAct, SeatWord};
use record::verify::Status;
use record::write::{self, Clocks, NewMatch, Pace};

use crate::book::Book;
use crate::forger::{Seals, caught, forged};
use crate::signed::dropped;

const RULESET: &str = "five-card-trick/dm-colosseum-2";

impl Book {
    fn links(&mut self, by: &str, seat: Seat, link: u32, act: LinkAct) {
        self.writes(|context, history, _| {
            context.by = by.parse().unwrap();
            write::link(context, history, seat, link, act)
        })
        .unwrap();
    }
}

/// A live match in which each seat's link was made and followed, and then a second one to the first seat.
pub(crate) fn linked() -> Book {
    let mut book = Book::live(RULESET);
    for (seat, by) in [(Seat::P1, "p1"), (Seat::P2, "p2")] {
        book.links("umpire:vera1x", seat, 0, LinkAct::Made);
        book.links(by, seat, 0, LinkAct::Followed);
    }
    book.registers(Seat::P1, 1).unwrap();
    book.plays("grow / claim");
    book.links("umpire:vera1x", Seat::P1, 1, LinkAct::Made);
    book.links("p1", Seat::P1, 1, LinkAct::Followed);
    book.links("server", Seat::P1, 1, LinkAct::Refused);
    book
}

fn told(book: &Book, finding: usize) -> (Status, Vec<String>) {
    let report = book.verified();
    let finding = &report.findings[finding - 1];
    (finding.status, finding.details.iter().map(|detail| detail.text.clone()).collect())
}

#[test]
fn a_second_link_to_a_seat_is_told() {
    let mut book = Book::live(RULESET);
    book.links("umpire:vera1x", Seat::P1, 0, LinkAct::Made);
    book.links("p1", Seat::P1, 0, LinkAct::Followed);
    assert_eq!(told(&book, 7), (Status::Holds, Vec::new()), "each seat has one");
    assert_eq!(linked().verdict(), "so far verified (moves of seat 2 sealed by the server, unsigned)");
    let (status, told) = told(&linked(), 7);
    assert_eq!(status, Status::Reported);
    assert_eq!(
        told,
        [
            "Juniper: umpire:vera1x made link 2 to the seat",
            "Juniper: another browser or program began to use link 2 to the seat",
            "Juniper: a browser of link 2 offered another key, which was refused",
        ]
    );
}

#[test]
fn links_are_made_by_umpires_in_order_and_used_by_their_seat() {
    let book = linked();
    let at = book.of_kind(Kind::Linked)[0];
    type Change = fn(&mut Author, &mut record::body::Linked);
    let changes: [(u8, &str, Change); 5] = [
        (1, "the links to a seat are numbered from 0", |_, linked| linked.link = 1),
        (1, "a link is made before it is used", |by, linked| {
            *by = Author::P1;
            linked.act = LinkAct::Followed;
        }),
        (7, "umpires make links, and seats use them", |by, _| *by = Author::P1),
        (7, "umpires make links, and seats use them", |by, _| *by = Author::Host),
        (1, "the links to a seat are numbered from 0", |_, linked| linked.link = 7),
    ];
    for (finding, why, change) in changes {
        let bundle = forged(&book, Seals::Kept, |entries| {
            let (entry, body) = &mut entries[at.0 as usize];
            let Body::Linked(linked) = body else { panic!("a link stands here") };
            change(&mut entry.by, linked);
        });
        crate::forger::among_others(&bundle, finding, why);
    }
    let other_seat = forged(&book, Seals::Kept, |entries| {
        let followed = entries.iter_mut().find_map(|(_, body)| match body {
            Body::Linked(linked) if linked.act == LinkAct::Followed => Some(linked),
            _ => None,
        });
        followed.unwrap().seat = SeatWord(Seat::P2);
    });
    crate::forger::among_others(&other_seat, 1, "a link is made before it is used");
}

#[test]
fn a_key_does_not_enter_amid_a_question() {
    let mut book = Book::live(RULESET);
    book.registers(Seat::P1, 1).unwrap();
    book.notes("the players are here");
    let why = "while a question is open, a key enters only with the answers, once its time is up";
    caught(&book.bundle(), 3, why);
    let mut behind = Book::live(RULESET);
    behind.registers(Seat::P1, 1).unwrap();
    behind.registers(Seat::P2, 2).unwrap();
    behind.links("umpire:vera1x", Seat::P1, 0, LinkAct::Made);
    behind.plays("grow / claim");
    assert!(behind.verified().is_good(), "another key and a link may stand between");
}

#[test]
fn beside_a_key_an_unsigned_answer_counts_where_a_second_browser_plays() {
    let mut book = linked();
    book.plays("score / grow");
    let report = dropped(&book);
    assert!(report.is_good(), "{report:#?}");
    let graded = "Juniper: 1 submission signed, 1 submission sealed by the server, unsigned";
    assert!(report.findings[2].details.iter().any(|detail| detail.text == graded), "{:#?}", report.findings[2]);
}

#[test]
fn the_opening_says_whether_the_umpire_may_look() {
    let open = |looks| {
        let setup = Setup { ruleset: RULESET.to_owned(), ..Setup::default() };
        let names = engine::BySeat { p1: "Juniper".into(), p2: "Okapi".into() };
        Book::open(&NewMatch {
            setup,
            names,
            pace: Pace::Live { clocks: Clocks::Off, early: false },
            looks,
            ..NewMatch::default()
        })
    };
    let says = "the umpire could read what the players sent before a decision closed: the opening says so";
    assert_eq!(told(&open(true), 7), (Status::Reported, vec![says.to_owned()]));
    assert_eq!(told(&open(false), 7), (Status::Holds, Vec::new()));
    let silent = forged(&open(true), Seals::Kept, |entries| {
        let Body::Opened(opened) = &mut entries[0].1 else { panic!("it opens") };
        opened.looks = None;
    });
    caught(&silent, 1, "a live match says whether its umpire may look, and no other match does");
}
