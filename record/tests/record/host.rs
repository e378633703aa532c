//! A host that holds every key and forges what nothing else of the record contradicts: each of its lies fails a finding.

use engine::{Seat, SplitMix64, Verdict};
use ledger::{Hash, Kind};
use record::body::Body;
use record::verify::{Status, verify, verify_by};
use record::{Bundle, Rule};

use crate::book::Book;
use crate::evil_host::{EvilHost, pieces};
use crate::forger::{Seals, among_others, bodies, caught, forged};
use crate::forgery::puzzler;
use crate::log::{logged, policy};
use crate::seeds::{ended, plays, seeded};

const ROUNDS: &str = "five-card-trick/dm-colosseum-2";

fn live() -> Book {
    let mut book = Book::live(ROUNDS);
    book.registers(Seat::P1, 1).unwrap();
    book.registers(Seat::P2, 2).unwrap();
    for line in ["grow / claim", "score / grow", "claim / score grow"] {
        book.plays(line);
    }
    book
}

/// A change of the last round's tree.
fn renamed(book: &Book, change: impl Fn(&mut record::body::Tree)) -> Bundle {
    forged(book, Seals::Kept, |entries| change(&mut bodies!(entries, Resolved).last().unwrap().tree))
}

#[test]
fn one_size_has_one_root_also_where_no_tree_came_along() {
    let book = live();
    let seen = |entries: &[ledger::Entry]| {
        let last = entries.iter().rev().find_map(|entry| match Body::read(entry) {
            Ok(Body::Sealed(sealed)) => sealed.signature.map(|signature| signature.tree),
            _ => None,
        });
        last.unwrap()
    };
    let tree = seen(&book.entries());
    caught(
        &renamed(&book, |named| (named.size, named.root) = (tree.size, Hash::ZERO)),
        2,
        "two roots are named for one size of the log",
    );
    among_others(
        &renamed(&book, |named| (named.size, named.root) = (0, Hash::ZERO)),
        2,
        "two roots are named for one size",
    );
}

#[test]
fn a_tree_and_a_place_that_the_entries_call_for_are_there() {
    for book in [live(), puzzler()] {
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
    let book = live();
    let size = logged(&book).logged.unwrap().checkpoint.text().as_str().lines().nth(1).unwrap().parse::<u64>().unwrap();
    let bundle = Bundle { logged: logged(&book).logged, ..renamed(&book, |named| named.size = size + 5) };
    among_others(&bundle, 2, "the entry names a larger tree than the one that covers it");
}

#[test]
fn each_seat_has_a_key_of_its_own() {
    let bundle = forged(&live(), Seals::Kept, |entries| {
        let first = bodies!(entries, Key).next().unwrap().key;
        bodies!(entries, Key).last().unwrap().key = first;
    });
    among_others(&bundle, 3, "each seat has a key of its own");
}

#[test]
fn the_host_key_is_a_key() {
    for key in ["zzz", "", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="] {
        let bundle = forged(&puzzler(), Seals::Kept, |entries| {
            bodies!(entries, Opened).next().unwrap().host_key = key.to_owned();
        });
        caught(&bundle, 3, "the host's key: ");
    }
}

#[test]
fn a_seal_is_opened_once() {
    let bundle = forged(&puzzler(), Seals::Kept, |entries| {
        let again = bodies!(entries, Resolved).next().unwrap().openings[0].clone();
        bodies!(entries, Resolved).last().unwrap().openings.push(again);
    });
    caught(&bundle, 3, "is opened once");
}

#[test]
fn the_options_are_sorted() {
    let book = puzzler();
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

/// The verdict on a match whose first entry was altered, with the rules of finding 1 and its status.
fn opened_otherwise(from: &str, to: &str) -> (String, Status, Vec<Rule>) {
    let mut told = pieces(&puzzler());
    let text = told[0].body.to_string();
    assert!(text.contains(from), "{text}");
    told[0].body = serde_json::from_str(&text.replacen(from, to, 1)).unwrap();
    let report = verify(&EvilHost::of(&puzzler(), false).tells(told).unwrap());
    let first = &report.findings[0];
    (report.verdict.to_string(), first.status, first.details.iter().map(|detail| detail.rule).collect())
}

#[test]
fn only_what_another_program_wrote_is_not_checked() {
    let newer = "cannot check: it was opened under a version of the rules that this program does not know";
    for to in ["\"rules\":0", "\"rules\":3", "\"rules\":9000000000", "\"rules\":3,\"stakes\":2"] {
        let (verdict, status, rules) = opened_otherwise("\"rules\":2", to);
        assert_eq!((verdict.as_str(), status, rules), (newer, Status::Reported, vec![Rule::Unread]), "{to}");
    }
    let (verdict, _, rules) = opened_otherwise("five-card-trick/genius-puzzler", "five-card-trick/of-tomorrow");
    assert!(verdict.starts_with("cannot check: ") && rules == [Rule::Unread], "{verdict}");
    for (from, to) in [
        ("\"rules\":2", "\"rules\":\"3\""),
        ("\"rules\":2", "\"rules\":2,\"stakes\":2"),
        ("\"options\":{", "\"options\":{\"a\":\"b\","),
        ("\"dmo\":\"p2\"", "\"dmo\":null"),
        ("\"mode\":\"recorded\"", "\"mode\":\"dreamt\""),
    ] {
        let (verdict, status, rules) = opened_otherwise(from, to);
        assert_eq!((verdict.as_str(), status, rules), ("failed at entry 0", Status::Failed, vec![Rule::Body]), "{to}");
    }
}

#[test]
fn the_first_entry_opens_a_match() {
    let mut told = pieces(&puzzler());
    told.remove(0);
    let report = verify(&EvilHost::of(&puzzler(), false).tells(told).unwrap());
    assert_eq!(report.verdict.to_string(), "failed at entry 0");
    let first = &report.findings[0];
    assert_eq!((first.status, first.details[0].rule), (Status::Failed, Rule::OpensOnce));
    assert_eq!(first.details[0].text, "the first entry does not open a match");
    assert_eq!(first.details.len(), 1, "{first:#?}");
}

#[test]
fn a_file_ends_with_a_line_break() {
    let file = puzzler().bundle().write();
    let error = Bundle::read(file.strip_suffix(b"\n").unwrap()).unwrap_err();
    assert!(error.to_string().ends_with("the file is cut off: its last line has no line break"), "{error}");
}

#[test]
fn a_hidden_draw_gives_no_path() {
    let mut book = seeded("higher-lower/tempo-up");
    plays(&mut book, &mut SplitMix64(5), 6);
    let book = ended(book);
    let hidden = |entries: &mut crate::forger::Entries| {
        let mut drawn = bodies!(entries, Drawn).filter(|drawn| drawn.key.as_ref().is_some_and(|key| key.key.is_none()));
        drawn.next().unwrap().key.as_mut().unwrap().path.0.push(Hash::ZERO);
    };
    among_others(&forged(&book, Seals::Kept, hidden), 5, "without its key a draw gives no path");
}

#[test]
fn the_tree_that_a_player_signs_holds_the_question() {
    let mut book = live();
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    let history = book.history();
    let asked = history.questions[&history.seals.last().unwrap().decision].entry;
    // The host plays both seats, and signs over a tree that is large enough for the match and too small for the question:
    // others' entries stand before it in the log.
    let place = book.places[asked.0 as usize].0;
    assert!(place > u64::from(asked.0) + 1, "{place}");
    for size in [place, u64::from(asked.0) + 1, u64::from(asked.0)] {
        let mut told = pieces(&book);
        let seal = told.iter_mut().rfind(|piece| piece.kind == Kind::Sealed).unwrap();
        seal.body["signature"]["tree"]["size"] = size.into();
        let bundle = EvilHost::of(&book, true).tells(told).unwrap();
        among_others(&bundle, 3, "the tree that a player signed with its submission does not hold the question");
    }
}
