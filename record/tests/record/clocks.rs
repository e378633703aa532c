//! Clocks of live matches: their starts, stops and extensions, and the check of every deadline against its sum.

use std::time::Duration;

use engine::dmn::Replay;
use engine::{BySeat, Seat};
use ledger::{Author, DecisionId, Kind, Moment};
use record::body::{Asked, BankExtension, Body, Closing, Extended, Paused, Resumed, SeatWord};
use record::verify::{Status, verify};
use record::write::{self, Clocks, NewMatch, Pace, WriteError};
use record::{Clock, ClockState, History};

use crate::acts::id;
use crate::book::{Book, archive};
use crate::forger::{Seals, among_others, bodies, caught, forged};

const ROUNDS: &str = "five-card-trick/dm-colosseum-2";

fn clock(history: &History, decision: &str) -> Clock {
    history.clock(&id(decision)).unwrap().clone()
}

fn why(refused: Result<(), WriteError>) -> String {
    refused.unwrap_err().to_string()
}

/// A round whose clock was started, stopped, started again and extended, and which was then played.
fn paused() -> Book {
    let mut book = Book::running(ROUNDS);
    book.passes(19);
    book.pauses("the channel was away").unwrap();
    book.passes(34);
    book.runs().unwrap();
    book.gives("d1", 30, "the picture came late").unwrap();
    book.plays("grow / claim");
    book
}

#[test]
fn a_clock_is_started_stopped_and_extended_and_the_sum_is_shown() {
    let book = paused();
    let history = book.history();
    let clock = clock(&history, "d1");
    assert_eq!(clock.excluded(), Duration::from_secs(35));
    assert_eq!((clock.given(), clock.may_give()), (30, 30));
    let began = clock.changes[0].at;
    let ClockState::Running { deadline } = clock.state else { panic!("{clock:?}") };
    assert_eq!(deadline.micros() - began.micros(), 125_000_000);
    assert_eq!(clock.sum(3), "started 20:41:50.381 + 60 s + paused 35 s + 30 s given = 20:43:55.381");
    assert_eq!(clock.sum(0), "started 20:41:50 + 60 s + paused 35 s + 30 s given = 20:43:55");

    let report = book.verified();
    assert_eq!(report.verdict.to_string(), "so far verified (sealed by the server, unsigned)");
    let (in_time, people) = (&report.findings[3], &report.findings[6]);
    assert_eq!(in_time.status, Status::Holds);
    assert_eq!(
        in_time.details[0].text,
        "Round 1: started 20:41:50.381204 + 60 s + paused 35 s + 30 s given = 20:43:55.381204"
    );
    assert_eq!(in_time.details[0].round, Some(1));
    assert_eq!(people.status, Status::Reported);
    assert_eq!(people.summary, "Nobody ruled, warned or struck anything. An umpire paused or extended clocks 2 times.");
    let told: Vec<&str> = people.details.iter().map(|detail| detail.text.as_str()).collect();
    assert_eq!(told, ["Round 1, clock paused: The channel was away", "Round 1, 30 s given: The picture came late"]);
}

#[test]
fn after_two_rounds_of_silence_the_clock_waits_for_the_umpire() {
    let mut book = Book::clocked(ROUNDS, Clocks::AtOnce);
    let runs = |book: &Book| book.history().open[0].asked.deadline.is_some();
    book.runs().unwrap();
    for (played, next_runs) in
        [("- / -", true), ("- / -", false), ("- / -", false), ("grow / -", true), ("- / -", true)]
    {
        book.plays(played);
        assert_eq!(runs(&book), next_runs, "{played}");
        if !next_runs {
            book.runs().unwrap();
        }
    }
    // Of seat 2 nothing is there at all, so neither seat's moves are more than the server's word.
    assert_eq!(book.verdict(), "so far verified (sealed by the server, unsigned)");
    // One round of silence is no reason to wait: the question after the first round must have its deadline.
    let waits_early = forged(&book, Seals::Kept, |entries| {
        let asked: &mut Asked = bodies!(entries, Asked).nth(1).unwrap();
        asked.deadline = None;
    });
    among_others(&waits_early, 4, "a clock begins as the match was opened");
}

#[test]
fn a_clock_waits_for_the_umpire_or_begins_at_once() {
    for (clocks, second) in [(Clocks::Posted, false), (Clocks::AtOnce, true)] {
        let mut book = Book::clocked(ROUNDS, clocks);
        assert_eq!(clock(&book.history(), "d1").state, ClockState::Waiting, "{clocks:?}");
        book.runs().unwrap();
        book.plays("grow / claim");
        let history = book.history();
        assert_eq!(history.open[0].asked.deadline.is_some(), second, "{clocks:?}");
        assert_eq!(history.open[0].asked.closes, Closing::Deadline);
        // After a strike the umpire first has something to say.
        book.strikes(1, "the wrong picture");
        assert_eq!(clock(&book.history(), "d3").state, ClockState::Waiting, "{clocks:?}");
        assert_eq!(book.verified().findings[3].status, Status::Holds);
    }
    let book = Book::clocked(ROUNDS, Clocks::Off);
    assert_eq!(book.history().clock(&id("d1")), None);
}

#[test]
fn what_cannot_be_done_to_a_clock_is_refused() {
    let mut book = Book::clocked(ROUNDS, Clocks::Posted);
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
    let mut book = Book::running(ROUNDS);
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

/// Higher or Lower up to the first question with extensions, its clock running.
pub(crate) fn chooses_running() -> (Book, DecisionId) {
    let (mut book, decision, _) = chooses();
    book.runs().unwrap();
    (book, decision)
}

/// The same, before its clock starts.
fn chooses() -> (Book, DecisionId, Seat) {
    let file = archive().into_iter().find(|file| file.name.starts_with("higher-lower")).unwrap();
    let mut book = Book::clocked("higher-lower/tempo-up", Clocks::Posted);
    let mut replay = Replay::open(&file.text).unwrap();
    book = match replay.tags().setup.dmo {
        Some(Seat::P1) => {
            let setup = replay.tags().setup.clone();
            let names = BySeat { p1: "Juniper".into(), p2: "Okapi".into() };
            let pace = Pace::Live { clocks: Clocks::Posted, early: false };
            Book::open(&NewMatch { setup, names, pace, ..NewMatch::default() })
        }
        _ => book,
    };
    while !book.history().open.iter().any(|open| open.asked.what == "board") {
        book.plays(&replay.play(None).unwrap().unwrap().played.text);
    }
    let open = book.history().open[0].asked.clone();
    (book, open.decision, open.seats[0].0)
}

#[test]
fn a_seat_spends_what_it_has_in_store_and_no_more() {
    let (mut book, decision, seat) = chooses();
    let open = |book: &Book| book.history().open[0].clone();
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
fn a_clock_that_was_tampered_with_is_caught_by_finding_4() {
    let book = paused();
    let later = |at: Moment, seconds: i64| Moment::from_micros(at.micros() + seconds * 1_000_000).unwrap();
    let run = |nth: usize| {
        forged(&book, Seals::Kept, move |entries| {
            let resumed: &mut Resumed = bodies!(entries, Resumed).nth(nth).unwrap();
            resumed.deadline = later(resumed.deadline, -10);
        })
    };
    caught(&run(0), 4, "the new deadline is not the sum that it comes to");
    caught(&run(1), 4, "the new deadline is not the sum that it comes to");
    let extend = |change: fn(&mut Extended)| {
        forged(&book, Seals::Kept, move |entries| change(bodies!(entries, Extended).next().unwrap()))
    };
    caught(&extend(|body| body.seconds = 20), 4, "the new deadline is not the sum");
    caught(&extend(|body| body.seconds = 61), 4, "together at most as much time as is on the clock");
    among_others(&extend(|body| body.reason = None), 4, "time comes from the bank of a seat, for an outage, or from");
    caught(&extend(|body| body.decision = id("d7")), 4, "it changes the clock of a question that is open");
    let bank = |body: &mut Extended| {
        body.reason = None;
        body.bank = Some(BankExtension { seat: SeatWord(Seat::P1), left: 2 });
    };
    among_others(&extend(bank), 4, "an extension of a seat begins by itself");
    among_others(&extend(bank), 4, "the rules give extensions for this question");
    let by_server = |kind: Kind| {
        forged(&book, Seals::Kept, move |entries| {
            entries.iter_mut().filter(|(entry, _)| entry.kind == kind).for_each(|(entry, _)| entry.by = Author::Server);
        })
    };
    for kind in [Kind::Paused, Kind::Resumed, Kind::Extended] {
        caught(&by_server(kind), 4, "an umpire starts, stops and extends clocks");
    }
    // A pause is left out, so the clock starts again without having been stopped.
    let unpaused =
        forged(&book, Seals::Kept, |entries| entries.retain(|(_, body)| !matches!(body, Body::Paused(Paused { .. }))));
    assert_eq!(verify(&unpaused).findings[3].status, Status::Failed);
}

#[test]
fn a_bank_that_was_tampered_with_is_caught_by_finding_4() {
    let (mut book, decision, _) = chooses();
    book.runs().unwrap();
    book.passes(30);
    book.spends(decision.as_str()).unwrap();
    let spent = |change: fn(&mut Extended)| {
        forged(&book, Seals::Kept, move |entries| change(bodies!(entries, Extended).next().unwrap()))
    };
    let failed = |change: fn(&mut Extended), why: &str| {
        let finding = verify(&spent(change)).findings[3].clone();
        assert!(finding.details.iter().any(|detail| detail.wrong && detail.text.contains(why)), "{why}: {finding:#?}");
    };
    failed(|body| body.bank.as_mut().unwrap().left = 3, "as long as the rules say, and counted down");
    failed(|body| body.seconds = 31, "as long as the rules say, and counted down");
    failed(
        |body| {
            let bank = body.bank.as_mut().unwrap();
            bank.seat = SeatWord(bank.seat.0.other());
        },
        "the rules give extensions for this question",
    );
}

#[test]
fn an_answer_after_the_last_deadline_is_late() {
    let mut book = Book::running(ROUNDS);
    book.passes(61);
    book.plays("grow / claim");
    let report = book.verified();
    assert_eq!(report.findings[3].status, Status::Failed);
    assert!(report.findings[3].details.iter().any(|detail| detail.text == "it came after the deadline"));
}

#[test]
fn bodies_read_as_they_are_written() {
    for entry in paused().entries() {
        assert_eq!(Body::read(&entry).unwrap().write(), entry.body);
    }
    let read = |kind: Kind, body: &str| {
        let entry = paused().entries().into_iter().find(|entry| entry.kind == kind).unwrap();
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
