//! Outages of the server: what they take from a running clock is given back, and nothing else is.

use engine::Seat;
use ledger::{Author, Moment};
use record::ClockState;
use record::body::{Body, Outage, Resumed};

use crate::acts::id;
use crate::book::Book;
use crate::clocks::chooses_running;
use crate::forger::{Seals, among_others, bodies, caught, forged};

const ROUNDS: &str = "five-card-trick/dm-colosseum-2";

fn after(at: Moment, seconds: f64) -> Moment {
    Moment::from_micros(at.micros() + (seconds * 1e6) as i64).unwrap()
}

/// The time at which the clock of the first round began.
fn began(book: &Book) -> Moment {
    book.history().clock(&id("d1")).unwrap().changes[0].at
}

/// The seconds from the beginning of the clock of the first round to its deadline.
fn length(book: &Book) -> f64 {
    let ClockState::Running { deadline } = book.history().clock(&id("d1")).unwrap().state else { panic!("it runs") };
    (deadline.micros() - began(book).micros()) as f64 / 1e6
}

/// A round whose clock of 60 s runs, and the outages that the server had, in seconds after it began. After 101 s the server
/// gives back what they took.
pub(crate) fn away(outages: &[(f64, f64)]) -> Book {
    let mut book = Book::running(ROUNDS);
    let began = began(&book);
    book.passes(100);
    let outages: Vec<Outage> =
        outages.iter().map(|(from, until)| Outage { from: after(began, *from), until: after(began, *until) }).collect();
    book.makes_up(&outages);
    book
}

#[test]
fn a_clock_gets_back_what_an_outage_took_from_it_in_whole_seconds() {
    for (outages, expected) in [
        (&[(10.0, 25.0)][..], 75.0),
        (&[(10.0, 10.2)][..], 61.0),
        // It began before the clock did.
        (&[(-30.0, 5.0)][..], 65.0),
        // It lasted past the deadline: the clock has left what it had when the outage began.
        (&[(50.0, 100.0)][..], 110.0),
        (&[(10.0, 20.0), (30.0, 35.5)][..], 76.0),
        // The second began after the old deadline, and before the new one.
        (&[(50.0, 70.0), (75.0, 80.0)][..], 85.0),
        // Two that overlap: each part counts once.
        (&[(10.0, 20.0), (15.0, 25.0)][..], 75.0),
        // What they took together is rounded up, and not each of them.
        (&[(10.0, 11.2), (20.0, 21.2)], 63.0),
        (&[(10.0, 11.2), (20.0, 20.3)], 62.0),
        // Nothing of these fell into the clock.
        (&[(-30.0, 0.0)][..], 60.0),
        (&[(60.0, 90.0)][..], 60.0),
        (&[][..], 60.0),
    ] {
        let book = away(outages);
        assert_eq!(length(&book), expected, "{outages:?}");
        assert!(book.history().faults.is_empty(), "{outages:?}: {:?}", book.history().faults);
    }
}

#[test]
fn a_clock_that_stands_still_loses_nothing() {
    let mut book = Book::running(ROUNDS);
    let began = began(&book);
    book.passes(10);
    book.pauses("").unwrap();
    book.passes(100);
    let outage = Outage { from: after(began, 40.0), until: after(began, 90.0) };
    book.makes_up(&[outage]);
    book.runs().unwrap();
    let ran = length(&book);
    book.makes_up(&[outage]);
    assert_eq!(length(&book), ran, "it was over before the clock ran on");
    assert_eq!(book.history().clock(&id("d1")).unwrap().changes.len(), 3);
}

#[test]
fn the_same_outage_gives_its_time_once() {
    let mut book = away(&[(10.0, 25.0)]);
    let (began, entries) = (began(&book), book.entries().len());
    book.makes_up(&[Outage { from: after(began, 10.0), until: after(began, 25.0) }]);
    assert_eq!((length(&book), book.entries().len()), (75.0, entries));
}

#[test]
fn a_seat_keeps_what_it_has_in_store() {
    let (mut book, decision) = chooses_running();
    let clock = book.history().clock(&decision).unwrap().clone();
    let began = clock.changes[0].at;
    book.passes(i64::from(clock.seconds) + 100);
    // It began in time that only the first extension gives.
    let from = after(began, f64::from(clock.seconds) + 10.0);
    let outage = Outage { from, until: after(from, 80.0) };
    book.makes_up(&[outage]);
    assert_eq!(book.history().clock(&decision).unwrap().changes.len(), 1, "its time was up before");
    book.spends(decision.as_str()).unwrap();
    book.makes_up(&[outage]);
    let history = book.history();
    let ClockState::Running { deadline } = history.clock(&decision).unwrap().state else { panic!("it runs") };
    assert_eq!(deadline, after(began, f64::from(clock.seconds) + 110.0));
    assert_eq!(history.extensions_left()[Seat::P1].min(history.extensions_left()[Seat::P2]), 2);
    assert!(history.faults.is_empty(), "{:?}", history.faults);
}

#[test]
fn the_findings_say_which_outages_there_were() {
    let mut book = away(&[(50.0, 100.0)]);
    book.plays("grow / claim");
    let report = book.verified();
    assert_eq!(report.verdict.to_string(), "so far verified (sealed by the server, unsigned)");
    let told: Vec<&str> = report.findings[3].details.iter().map(|detail| detail.text.as_str()).collect();
    assert_eq!(
        told,
        [
            "Round 1: started 20:41:50.381204 + 60 s + 50 s for an outage = 20:43:40.381204",
            "the server says that it took no moves from 2026-11-20T20:42:40.381204Z to \
             2026-11-20T20:43:30.381204Z, and gave 50 s back for it. Nothing proves that",
        ]
    );
}

#[test]
fn a_host_that_gives_other_time_for_an_outage_is_caught_by_finding_4() {
    let mut book = away(&[(50.0, 100.0)]);
    book.plays("grow / claim");
    let change = |change: &dyn Fn(&mut Outage, &mut u32, &mut Moment)| {
        forged(&book, Seals::Kept, |entries| {
            let body = bodies!(entries, Extended).next().unwrap();
            change(body.outage.as_mut().unwrap(), &mut body.seconds, &mut body.deadline);
        })
    };
    let lost = "the time given back is what the outage took from the clock";
    caught(&change(&|_, seconds, deadline| (*seconds, *deadline) = (55, after(*deadline, 5.0))), 4, lost);
    caught(&change(&|outage, _, _| outage.from = after(outage.from, 3.0)), 4, lost);
    caught(&change(&|outage, _, _| outage.from = after(outage.from, 10.0)), 4, lost);
    caught(&change(&|outage, _, _| outage.until = after(outage.until, 1.0)), 4, lost);
    let soon = "time is given back once the outage is over";
    caught(
        &change(&|outage, seconds, deadline| {
            outage.until = after(outage.until, 60.0);
            (*seconds, *deadline) = (110, after(*deadline, 60.0));
        }),
        4,
        soon,
    );
    let by_umpire = forged(&book, Seals::Kept, |entries| {
        let at = entries.iter().position(|(_, body)| matches!(body, Body::Extended(_))).unwrap();
        entries[at].0.by = "umpire:k3x9".parse::<Author>().unwrap();
    });
    caught(&by_umpire, 4, "the server gives the time of its outages back");
    let twice = forged(&book, Seals::Kept, |entries| {
        let at = entries.iter().position(|(_, body)| matches!(body, Body::Extended(_))).unwrap();
        let again = entries[at].clone();
        entries.insert(at + 1, again);
        let body = bodies!(entries, Extended).nth(1).unwrap();
        body.deadline = after(body.deadline, 50.0);
    });
    among_others(&twice, 4, lost);
    let later_start = forged(&book, Seals::Kept, |entries| {
        let resumed: &mut Resumed = bodies!(entries, Resumed).next().unwrap();
        resumed.deadline = after(resumed.deadline, -10.0);
    });
    caught(&later_start, 4, "the new deadline is not the sum that it comes to");
}
