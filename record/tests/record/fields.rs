//! Single values, altered in a match with everything that clocks, rulings, handovers and objections can add: by
//! somebody who cannot remake the chain, by somebody who can but lacks the log's key, and by somebody with every key.
//! The last one's undetected changes are listed, one line a field, and described in the page on the format.

use std::collections::{BTreeMap, BTreeSet};

use ledger::{Entry, Kind, Moment, Seq};
use record::Bundle;
use record::body::Body;
use record::verify::{Report, Status, Verdict as Found, verify, verify_by};
use serde_json::{Value, json};

use crate::alterations::{classes, drop_at, places, put, shown};
use crate::book::Book;
use crate::forger::{Seals, forged};
use crate::log::{logged, policy};

fn failed(report: &Report) -> Option<Seq> {
    match report.verdict {
        Found::Failed { entry, .. } => Some(entry),
        _ => None,
    }
}

/// The smallest and the largest that can stand in the place of a value.
fn extremes(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(_) => vec![json!(u32::MAX)],
        Value::String(text) if text.parse::<Moment>().is_ok() => vec![json!(Moment::MAX), json!(Moment::MIN)],
        Value::Null => vec![json!(0), json!("1.1")],
        _ => Vec::new(),
    }
}

/// Every altered body of a match: the entry, its kind, the path, the body.
fn altered(book: &Book) -> Vec<(usize, Kind, String, Value)> {
    let mut all = Vec::new();
    for (n, entry) in book.entries().into_iter().enumerate() {
        let body: Value = serde_json::from_str(&entry.body).unwrap();
        for place in places(&body, usize::MAX) {
            let value = body.pointer(&place).unwrap();
            let classes = classes(value).into_iter().map(|(_, other)| other);
            for other in classes.chain(extremes(value)).filter(|other| other != value) {
                let mut altered = body.clone();
                put(&mut altered, &place, other);
                all.push((n, entry.kind, shown(&place), altered));
            }
            if !place.is_empty() {
                let mut altered = body.clone();
                drop_at(&mut altered, &place);
                all.push((n, entry.kind, shown(&place), altered));
            }
        }
    }
    all
}

/// The line with another body and the same predecessor.
fn line(book: &Book, n: usize, body: &Value) -> Vec<u8> {
    let line = String::from_utf8(book.lines[n].clone()).unwrap();
    let at = line.find("\"body\":").unwrap();
    format!("{}\"body\":{body}}}", &line[..at]).into_bytes()
}

#[test]
fn without_the_chain_made_again_every_altered_value_is_found_in_its_entry() {
    for book in ["eventful", "banked"].map(Book::of) {
        let mut count = 0;
        for (n, kind, path, body) in altered(&book) {
            let mut bundle = book.bundle();
            bundle.lines[n] = line(&book, n, &body);
            let report = verify(&bundle);
            assert_eq!(failed(&report), Some(Seq(n as u32)), "{kind}{path} in entry {n}: {body}");
            assert_eq!(report.findings[0].status, Status::Failed);
            count += 1;
        }
        println!("{count} values altered, each found in its entry");
    }
}

/// The kinds of entries about clocks, rulings, handovers and objections.
const AROUND: [Kind; 6] = [Kind::Paused, Kind::Resumed, Kind::Extended, Kind::Handed, Kind::Ruled, Kind::Objected];

#[test]
fn with_the_chain_made_again_the_log_knows_better() {
    for book in ["eventful", "banked"].map(Book::of) {
        let whole = logged(&book);
        let policy = policy(&book);
        let report = verify_by(&whole, &policy);
        assert!(report.is_good(), "{report:#?}");
        let mut seen = BTreeSet::new();
        for (n, kind, path, body) in altered(&book) {
            // One alteration of a field of each entry is enough: they make no difference to the log.
            if !AROUND.contains(&kind) || !seen.insert((n, path.clone())) {
                continue;
            }
            let Some(forged) = remade(&book, n, &body) else { continue };
            let forged = Bundle { logged: whole.logged.clone(), ..forged };
            if forged != whole {
                assert!(failed(&verify_by(&forged, &policy)).is_some(), "{kind}{path} in entry {n}: {body}");
            }
        }
        assert!(seen.len() > 4);
    }
}

/// The match with another body in one entry, and everything remade that the holder of the server can remake.
fn remade(book: &Book, n: usize, body: &Value) -> Option<Bundle> {
    let entry = Entry { body: body.to_string(), ..book.entries().swap_remove(n) };
    let was = Body::read(&book.entries()[n]).ok();
    // A null in place of a missing key means the same.
    let body = Body::read(&entry).ok().filter(|body| was.as_ref() != Some(body))?;
    Some(forged(book, Seals::Remade, |entries| entries[n].1 = body.clone()))
}

/// The fields that the holder of the server, its keys and all seals can change before anybody has seen a checkpoint,
/// without a contradiction in the match. `docs/record-format.md` says that no check shows them.
const UNPROVEN: [&str; 18] = [
    // The umpire of the match, and other umpires: pseudonyms.
    "handed.to",
    // The step of an objection, which nobody signs.
    "objected.step",
    // Fields of the opening that the game does not use.
    "opened.date",
    "opened.dmo",
    // Receipts and an audit of the log show another key.
    "opened.host_key",
    // Nobody but the host sees what the host shows to an umpire.
    "opened.looks",
    "opened.program",
    // The order of this list means nothing.
    "resolved.openings",
    // Any key seals as well as another.
    "resolved.openings[].key",
    // Only the log proves its trees.
    "resolved.tree.root",
    "resolved.tree.size",
    // The content of a ruling is up to the umpire.
    "ruled.does",
    "ruled.does.admits.seat",
    "ruled.does.answers",
    "ruled.does.warns",
    "ruled.rule",
    // The time of arrival, between question and entry, and the number of earlier answers: receipts prove them.
    "sealed.came",
    "sealed.ordinal",
];

#[test]
fn what_a_server_can_say_that_nothing_contradicts_is_what_the_page_says() {
    let mut silent: BTreeMap<String, String> = BTreeMap::new();
    let mut caught = 0;
    for book in ["eventful", "banked"].map(Book::of) {
        // In the second match, boards that are still sealed prevent the replay of the rest.
        let replayed = book.public().closed_at.is_none();
        for (n, kind, path, body) in altered(&book) {
            if !replayed && !AROUND.contains(&kind) {
                continue;
            }
            // A body that does not read is a fault of finding 1.
            let Some(bundle) = remade(&book, n, &body) else { continue };
            if bundle == book.bundle() {
                continue;
            }
            let field = format!("{kind}{path}");
            if verify(&bundle).is_good() {
                silent.entry(field).or_insert_with(|| format!("entry {n}: {body}"));
            } else {
                caught += 1;
            }
        }
    }
    println!("{caught} alterations by a forger who holds everything but the log's key are contradicted");
    assert!(silent.keys().eq(UNPROVEN.iter()), "{silent:#?}");
}
