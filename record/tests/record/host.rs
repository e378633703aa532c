//! A host that holds every key and forges what nothing else of the record contradicts: each of its lies fails a finding.

use record::verify::{Status, verify, verify_by};
use record::{Bundle, Rule};

use crate::book::Book;
use crate::forger::{Seals, among_others, bodies, caught, forged};
use crate::log::{logged, policy};
use record::body::Body;

#[test]
fn a_tree_and_a_place_that_the_entries_call_for_are_there() {
    for book in ["three rounds", "puzzler"].map(Book::of) {
        let whole = logged(&book);
        assert!(verify_by(&whole, &policy(&book)).is_good());
        let without = |change: &dyn Fn(&mut record::LogEvidence)| {
            let mut other = whole.clone();
            other.logged.iter_mut().for_each(change);
            other
        };
        among_others(&without(&|log| log.trees.clear()), 2, "the file leaves out a tree that the entry names");
        let named = whole.logged.as_ref().unwrap();
        for n in 0..named.trees.len() {
            among_others(&without(&|log| drop(log.trees.remove(n))), 2, "the file leaves out a tree");
        }
        for n in 0..named.seals.len() {
            caught(&without(&|log| drop(log.seals.remove(n))), 3, "the file leaves out the place of an entry");
        }
    }
}

#[test]
fn a_tree_that_covers_an_entry_is_no_smaller_than_one_that_it_names() {
    let book = Book::of("three rounds");
    let size = book.leaves.len() as u64;
    let named = forged(&book, Seals::Kept, |entries| {
        bodies!(entries, Resolved).last().unwrap().tree.size = size + 5;
    });
    let bundle = Bundle { logged: logged(&book).logged, ..named };
    among_others(&bundle, 2, "the entry names a larger tree than the one that covers it");
}

#[test]
fn the_options_are_sorted() {
    let book = Book::of("puzzler");
    let first = String::from_utf8(book.lines[0].clone()).unwrap();
    let (before, rest) = first.split_once("\"options\":{").unwrap();
    let (options, after) = rest.split_once('}').unwrap();
    let mut sorted: Vec<&str> = options.split(',').collect();
    assert!(sorted.len() > 1, "{options}");
    sorted.reverse();
    let line = format!("{before}\"options\":{{{}}}{after}", sorted.join(",")).into_bytes();
    let head = ledger::Head { next: ledger::Seq(1), leaf: ledger::leaf_hash(&line) };
    let report = verify(&Bundle { lines: vec![line], head, ..book.bundle() });
    assert_eq!(report.verdict.to_string(), "failed at entry 0");
    assert_eq!((report.findings[0].status, report.findings[0].details[0].rule), (Status::Failed, Rule::Body));
    let found = report.findings[0].details[0].found.as_deref().unwrap();
    assert!(found.starts_with("the options are not sorted by name"), "{found}");
}

#[test]
fn a_file_ends_with_a_line_break() {
    let file = Book::of("puzzler").bundle().write();
    let error = Bundle::read(file.strip_suffix(b"\n").unwrap()).unwrap_err();
    assert!(error.to_string().ends_with("the file is cut off: its last line has no line break"), "{error}");
}
