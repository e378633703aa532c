//! Single values, altered in a match with everything that clocks, rulings, handovers and objections can add: by
//! somebody who cannot remake the chain, by somebody who can but lacks the log's key, and by somebody with every key.
//! The last one's undetected changes are listed, one line a field, and described in the page on the format.

use std::collections::{BTreeMap, BTreeSet};

use engine::{Seat, Setup, Verdict};
use ledger::{Author, Entry, Kind, Seq};
use record::Bundle;
use record::body::Body;
use record::verify::{Report, Status, Verdict as Found, verify, verify_by};
use record::write::{self, Clocks, NewMatch, Pace, WriteContext};
use serde_json::{Value, json};

use crate::book::Book;
use crate::forger::{Seals, forged};
use crate::log::{logged, policy};

/// A live match with these clocks, opened.
pub(crate) fn live(ruleset: &str, clocks: Clocks) -> Book {
    let setup = Setup { ruleset: ruleset.to_owned(), dmo: Some(Seat::P2), ..Setup::default() };
    let names = engine::BySeat { p1: "Juniper".into(), p2: "Okapi".into() };
    let event = Some("Lantern Cup".into());
    Book::open(&NewMatch { setup, names, event, pace: Pace::Live { clocks, early: false }, ..NewMatch::default() })
}

/// Five rounds with every act of umpires and players around a game.
pub(crate) fn eventful() -> Book {
    let mut book = live("five-card-trick/dm-colosseum-2", Clocks::AtOnce);
    book.runs().unwrap();
    book.passes(19);
    book.pauses("the channel was away").unwrap();
    book.passes(34);
    book.runs().unwrap();
    book.gives("d1", 30, "the picture came late").unwrap();
    book.plays("grow / claim");
    book.warns(Seat::P1, "slow").unwrap();
    book.admits("d2", Seat::P2, "lost on its way").unwrap();
    book.plays("score / grow");
    book.objects(Seat::P2, 2, "I sent claim").unwrap();
    book.objects(Seat::P1, 1, "I sent score").unwrap();
    let objection = book.history().open_objections().next().unwrap().entry;
    book.answers(objection, "the channel shows grow").unwrap();
    book.corrects(1, Some("score"), None);
    let vera = "vera1".parse().unwrap();
    book.hands(&vera, "supper").unwrap();
    book.strikes(2, "the wrong picture");
    book.writes(|context, history, _| write::go_on_recorded(context, history, None, "the site was away")).unwrap();
    book.plays("claim / score grow");
    book.notes("a remark");
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    book
}

/// Higher or Lower up to a question with two spent extensions of a seat.
fn banked() -> Book {
    let (mut book, decision) = crate::clocks::chooses_running();
    for _ in 0..2 {
        book.passes(30);
        book.writes(|context, history, _| {
            let by = Author::Server;
            write::spend_extension(&WriteContext { by, entropy: &mut *context.entropy, ..*context }, history, &decision)
        })
        .unwrap();
    }
    book
}

/// Every value within a body, by its path, with its replacements.
fn alterations(body: &Value) -> Vec<(String, Value)> {
    let mut all = Vec::new();
    within(body, "", &mut |path, altered| all.push((path.to_owned(), altered)));
    all
}

/// Calls `say` with the whole body for each alteration of `value` at `path`.
fn within(value: &Value, path: &str, say: &mut dyn FnMut(&str, Value)) {
    match value {
        Value::Object(fields) => {
            for (name, inner) in fields {
                let mut without = fields.clone();
                without.remove(name);
                say(&format!("{path}.{name} left out"), Value::Object(without));
                within(inner, &format!("{path}.{name}"), &mut |at, altered| {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), altered);
                    say(at, Value::Object(fields));
                });
            }
            let mut more = fields.clone();
            more.insert("more".to_owned(), json!(1));
            say(&format!("{path} with a key too many"), Value::Object(more));
        }
        Value::Array(items) => {
            for (n, inner) in items.iter().enumerate() {
                let mut without = items.clone();
                without.remove(n);
                say(&format!("{path}[] left out"), Value::Array(without));
                within(inner, &format!("{path}[]"), &mut |at, altered| {
                    let mut items = items.clone();
                    items[n] = altered;
                    say(at, Value::Array(items));
                });
            }
        }
        Value::Number(number) => {
            let n = number.as_u64().unwrap();
            let others = [Some(n + 1), n.checked_sub(1), Some(0), Some((1 << 32) - 1), Some((1 << 53) - 1)];
            others.into_iter().flatten().filter(|other| *other != n).for_each(|other| say(path, json!(other)));
        }
        Value::String(text) => strings(text).into_iter().for_each(|other| say(path, Value::String(other))),
        Value::Bool(is) => say(path, json!(!is)),
        Value::Null => [json!(0), json!("p1"), json!("1.1")].into_iter().for_each(|other| say(path, other)),
    }
}

fn strings(text: &str) -> Vec<String> {
    let words = ["umpire", "deadline", "first-valid", "all-in", "p1", "p2", "live", "recorded", "posted", "host"];
    let mut others: Vec<String> = Vec::new();
    if words.contains(&text) {
        others.extend(words.map(str::to_owned));
    } else if text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        others.push(text.chars().rev().collect());
    } else if let Ok(moment) = text.parse::<ledger::Moment>() {
        for by in [-60_000_000, -1, 1, 60_000_000] {
            others.push(ledger::Moment::from_micros(moment.micros() + by).unwrap().to_string());
        }
        others.push(ledger::Moment::MAX.to_string());
        others.push(ledger::Moment::MIN.to_string());
    } else if let Some(n) = text.strip_prefix('d').and_then(|n| n.parse::<u32>().ok()) {
        others.extend([format!("d{}", n + 1), format!("d{}", n.saturating_sub(1))]);
    } else {
        others.push(format!("{text}x"));
    }
    others.retain(|other| other != text);
    others
}

fn failed(report: &Report) -> Option<Seq> {
    match report.verdict {
        Found::Failed { entry, .. } => Some(entry),
        _ => None,
    }
}

/// Every altered body of a match: the entry, its kind, the path, the body.
fn altered(book: &Book) -> Vec<(usize, Kind, String, Value)> {
    let entries = book.entries().into_iter().enumerate();
    let all = entries.flat_map(|(n, entry)| {
        let body: Value = serde_json::from_str(&entry.body).unwrap();
        alterations(&body).into_iter().map(move |(path, altered)| (n, entry.kind, path, altered))
    });
    all.collect()
}

/// The line with another body and the same predecessor.
fn line(book: &Book, n: usize, body: &Value) -> Vec<u8> {
    let line = String::from_utf8(book.lines[n].clone()).unwrap();
    let at = line.find("\"body\":").unwrap();
    format!("{}\"body\":{body}}}", &line[..at]).into_bytes()
}

#[test]
fn without_the_chain_made_again_every_altered_value_is_found_in_its_entry() {
    for book in [eventful(), banked()] {
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
    for book in [eventful(), banked()] {
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
const UNPROVEN: [&str; 16] = [
    // The umpire of the match, and other umpires: pseudonyms.
    "handed.to",
    // The step of an objection, which nobody signs.
    "objected.step",
    // Fields of the opening that the game does not use.
    "opened.date",
    "opened.dmo",
    // Nobody but the host sees what the host shows to an umpire.
    "opened.looks",
    "opened.program",
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
    for book in [eventful(), banked()] {
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
            let field = format!("{kind}{}", path.trim_end_matches(" left out"));
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
