//! The result of a log's audit for one match, from its entries and their places alone.

use engine::{Seat, Verdict};
use ledger::{LeafIndex, leaf_hash};
use record::Bundle;
use record::audit::{LoggedEntry, audit};

use crate::acts::NO_ITEMS;
use crate::book::Book;

fn bundle() -> Bundle {
    let mut book = Book::opened("five-card-trick/genius-puzzler", Some(Seat::P2), NO_ITEMS);
    book.plays("score block:claim / grow block:steal");
    book.plays("claim / -");
    book.rules("conceded", Some(Verdict::Won(Seat::P1)));
    book.ends();
    book.bundle()
}

/// The entries of the match, at every tenth position of a log.
fn placed(bundle: &Bundle) -> Vec<LoggedEntry> {
    let places = bundle.lines.iter().zip((0..).step_by(10));
    let placed =
        places.map(|(line, at)| LoggedEntry { index: LeafIndex(at), leaf: leaf_hash(line), bytes: line.clone() });
    placed.collect()
}

/// The result of the audit after a change, a line for each fault.
fn says(change: impl FnOnce(&mut Vec<LoggedEntry>)) -> Vec<String> {
    let bundle = bundle();
    let mut placed = placed(&bundle);
    change(&mut placed);
    let faults = audit(&bundle.origin, bundle.match_id, placed);
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
    assert_eq!(says(|placed| drop(placed.remove(4))), ["Numbers 50: entry 5 stands where the match's entry 4 belongs"]);
    let twice = says(|placed| placed.push(LoggedEntry { index: LeafIndex(1_000), ..placed[3].clone() }));
    assert_eq!(twice, ["Numbers 1000: entry 3 stands in the log twice: at position 30 as well"]);
    let swapped = says(|placed| (placed[2].index, placed[3].index) = (placed[3].index, placed[2].index));
    assert_eq!(
        swapped,
        [
            "Numbers 20: entry 3 stands where the match's entry 2 belongs",
            "Numbers 30: entry 2 stands behind later entries of its match",
        ]
    );
}

#[test]
fn an_entry_that_was_written_anew_breaks_the_chain_there() {
    let dated = says(|placed| rewrite(&mut placed[3], "\"ordinal\":0", "\"ordinal\":1"));
    assert_eq!(dated.len(), 1);
    assert!(dated[0].starts_with("Chains 30: it was altered: its leaf hash is"), "{dated:?}");
    let broken = says(|placed| rewrite(&mut placed[3], "{\"v\":1", "{\"v\":2"));
    assert!(broken[0].starts_with("Entries 30: this is no entry: byte 5: version 2"), "{broken:?}");
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
