//! The result of a log's audit for one match, from its entries and their places alone.

use ledger::{Frontier, Hash, Kind, LeafIndex, TreeSize, leaf_hash};
use record::Texts;
use record::audit::{AuditCheck, LoggedEntry, MatchAudit, audit};
use record::body::{Body, Resolved};

use crate::book::Book;
use crate::evil_host::{EvilHost, Piece, pieces};
use crate::forger::{Seals, bodies, forged};

fn book() -> Book {
    Book::of("audited")
}

/// The entries of the match at their places in the log, between others.
fn placed(book: &Book) -> Vec<LoggedEntry> {
    let places = book.lines.iter().zip(&book.places);
    let placed = places.map(|(line, at)| LoggedEntry { index: *at, leaf: leaf_hash(line), bytes: line.clone() });
    placed.collect()
}

/// The audit of entries, in the log of a match.
fn audited(book: &Book, placed: Vec<LoggedEntry>) -> MatchAudit {
    let roots = |size: TreeSize| {
        let first = book.leaves.get(..usize::try_from(size.0).ok()?)?;
        Some(first.iter().copied().collect::<Frontier>().root())
    };
    audit(&book.origin, book.match_id, placed, &Texts::new(), &roots)
}

/// The result of the audit after a change, a line for each fault.
fn says(change: impl FnOnce(&mut Vec<LoggedEntry>)) -> Vec<String> {
    let book = book();
    let mut placed = placed(&book);
    change(&mut placed);
    let faults = audited(&book, placed).faults;
    faults.iter().map(|fault| format!("{:?} {}: {}", fault.check, fault.index, fault.text)).collect()
}

fn rewrite(placed: &mut LoggedEntry, from: &str, to: &str) {
    let text = String::from_utf8(placed.bytes.clone()).unwrap();
    assert!(text.contains(from), "{text}");
    placed.bytes = text.replacen(from, to, 1).into_bytes();
    placed.leaf = leaf_hash(&placed.bytes);
}

#[test]
fn an_untouched_match_has_no_flaw_in_whatever_order_it_comes() {
    assert_eq!(says(|_| ()), [""; 0]);
    assert_eq!(says(|placed| placed.reverse()), [""; 0]);
}

#[test]
fn numbers_that_are_missing_twice_or_out_of_order() {
    assert_eq!(says(|placed| drop(placed.remove(4))), ["Numbers 8: entry 5 is where the match's entry 4 belongs"]);
    let twice = says(|placed| placed.push(LoggedEntry { index: LeafIndex(1_000), ..placed[3].clone() }));
    assert_eq!(twice, ["Numbers 1000: entry 3 is in the log twice: at position 5 as well"]);
    let swapped = says(|placed| (placed[2].index, placed[3].index) = (placed[3].index, placed[2].index));
    assert_eq!(
        swapped,
        [
            "Numbers 3: entry 3 is where the match's entry 2 belongs",
            "Numbers 5: entry 2 comes after later entries of its match",
        ]
    );
}

#[test]
fn an_entry_that_was_written_anew_breaks_the_chain_there() {
    let dated = says(|placed| rewrite(&mut placed[3], "\"ordinal\":0", "\"ordinal\":1"));
    assert_eq!(dated.len(), 1);
    assert!(dated[0].starts_with("Chains 5: it was altered: its leaf hash is"), "{dated:?}");
    let broken = says(|placed| rewrite(&mut placed[3], "{\"v\":1", "{\"v\":2"));
    assert!(broken[0].starts_with("Entries 5: this is no entry: byte 5: version 2"), "{broken:?}");
}

#[test]
fn a_chain_that_was_written_anew_from_an_entry_on_contradicts_the_rules_or_the_seals() {
    let forged = says(|placed| {
        // Everything from the first resolved entry on is chained again: only its meaning is wrong.
        let resolved =
            placed.iter().position(|at| String::from_utf8_lossy(&at.bytes).contains("\"resolved\"")).unwrap();
        let old = placed[resolved].leaf.to_string();
        rewrite(&mut placed[resolved], "score block", "grow block");
        let mut renamed = (old, placed[resolved].leaf.to_string());
        for next in &mut placed[resolved + 1..] {
            let old = next.leaf.to_string();
            rewrite(next, &renamed.0, &renamed.1);
            renamed = (old, next.leaf.to_string());
        }
    });
    assert!(!forged.is_empty() && forged.iter().all(|fault| fault.starts_with("Rules ")), "{forged:?}");
}

#[test]
fn a_root_that_never_was_contradicts_the_log() {
    let named = |book: &Book, change: &dyn Fn(&mut Resolved)| {
        let bundle = forged(book, Seals::Kept, |entries| change(bodies!(entries, Resolved).last().unwrap()));
        let lines = bundle.lines.into_iter();
        let mut placed = placed(book);
        placed.iter_mut().zip(lines).for_each(|(at, line)| (at.leaf, at.bytes) = (leaf_hash(&line), line));
        audited(book, placed).faults.into_iter().filter(|fault| fault.check == AuditCheck::Tree).map(|fault| fault.text)
    };
    let book = book();
    assert_eq!(named(&book, &|_| ()).count(), 0);
    let wrong: Vec<String> = named(&book, &|resolved| resolved.tree.root = Hash::ZERO).collect();
    assert!(wrong.len() == 1 && wrong[0].contains("and the log has "), "{wrong:?}");
    let later: Vec<String> = named(&book, &|resolved| resolved.tree.size += 90).collect();
    assert!(later.len() == 1 && later[0].ends_with("and the log has no such tree before it"), "{later:?}");
}

/// The faults of the audit where the host tells a match with trees of its log that were there, and were too small.
fn told_with(book: &Book, change: impl Fn(&mut Vec<Piece>)) -> Vec<String> {
    let mut told = pieces(book);
    change(&mut told);
    let bundle = EvilHost::of(book, true).tells(told).unwrap();
    let whole = bundle.logged.as_ref().unwrap();
    assert_eq!(whole.checkpoint.text().as_str().lines().nth(1).unwrap().parse::<usize>().unwrap(), book.leaves.len());
    // Each entry stands in the told log where the true one stood.
    let mut leaves = book.leaves.clone();
    for (at, line) in book.places.iter().zip(&bundle.lines) {
        leaves[at.0 as usize] = leaf_hash(line);
    }
    let placed = book.places.iter().zip(bundle.lines);
    let placed = placed.map(|(at, bytes)| LoggedEntry { index: *at, leaf: leaf_hash(&bytes), bytes }).collect();
    let roots = |size: TreeSize| {
        let first = leaves.get(..usize::try_from(size.0).ok()?)?;
        Some(first.iter().copied().collect::<Frontier>().root())
    };
    let audit = audit(&book.origin, book.match_id, placed, &bundle.texts, &roots);
    audit.faults.into_iter().map(|fault| format!("{} {}: {}", fault.seq.unwrap(), fault.index, fault.text)).collect()
}

#[test]
fn a_tree_that_a_player_signs_holds_what_was_answered_by_its_place_in_the_log() {
    let book = Book::of("three rounds");
    assert_eq!(told_with(&book, |_| ()), [""; 0]);
    let seal = book.of_kind(Kind::Sealed).pop().unwrap();
    let asked = book.history().seals.last().unwrap().asked.unwrap();
    let place = book.places[asked.0 as usize].0;
    let signed_over = |size: u64| {
        told_with(&book, |told| {
            let seal = told.iter_mut().rfind(|piece| piece.kind == Kind::Sealed).unwrap();
            seal.body["signature"]["tree"]["size"] = size.into();
        })
    };
    assert_eq!(signed_over(place + 1), [""; 0]);
    // Large enough by the numbers of the match, and too small by the places: others' entries stand before it.
    assert!(place > u64::from(asked.0) + 1, "{place}");
    let at = book.places[seal.0 as usize];
    let why = format!(
        "{seal} {at}: the tree that a player signed with its submission does not hold the question (expected a tree of more than {place} entries, found {place})"
    );
    assert_eq!(signed_over(place), [why]);
}

#[test]
fn a_tree_before_an_opening_holds_what_was_sealed_by_its_place_in_the_log() {
    let book = Book::of("three rounds unsigned");
    let seal = book.of_kind(Kind::Sealed).pop().unwrap();
    let at = book.places[seal.0 as usize];
    let covered_by = |size: u64| {
        told_with(&book, |told| {
            let resolved = told.iter_mut().rfind(|piece| piece.kind == Kind::Resolved).unwrap();
            resolved.body["tree"]["size"] = size.into();
        })
    };
    assert_eq!(covered_by(at.0 + 1), [""; 0]);
    assert!(at.0 > u64::from(seal.0) + 1, "{at}");
    let why = format!(
        "{seal} {at}: the tree that stood before the opening does not hold this entry (expected a tree of more than {at} entries, found {at})"
    );
    assert_eq!(covered_by(at.0), [why]);
}

#[test]
fn a_list_of_shares_stands_in_the_trees_of_its_openings() {
    let book = Book::of("opened");
    let openings = |told: &mut Vec<Piece>| told.iter().position(|piece| piece.body["purpose"] == "openings").unwrap();
    assert_eq!(told_with(&book, |_| ()), [""; 0]);
    let told = pieces(&book);
    let listed = told[openings(&mut told.clone())].body["listed"].as_u64().unwrap() as usize;
    let place = book.places[listed].0;
    let signed = told_with(&book, |told| {
        let at = openings(told);
        told[at].body["signatures"]["p1"]["tree"]["size"] = place.into();
    });
    let why = "the tree that a player signed with its opening does not hold the list of shares";
    assert!(signed.len() == 1 && signed[0].contains(why), "{signed:?}");
}

#[test]
fn the_host_key_of_a_match_stands_with_its_first_entry() {
    let book = book();
    let (index, key) = audited(&book, placed(&book)).host_key.unwrap();
    assert_eq!((index, key), (book.places[0], book.history().opened.host_key));
}
