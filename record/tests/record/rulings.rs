//! Rulings with effects, and handovers: their results, their refusals, and the detection of false ones.

use engine::Seat;
use ledger::{Author, UmpireId};
use record::body::{AdmittedAnswer, Body, Closing, RulingEffect, SeatWord};
use record::verify::Status;
use record::write::{self, WriteError};

use crate::acts::id;
use crate::book::Book;
use crate::forger::{Seals, bodies, caught, forged};

const ROUNDS: &str = "five-card-trick/dm-colosseum-2";

fn vera() -> UmpireId {
    "vera1".parse().unwrap()
}

fn why(refused: Result<(), WriteError>) -> String {
    refused.unwrap_err().to_string()
}

/// A live match with a round, a warning, a handover, and recorded by the umpire from its second round on.
fn ruled() -> Book {
    let mut book = Book::live(ROUNDS);
    book.admits("d1", Seat::P2, "the chat was away").unwrap();
    book.plays("grow / claim");
    book.warns(Seat::P1, "slow").unwrap();
    book.hands(&vera(), "supper").unwrap();
    book.writes(|context, history, _| write::go_on_recorded(context, history, None, "the site was away")).unwrap();
    book.plays("score / grow");
    book
}

#[test]
fn what_rulings_do_is_folded_and_told() {
    let book = ruled();
    let history = book.history();
    assert_eq!((history.warnings().p1, history.warnings().p2), (1, 0));
    assert_eq!(*history.umpire_now(), Author::Umpire(vera()));
    assert_eq!(history.umpires(), [&history.umpire, &Author::Umpire(vera())]);
    assert!(history.admitted(&id("d1"), Seat::P2).is_some() && history.admitted(&id("d1"), Seat::P1).is_none());
    assert!(!history.is_live());
    assert_eq!(history.open[0].asked.closes, Closing::Umpire);
    let report = book.verified();
    assert_eq!(report.verdict.to_string(), "so far verified with 2 rulings and 1 warning (recorded by the umpire)");
    let people = &report.findings[6];
    assert_eq!(people.status, Status::Reported);
    assert_eq!(people.summary, "2 rulings and 1 warning. Handed to another umpire once.");
    let told: Vec<&str> = people.details.iter().map(|detail| detail.text.as_str()).collect();
    assert_eq!(
        told,
        [
            "Juniper, round 2: typed (by umpire:k3x9, whose match it was not)",
            "Okapi, round 2: typed (by umpire:k3x9, whose match it was not)",
            "ruling, admits the late move of Okapi (round 1), and none of it was late: The chat was away",
            "warning to Juniper (rule 1.8): Slow",
            "ruling, from here on the umpire types for both seats: The site was away (by umpire:k3x9, whose match it was \
             not)",
            "from here on it is the match of umpire:vera1: Supper",
        ]
    );
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let mut book = ruled();
    let history = book.history();
    let context =
        |book: &mut Book, act: &dyn Fn(&mut write::WriteContext<'_>) -> Result<write::NewEntries, WriteError>| {
            why(book.writes(|context, _, _| act(context)))
        };
    for (act, words) in [
        (
            &(|context: &mut write::WriteContext<'_>| write::warn(context, &history, Seat::P1, None, " "))
                as &dyn Fn(&mut write::WriteContext<'_>) -> Result<write::NewEntries, WriteError>,
            "a ruling says what was decided, and why",
        ),
        (&|context| write::hand(context, &history, &vera(), "again"), "it is this umpire's match already"),
        (&|context| write::hand(context, &history, &"ada1".parse().unwrap(), ""), "say why the match is handed over"),
        (
            &|context| write::go_on_recorded(context, &history, None, "x"),
            "the umpire types for both seats of this match already",
        ),
        (
            &|context| write::admit(context, &history, &id("d1"), Seat::P1, None, "x"),
            "this decision is closed; a correction or a strike can still change its step",
        ),
    ] {
        assert_eq!(context(&mut book, act), words);
    }
    let mut live = Book::live(ROUNDS);
    let admits = |book: &mut Book| book.admits("d1", Seat::P2, "late, and let in");
    admits(&mut live).unwrap();
    assert_eq!(why(admits(&mut live)), "this was admitted already");
}

#[test]
fn a_ruling_that_does_what_it_cannot_is_found() {
    let book = ruled();
    let nobody = forged(&book, Seals::Remade, |entries| {
        let mut rulings = bodies!(entries, Ruled);
        rulings.next().unwrap().does =
            Some(RulingEffect::Admits(AdmittedAnswer { decision: id("d7"), seat: SeatWord(Seat::P1) }));
    });
    caught(&nobody, 7, "it admits an answer that nobody waits for");
    let by_a_player = forged(&book, Seals::Remade, |entries| {
        let warns =
            |body: &Body| matches!(body, Body::Ruled(ruled) if matches!(ruled.does, Some(RulingEffect::Warns(_))));
        entries.iter_mut().find(|(_, body)| warns(body)).unwrap().0.by = Author::P2;
    });
    caught(&by_a_player, 7, "only an umpire enters what is ruled");
    let taken = forged(&book, Seals::Remade, |entries| {
        let handed = |body: &Body| matches!(body, Body::Handed(_));
        entries.iter_mut().find(|(_, body)| handed(body)).unwrap().0.by = Author::Server;
    });
    caught(&taken, 7, "an umpire hands a match over");
    let sent = forged(&book, Seals::Remade, |entries| {
        let sealed = |body: &Body| matches!(body, Body::Sealed(_));
        let last = entries.iter_mut().rfind(|(_, body)| sealed(body)).unwrap();
        last.0.by = Author::P2;
    });
    caught(&sent, 7, "on the umpire types for both seats");
}
