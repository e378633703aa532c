//! Rulings with effects, and handovers: their results and their refusals. What a verifier says of them is in
//! `fixtures/verdicts/rulings.txt`.

use engine::Seat;
use ledger::{Author, UmpireId};
use record::body::Closing;
use record::write::{self, WriteError};

use crate::acts::id;
use crate::book::Book;

fn vera() -> UmpireId {
    "vera1".parse().unwrap()
}

fn why(refused: Result<(), WriteError>) -> String {
    refused.unwrap_err().to_string()
}

#[test]
fn what_rulings_do_is_folded() {
    let history = Book::of("ruled").history();
    assert_eq!((history.warnings().p1, history.warnings().p2), (1, 0));
    assert_eq!(*history.umpire_now(), Author::Umpire(vera()));
    assert_eq!(history.umpires(), [&history.umpire, &Author::Umpire(vera())]);
    assert!(history.admitted(&id("d1"), Seat::P2).is_some() && history.admitted(&id("d1"), Seat::P1).is_none());
    assert!(!history.is_live());
    assert_eq!(history.open[0].asked.closes, Closing::Umpire);
}

#[test]
fn what_cannot_be_is_refused_in_words() {
    let mut book = Book::of("ruled");
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
    let mut live = Book::of("live");
    let admits = |book: &mut Book| book.admits("d1", Seat::P2, "late, and let in");
    admits(&mut live).unwrap();
    assert_eq!(why(admits(&mut live)), "this was admitted already");
}
