//! Mistyped draws, and values that are sealed in one step and opened by a later one. What a verifier says of them is in
//! `fixtures/verdicts/draws.txt`.

use engine::{Seat, Verdict};
use ledger::Kind;
use record::body::Body;
use record::verify::Status;
use record::write::{self, Amendment, NewEntries};

use crate::book::Book;

/// The line of board D.
fn board() -> String {
    lines(&Book::of("boards"))[5].clone()
}

fn ended(mut book: Book) -> Book {
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    book
}

fn lines(book: &Book) -> Vec<String> {
    book.history().steps.iter().map(|step| step.text.clone().unwrap()).collect()
}

#[test]
fn after_a_strike_a_draw_is_made_again_and_counts_from_where_it_was() {
    let book = Book::of("a struck community card");
    let drawn = book.of_kind(Kind::Drawn);
    let Body::Drawn(last) = Body::read(&book.entries()[drawn[2].0 as usize]).unwrap() else { unreachable!() };
    assert_eq!((last.ordinal, last.step), (0, 5));
}

fn all_open(book: &Book) {
    let history = book.public();
    assert!(history.seals.iter().all(|seal| seal.opened_by.iter().all(Option::is_some)), "a seal stays closed");
}

/// Checks that later steps and hidden values stay as they are, and that everything opens at the end.
fn corrected(mut book: Book, step: u32, line: &str) -> Book {
    let (before, was) = (lines(&book), book.public());
    book.corrects_line(step, line);
    let now = lines(&book);
    assert_eq!(now.len(), before.len());
    assert_eq!(now[step as usize], before[step as usize], "the next step stays");
    assert_eq!(now[step as usize - 1], line);
    let public = book.public();
    assert!(public.faults.is_empty(), "{:?}", public.faults);
    for (now, was) in public.steps.iter().zip(&was.steps).filter(|(now, _)| now.number > step) {
        assert_eq!(now.public, was.public);
    }
    let said = book.said();
    for ((entry, name), secret) in &book.secrets {
        assert_eq!(said.contains(&secret.key.to_hex()), public.is_open(*entry, name), "entry {entry}, {name}");
    }
    let over = ended(book.clone());
    assert_eq!(over.verified().findings[2].status, Status::Holds);
    assert!(over.verdict().starts_with("verified with "), "{}", over.verdict());
    all_open(&over);
    book
}

#[test]
fn a_mistyped_board_is_corrected_while_the_later_steps_stay() {
    let board = board();
    let cards: Vec<&str> = board.split(' ').collect();
    // Two cards of one group swap places: in the first case face-down ones, in the second one that was turned over.
    for [one, other] in [FACE_DOWN, TURNED] {
        let mut swapped = cards.clone();
        swapped.swap(one, other);
        let line = swapped.join(" ");
        let book = corrected(Book::of("boards"), 6, &line);
        let struck = book.of_kind(Kind::Struck);
        let Body::Struck(struck) = Body::read(&book.entries()[struck[0].0 as usize]).unwrap() else { unreachable!() };
        assert_eq!(struck.steps[0].seals.len(), 25);
        assert_eq!(struck.steps[0].seals.iter().filter(|seal| seal.commitment.is_some()).count(), 2, "{line}");
        // And back, and forth again.
        let book = corrected(book, 6, &board);
        corrected(book, 6, &line);
    }
}

/// Cells of board D whose cards can be swapped, by their place in the line, where the board is 2.
const FACE_DOWN: [usize; 2] = [3, 9];
const TURNED: [usize; 2] = [8, 12];

#[test]
fn a_mistyped_deal_or_community_card_is_corrected() {
    // R8 was never used.
    let book = corrected(Book::of("deal"), 1, "host: deal B4 R1 R7 R9 G5 | B2 R6 B3 G2 G7");
    let book = corrected(book, 5, "host: community B9");
    let book = corrected(book, 6, "G5 B4 / G2 G7");
    let book = corrected(book, 6, "R9 G5 / G2 G7");
    corrected(book, 6, "G5 R9 / G2 G7");
    // G5 was chosen: without it the choice would be illegal, and nothing changes.
    let mut book = Book::of("deal");
    let refused = book.writes(|_, history, _| {
        let amended = Amendment { draw: Some("deal B4 R1 R8 R9 G6 | B2 R6 B3 G2 G7"), ..Amendment::default() };
        write::plan_correction(history, 1, amended)?;
        Ok(NewEntries::default())
    });
    assert!(refused.unwrap_err().to_string().contains("step 6 would become illegal"));
}

#[test]
fn the_plan_of_a_strike_names_each_step_and_its_round() {
    let plan = write::plan_strike(&Book::of("boards").history(), 6).unwrap();
    let rounds: Vec<(u32, u32)> = plan.changes.iter().map(|change| (change.number, change.round)).collect();
    assert_eq!(rounds, [(6, 0), (7, 0), (8, 1), (9, 1), (10, 1), (11, 1)]);
}

#[test]
fn a_strike_needs_a_reason_that_can_be_read() {
    let mut book = Book::of("deal");
    for blank in ["", " ", " \u{a0}\n"] {
        let refused = book.writes(|context, history, secrets| {
            let plan = write::plan_strike(history, 8)?;
            write::strike(context, history, &plan, blank, secrets)
        });
        assert_eq!(refused.unwrap_err().to_string(), "a strike needs its reason", "{blank:?}");
    }
}
