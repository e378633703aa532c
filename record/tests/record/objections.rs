//! A player says "this is not what I sent": it waits for a ruling. What a verifier says of it is in
//! `fixtures/verdicts/rulings.txt`.

use engine::Seat;
use ledger::Kind;
use record::write::{self, WriteError};

use crate::acts::NO_ITEMS;
use crate::book::Book;

#[test]
fn an_objection_waits_until_a_ruling_names_it() {
    let mut book = Book::of("objected");
    book.objects(Seat::P2, 1, "I sent steal, at 20:41").unwrap();
    let open: Vec<_> = book.history().open_objections().map(|one| (one.seat, one.step, one.entry)).collect();
    assert_eq!((open.len(), open[0].0, open[0].1), (1, Seat::P2, 1));
    // A ruling on something else leaves it open, and the match cannot end until it is answered.
    book.rules("late submissions are not admitted", None);
    assert_eq!(book.history().open_objections().count(), 1);
    book.rules("conceded", Some(engine::Verdict::Won(Seat::P1)));
    let refused = book.writes(|context, history, secrets| write::end(context, history, secrets, Vec::new()));
    assert!(matches!(refused, Err(WriteError::NotNow(why)) if why.starts_with("a player objected")));
    book.answers(open[0].2, "the log of the chat says claim").unwrap();
    assert_eq!(book.history().open_objections().count(), 0);
}

#[test]
fn whoever_strikes_or_corrects_the_step_answers_too() {
    let mut struck = Book::of("objected");
    struck.objects(Seat::P1, 2, "I sent nothing").unwrap();
    let mut corrected = struck.clone();
    corrected.corrects(1, Some("claim"), None);
    assert_eq!(corrected.history().open_objections().count(), 1, "another step was corrected");
    corrected.corrects(2, Some("grow"), None);
    assert_eq!(corrected.history().open_objections().count(), 0);
    struck.strikes(1, "the clock was wrong");
    assert_eq!(struck.history().open_objections().count(), 0);
    assert!(struck.verified().findings.iter().all(|finding| finding.number != 1 || finding.details.is_empty()));
}

#[test]
fn an_objection_is_a_players_own_to_a_step_of_theirs() {
    let mut book = Book::of("objected");
    for (step, text, why) in [
        (0, "x", "this step is not there, or nothing in it is yours"),
        (3, "x", "this step is not there, or nothing in it is yours"),
        (1, " ", "say what you sent instead, and where"),
    ] {
        assert_eq!(book.objects(Seat::P1, step, text).unwrap_err().to_string(), why);
    }
    book.objects(Seat::P1, 1, "I sent claim").unwrap();
    let again = book.objects(Seat::P1, 1, "I said it before").unwrap_err();
    assert_eq!(again.to_string(), "you objected to this already, and it waits for the umpire's ruling");
    book.objects(Seat::P2, 1, "so did I").unwrap();
    assert_eq!(book.of_kind(Kind::Objected).len(), 2);
    // Nobody can object for a player, and no ruling answers a missing objection.
    let mut forged = book.clone();
    forged
        .writes(|context, history, _| {
            context.by = ledger::Author::Server;
            write::object(context, history, Seat::P2, 2, "the server says so")
        })
        .unwrap();
    let faults: Vec<String> = forged.history().faults.iter().map(|fault| fault.text.clone()).collect();
    assert_eq!(faults, ["players object, and nobody for them"]);
}

#[test]
fn what_a_step_hides_is_its_players_own_too() {
    let mut book = Book::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS);
    for line in ["score block:claim / grow", "- / -"] {
        book.plays(line);
        let step = book.history().steps.len().try_into().unwrap();
        for seat in Seat::BOTH {
            book.objects(seat, step, "I sent another one").unwrap();
        }
        let report = book.verified();
        let mut details = report.findings.iter().flat_map(|finding| &finding.details);
        assert!(details.all(|one| !one.wrong), "{report:#?}");
    }
}
