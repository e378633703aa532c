//! Outages of the server: what they take from a running clock is given back, and nothing else is.

use engine::Seat;
use ledger::Moment;
use record::ClockState;
use record::body::Outage;

use crate::acts::id;
use crate::book::Book;

/// A time so many seconds later.
pub(crate) fn after(at: Moment, seconds: f64) -> Moment {
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

impl Book {
    /// The server gives back what these outages took, in seconds after the first clock began.
    pub(crate) fn is_away(&mut self, outages: &[(f64, f64)]) {
        let began = began(self);
        let outage = |(from, until): &(f64, f64)| Outage { from: after(began, *from), until: after(began, *until) };
        self.makes_up(&outages.iter().map(outage).collect::<Vec<_>>());
    }
}

/// A round whose clock of 60 s runs, and the outages that the server had. After 101 s it gives back what they took.
fn away(outages: &[(f64, f64)]) -> Book {
    let mut book = Book::of("running");
    book.passes(100);
    book.is_away(outages);
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
    let mut book = Book::of("running");
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
    let mut book = Book::of("chooses");
    let decision = book.history().open[0].asked.decision.clone();
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
