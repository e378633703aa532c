//! A server that lies about clocks, rulings and other acts around a game: for each lie, the finding that reports it or
//! that fails.

use engine::Seat;
use ledger::{Author, Entry, Kind, Moment};
use record::body::{AdmittedAnswer, Body, Closing, ReplacedSubmission, RulingEffect, SeatWord};
use record::verify::{Report, Status, verify};
use record::write::{self, Clocks, WriteContext};
use record::{History, TimeLeft};

use crate::acts::id;
use crate::book::Book;
use crate::forger::{Seals, among_others, bodies, caught, forged};

const ROUNDS: &str = "five-card-trick/dm-colosseum-2";

/// The details of a finding, line by line.
fn told(report: &Report, finding: usize) -> Vec<&str> {
    report.findings[finding - 1].details.iter().map(|detail| detail.text.as_str()).collect()
}

fn tells(book: &Book, finding: usize, what: &str) {
    let report = book.verified();
    assert!(report.is_good(), "{report:#?}");
    assert!(told(&report, finding).iter().any(|told| told.contains(what)), "{what}: {:#?}", told(&report, finding));
}

fn later(at: Moment, micros: i64) -> Moment {
    Moment::from_micros(at.micros() + micros).unwrap()
}

#[test]
fn whoever_answers_within_time_that_was_given_is_named() {
    let mut book = Book::running(ROUNDS);
    book.passes(50);
    book.gives("d1", 30, "the picture came late").unwrap();
    // The first answer comes within the original time, the second does not.
    book.passes(7);
    book.plays("grow / claim");
    let report = book.verified();
    assert_eq!(report.findings[3].status, Status::Holds);
    assert!(!told(&report, 4).iter().any(|told| told.contains("that were given")), "{report:#?}");
    let mut book = Book::running(ROUNDS);
    book.passes(50);
    book.gives("d1", 30, "the picture came late").unwrap();
    book.passes(12);
    book.plays("grow / claim");
    tells(&book, 4, "Juniper, round 1: came 4 s into the 30 s that were given");
    tells(&book, 4, "Okapi, round 1: came 5 s into the 30 s that were given");
}

#[test]
fn a_clock_that_never_runs_on_is_told_with_what_came_meanwhile() {
    let mut book = Book::running(ROUNDS);
    book.pauses("the channel was away").unwrap();
    book.passes(3600);
    book.plays("grow / -");
    tells(&book, 4, "Juniper, round 1: came while the clock was paused");
    tells(&book, 4, "Round 1: closed by umpire:k3x9 while its clock was paused, with nothing from Okapi");
    tells(&book, 7, "Round 1, clock paused: The channel was away");
    assert_eq!(book.history().early_closes[0].left, TimeLeft::Stopped);
}

#[test]
fn a_question_that_is_closed_before_its_time_is_told_with_whom_it_cost_the_answer() {
    let mut book = Book::clocked(ROUNDS, Clocks::Posted);
    book.plays("- / claim");
    tells(&book, 4, "Round 1: closed by umpire:k3x9 before its clock had begun, with nothing from Juniper");
    let mut book = Book::running(ROUNDS);
    book.passes(9);
    book.plays("- / -");
    tells(&book, 4, "Round 1: closed by umpire:k3x9 47 s before its time was up, with nothing from Juniper and Okapi");
    let finding = &book.verified().findings[3];
    assert_eq!(finding.status, Status::Reported);
    assert!(finding.summary.contains("1 question was closed before time was up"), "{}", finding.summary);
    // At the deadline nobody loses anything, and after both answers nobody does either.
    for (seconds, line) in [(61, "- / -"), (9, "grow / claim")] {
        let mut book = Book::running(ROUNDS);
        book.passes(seconds);
        book.plays(line);
        assert!(book.history().early_closes.is_empty(), "{line}");
        assert_eq!(book.verified().findings[3].status, Status::Holds);
    }
}

#[test]
fn extensions_that_a_seat_was_not_given_are_told() {
    let (mut book, decision) = crate::clocks::chooses_running();
    let seat = book.history().open[0].asked.seats[0].0;
    book.passes(40);
    book.plays(&format!("{seat}: -"));
    let history = book.history();
    let TimeLeft::Time(left) = history.early_closes[0].left else { panic!("{:?}", history.early_closes) };
    assert!((70..90).contains(&left.as_secs()), "three of thirty seconds were in store, ten of them over: {left:?}");
    assert_eq!((&history.early_closes[0].decision, &history.early_closes[0].seats), (&decision, &vec![seat]));
}

#[test]
fn a_clock_is_the_one_that_the_rules_give_and_the_opening_names() {
    let mut book = Book::running(ROUNDS);
    book.plays("grow / claim");
    let last = |change: fn(&Entry, &mut record::body::Asked)| {
        forged(&book, Seals::Remade, move |entries| {
            let asked = entries.iter_mut().rev().find(|(entry, _)| entry.kind == Kind::Asked).unwrap();
            let Body::Asked(body) = &mut asked.1 else { unreachable!() };
            change(&asked.0, body);
        })
    };
    caught(&last(|_, asked| asked.clock = 600), 4, "its clock is as long as the rules say");
    caught(&last(|_, asked| asked.closes = Closing::Umpire), 4, "what closes it is what the match was opened with");
    caught(&last(|_, asked| asked.closes = Closing::AllIn), 4, "what closes it is what the match was opened with");
    // A clock that runs before anybody posted the question.
    let begun = last(|entry, asked| asked.deadline = Some(later(entry.at, 60_000_000)));
    caught(&begun, 4, "a clock begins as the match was opened");
    // A clock that starts at once has its full length, and waits for nobody.
    let mut book = Book::clocked(ROUNDS, Clocks::AtOnce);
    book.runs().unwrap();
    book.plays("grow / claim");
    assert!(book.verified().is_good() && book.history().open[0].asked.deadline.is_some());
    for micros in [-1, 1, 3_600_000_000] {
        let other = forged(&book, Seals::Remade, |entries| {
            let asked = bodies!(entries, Asked).last().unwrap();
            asked.deadline = Some(later(asked.deadline.unwrap(), micros));
        });
        caught(&other, 4, "a clock begins as the match was opened");
    }
    let waits = forged(&book, Seals::Remade, |entries| bodies!(entries, Asked).last().unwrap().deadline = None);
    caught(&waits, 4, "a clock begins as the match was opened");
    let nowhere = forged(&Book::live(ROUNDS), Seals::Remade, |entries| {
        bodies!(entries, Opened).next().unwrap().starts = Some(record::body::ClockStart::Posted);
    });
    caught(&nowhere, 4, "clocks are of live matches");
}

#[test]
fn where_a_clock_was_set_back_deadlines_follow_from_the_entries() {
    let mut book = Book::clocked(ROUNDS, Clocks::AtOnce);
    book.runs().unwrap();
    let decision = book.seals("round", &[(Seat::P1, "grow"), (Seat::P2, "claim")]);
    book.passes(-3600);
    book.resolves(&decision);
    let history = book.history();
    let open = &history.open[0];
    assert_eq!(open.asked.deadline, Some(later(open.at, 60_000_000)));
    assert!(history.faults.is_empty(), "{:?}", history.faults);
}

#[test]
fn an_answer_is_not_dated_before_its_question_nor_kept_for_long_unsaid() {
    let mut book = Book::running(ROUNDS);
    book.plays("grow / claim");
    let before = forged(&book, Seals::Remade, |entries| {
        let asked = entries.iter().find(|(entry, _)| entry.kind == Kind::Asked).unwrap().0.at;
        bodies!(entries, Sealed).next().unwrap().came = later(asked, -1);
    });
    caught(&before, 4, "an answer comes after its question");
    // It entered an hour after its deadline, with a time before it: only the server vouches for that.
    let mut book = Book::running(ROUNDS);
    book.passes(3660);
    book.plays("grow / claim");
    let held = forged(&book, Seals::Remade, |entries| {
        let began = entries.iter().find(|(entry, _)| entry.kind == Kind::Resumed).unwrap().0.at;
        bodies!(entries, Sealed).for_each(|sealed| sealed.came = later(began, 1_000_000));
    });
    let report = verify(&held);
    assert!(report.is_good(), "{report:#?}");
    let words =
        "Juniper, round 1: entered the record 3603 s after its deadline; only the server says that it came before";
    assert!(told(&report, 4).contains(&words), "{:#?}", told(&report, 4));
}

#[test]
fn what_was_not_late_is_not_made_so_by_a_ruling_and_what_is_in_is_not_admitted() {
    let mut book = Book::running(ROUNDS);
    book.admits("d1", Seat::P2, "lost on its way").unwrap();
    book.plays("grow / claim");
    tells(&book, 7, "admits the late move of Okapi (round 1), and none of it was late: Lost on its way");
    // A ruling on an answer that is already sealed, as if it had come first.
    let mut book = Book::running(ROUNDS);
    let decision = book.seals("round", &[(Seat::P1, "grow"), (Seat::P2, "claim")]);
    book.rules("lost on its way", None);
    book.resolves(&decision);
    let after = forged(&book, Seals::Remade, |entries| {
        let admitted = AdmittedAnswer { decision: id("d1"), seat: SeatWord(Seat::P2) };
        bodies!(entries, Ruled).next().unwrap().does = Some(RulingEffect::Admits(admitted));
    });
    caught(&after, 7, "an answer is admitted before anything is sealed for its decision");
}

#[test]
fn an_objection_that_a_correction_passes_over_is_told_so() {
    let mut book = Book::running(ROUNDS);
    book.plays("grow / claim");
    book.objects(Seat::P2, 1, "I sent score").unwrap();
    let mut kept = book.clone();
    kept.corrects(1, Some("score"), None);
    tells(&kept, 7, ", which left the move as it was)");
    book.corrects(1, None, Some("score"));
    assert!(!told(&book.verified(), 7).iter().any(|told| told.contains("left the move as it was")));
    // A later correction replaced it.
    kept.corrects(1, None, Some("score"));
    tells(&kept, 7, ", which left the move as it was)");
}

#[test]
fn who_acts_in_a_match_of_somebody_else_is_named() {
    let mut book = Book::running(ROUNDS);
    let vera = "vera1".parse().unwrap();
    book.hands(&vera, "supper").unwrap();
    book.pauses("the channel was away").unwrap();
    book.rules("a ruling", None);
    tells(&book, 7, "Round 1, clock paused: The channel was away (by umpire:k3x9, whose match it was not)");
    tells(&book, 7, "ruling (rule 1.8): A ruling (by umpire:k3x9, whose match it was not)");
    let taken = "kim2".parse().unwrap();
    book.hands(&taken, "taken over").unwrap();
    tells(&book, 7, "it is the match of umpire:kim2: Taken over (by umpire:k3x9, whose match it was not)");
}

#[test]
fn a_live_match_that_goes_on_as_recorded_says_so_and_claims_no_more_than_that() {
    let mut book = Book::running(ROUNDS);
    book.plays("grow / claim");
    assert_eq!(book.verdict(), "so far verified (sealed by the server, unsigned)");
    book.writes(|context, history, _| write::go_on_recorded(context, history, None, "the site was away")).unwrap();
    book.plays("score / grow");
    assert_eq!(book.verdict(), "so far verified with 1 ruling (recorded by the umpire)");
    tells(&book, 7, "from here on the umpire types for both seats: The site was away");
    tells(&book, 8, "that the players sent what the umpire recorded");
}

#[test]
fn what_was_sent_and_what_its_default_replaced_do_not_stand_together() {
    let mut book = Book::running(ROUNDS);
    book.passes(61);
    book.plays("grow / -");
    book.rules("conceded", Some(engine::Verdict::Won(Seat::P1)));
    let replaced = ReplacedSubmission {
        decision: id("d1"),
        seat: SeatWord(Seat::P2),
        ordinal: 0,
        came: book.history().last_at,
        commitments: vec!["ab".repeat(32).parse().unwrap()],
        is_final: false,
        signature: None,
        openings: Vec::new(),
    };
    let end = |history: &History, context: &mut WriteContext<'_>, secrets: &record::Secrets| {
        write::end(context, history, secrets, vec![replaced.clone()])
    };
    book.writes(|context, history, secrets| end(history, context, secrets)).unwrap();
    among_others(&book.bundle(), 3, "was there, and the default of p2 is said to have counted");
}

#[test]
fn a_seat_that_was_not_asked_has_nothing_that_counts() {
    let (book, _) = crate::clocks::chooses_running();
    let seals = forged(&book, Seals::Remade, |entries| {
        let alone = bodies!(entries, Resolved).find(|body| body.counted.p2.is_none()).unwrap();
        alone.counted.p2 = alone.counted.p1;
    });
    among_others(&seals, 3, "p2 was not asked, and nothing of it counts");
}

#[test]
fn everything_is_in_the_hand_of_whom_it_is_for() {
    let book = crate::fields::eventful();
    let umpires = [Kind::Opened, Kind::Ruled, Kind::Noted, Kind::Struck, Kind::Ended];
    for (kinds, hands, why) in [
        (umpires.as_slice(), [Author::P1, Author::Server].as_slice(), "only an umpire enters what is "),
        (&[Kind::Asked, Kind::Resolved], &[Author::P1, Author::P2], "no player enters what is "),
    ] {
        for (kind, by) in kinds.iter().flat_map(|kind| hands.iter().map(move |by| (*kind, by))) {
            let other = forged(&book, Seals::Remade, |entries| {
                entries.iter_mut().rev().find(|(entry, _)| entry.kind == kind).unwrap().0.by = by.clone();
            });
            caught(&other, 7, &format!("{why}{kind}"));
        }
    }
}
