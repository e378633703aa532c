//! Clocks of live matches: their starts, stops and extensions, and what is refused. What a verifier says of them is in
//! `fixtures/verdicts/clocks.txt`.

use std::time::Duration;

use engine::Seat;
use ledger::Kind;
use record::body::{Body, Closing};
use record::verify::{Status, verify};
use record::write::{self, WriteError};
use record::{Clock, ClockState, History, TimeLeft};

use crate::acts::id;
use crate::book::Book;
use crate::outages::after;

fn clock(history: &History, decision: &str) -> Clock {
    history.clock(&id(decision)).unwrap().clone()
}

fn why(refused: Result<(), WriteError>) -> String {
    refused.unwrap_err().to_string()
}

#[test]
fn a_clock_is_started_stopped_and_extended_and_the_sum_is_shown() {
    let book = Book::of("paused");
    assert_eq!(book.verified().findings[3].details[0].round, Some(1));
    let history = book.history();
    let clock = clock(&history, "d1");
    assert_eq!(clock.excluded(), Duration::from_secs(35));
    assert_eq!((clock.given(), clock.may_give()), (30, 30));
    let began = clock.changes[0].at;
    let ClockState::Running { deadline } = clock.state else { panic!("{clock:?}") };
    assert_eq!(deadline.micros() - began.micros(), 125_000_000);
    assert_eq!(clock.sum(3), "started 20:41:50.381 + 60 s + paused 35 s + 30 s given = 20:43:55.381");
    assert_eq!(clock.sum(0), "started 20:41:50 + 60 s + paused 35 s + 30 s given = 20:43:55");
}

#[test]
fn after_two_rounds_of_silence_the_clock_waits_for_the_umpire() {
    let mut book = Book::of("at once");
    let runs = |book: &Book| book.history().open[0].asked.deadline.is_some();
    for (played, next_runs) in
        [("- / -", true), ("- / -", false), ("- / -", false), ("grow / -", true), ("- / -", true)]
    {
        book.plays(played);
        assert_eq!(runs(&book), next_runs, "{played}");
        if !next_runs {
            book.runs().unwrap();
        }
    }
}

#[test]
fn a_clock_waits_for_the_umpire_or_begins_at_once() {
    for (name, second) in [("running", false), ("at once", true)] {
        let mut book = Book::of(name);
        book.plays("grow / claim");
        let history = book.history();
        assert_eq!(history.open[0].asked.deadline.is_some(), second, "{name}");
        assert_eq!(history.open[0].asked.closes, Closing::Deadline);
        // After a strike the umpire first has something to say.
        book.strikes(1, "the wrong picture");
        assert_eq!(clock(&book.history(), "d3").state, ClockState::Waiting, "{name}");
    }
    for name in ["clocked", "at once, waiting"] {
        assert_eq!(clock(&Book::of(name).history(), "d1").state, ClockState::Waiting, "{name}");
    }
    assert_eq!(Book::of("live").history().clock(&id("d1")), None);
}

#[test]
fn what_cannot_be_done_to_a_clock_is_refused() {
    let mut book = Book::of("clocked");
    assert_eq!(why(book.pauses("")), "no clock runs");
    assert_eq!(why(book.gives("d1", 10, "late")), "the clock is paused: start it first");
    book.runs().unwrap();
    assert_eq!(why(book.runs()), "no clock is paused or waiting");
    assert_eq!(why(book.gives("d1", 10, " ")), "say why time is given: everybody can read it");
    assert_eq!(why(book.gives("d1", 0, "late")), "say how many seconds are given");
    assert!(why(book.gives("d1", 61, "late")).starts_with("that is more than may be given"));
    assert_eq!(why(book.gives("d2", 10, "late")), "no clock runs for this");
    assert_eq!(why(book.spends("d1")), "the time is not over");
    book.passes(60);
    assert_eq!(why(book.pauses("")), "time is up already, and the question is closing");
    assert_eq!(why(book.gives("d1", 10, "late")), "time is up already, and the question is closing");
    assert_eq!(why(book.spends("d1")), "the seat has no extension left for this");
    book.plays("- / -");
    assert_eq!(why(book.gives("d1", 10, "late")), "no clock runs for this");
}

#[test]
fn a_clock_that_was_set_back_breaks_no_sum() {
    let mut book = Book::of("running");
    book.passes(30);
    book.pauses("").unwrap();
    book.passes(-3600);
    let stopped = book.history().last_at;
    book.writes(|context, history, _| {
        assert!(context.at < history.last_at);
        write::run_clocks(context, history)
    })
    .unwrap();
    let history = book.history();
    assert_eq!(history.last_at, stopped, "entries are never dated back");
    assert_eq!(clock(&history, "d1").excluded(), Duration::ZERO);
    assert!(history.faults.is_empty(), "{:?}", history.faults);
}

#[test]
fn where_a_clock_was_set_back_deadlines_follow_from_the_entries() {
    let mut book = Book::of("at once");
    let decision = book.seals("round", &[(Seat::P1, "grow"), (Seat::P2, "claim")]);
    book.passes(-3600);
    book.resolves(&decision);
    let history = book.history();
    let open = &history.open[0];
    assert_eq!(open.asked.deadline, Some(after(open.at, 60.0)));
    assert!(history.faults.is_empty(), "{:?}", history.faults);
}

#[test]
fn a_question_that_is_closed_while_its_clock_stands_has_no_time_left() {
    let mut book = Book::of("running");
    book.pauses("the channel was away").unwrap();
    book.plays("grow / -");
    assert_eq!(book.history().early_closes[0].left, TimeLeft::Stopped);
}

#[test]
fn extensions_that_a_seat_was_not_given_are_told() {
    let mut book = Book::of("chooses");
    let asked = book.history().open[0].asked.clone();
    let (decision, seat) = (asked.decision, asked.seats[0].0);
    book.passes(40);
    book.plays(&format!("{seat}: -"));
    let history = book.history();
    let TimeLeft::Time(left) = history.early_closes[0].left else { panic!("{:?}", history.early_closes) };
    assert!((70..90).contains(&left.as_secs()), "three of thirty seconds were in store, ten of them over: {left:?}");
    assert_eq!((&history.early_closes[0].decision, &history.early_closes[0].seats), (&decision, &vec![seat]));
}

#[test]
fn a_seat_spends_what_it_has_in_store_and_no_more() {
    let mut book = Book::of("chooses, waiting");
    let open = |book: &Book| book.history().open[0].clone();
    let (decision, seat) = (open(&book).asked.decision, open(&book).asked.seats[0].0);
    assert_eq!(book.history().in_time_until(&open(&book)), None, "nothing is late while no clock runs");
    book.runs().unwrap();
    let deadline = clock(&book.history(), decision.as_str()).deadline().unwrap();
    let until = book.history().in_time_until(&open(&book)).unwrap();
    assert_eq!(until.micros() - deadline.micros(), 90_000_000, "three extensions of half a minute are in store");
    for left in [2, 1, 0] {
        book.passes(30);
        book.spends(decision.as_str()).unwrap();
        assert_eq!(book.history().extensions_left()[seat], left);
        assert_eq!(book.history().extensions_left()[seat.other()], 3);
        assert_eq!(book.history().in_time_until(&open(&book)), Some(until), "what is spent was in store before");
    }
    book.passes(30);
    assert_eq!(why(book.spends(decision.as_str())), "the seat has no extension left for this");
    let history = book.history();
    assert!(history.faults.is_empty(), "{:?}", history.faults);
    let sum = clock(&history, decision.as_str()).sum(0);
    assert_eq!(sum.matches(&format!("+ 30 s extension of {seat}")).count(), 3, "{sum}");
    assert_eq!(verify(&book.bundle()).findings[6].status, Status::Holds, "nobody did this");
}

#[test]
fn bodies_read_as_they_are_written() {
    for entry in Book::of("paused").entries() {
        assert_eq!(Body::read(&entry).unwrap().write(), entry.body);
    }
    let read = |kind: Kind, body: &str| {
        let entry = Book::of("paused").entries().into_iter().find(|entry| entry.kind == kind).unwrap();
        Body::read(&ledger::Entry { body: body.to_owned(), ..entry })
    };
    let deadline = "\"deadline\":\"2026-11-20T20:43:05.000000Z\"";
    assert!(read(Kind::Resumed, &format!("{{\"decision\":\"d1\",{deadline}}}")).is_ok());
    for (kind, body) in [
        (Kind::Resumed, "{\"decision\":\"d1\"}".to_owned()),
        (Kind::Resumed, format!("{{\"decision\":\"d1\",{deadline},\"reason\":null}}")),
        (Kind::Paused, "{\"decision\":\"d1\"}".replace("d1", "D 1")),
        (Kind::Extended, format!("{{\"decision\":\"d1\",\"seconds\":-1,{deadline}}}")),
        (Kind::Extended, format!("{{\"decision\":\"d1\",\"seconds\":30,{deadline},\"bank\":null}}")),
        (Kind::Extended, format!("{{\"decision\":\"d1\",\"seconds\":30,{deadline},\"reason\":null}}")),
    ] {
        assert!(read(kind, &body).is_err(), "{body}");
    }
}
