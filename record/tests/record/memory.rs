//! What a folded history needs in memory. A cache counts it as so many times the bytes of its entries (`app/src/caches.rs`).

use std::collections::BTreeMap;

use engine::Seat;

use crate::book::{Book, Fixture, archive};

const TIMES: i64 = 3;

/// The bytes that are allocated for a match as everybody sees it must be within the bound.
fn is_within(what: &str, book: &Book) {
    let entries: usize = book.bundle().lines.iter().map(Vec::len).sum();
    let mut kept = None;
    let counted = allocation_counter::measure(|| kept = Some(book.public()));
    drop(kept);
    let (needed, entries) = (counted.bytes_current, i64::try_from(entries).unwrap());
    assert!(needed > 0 && needed <= TIMES * entries, "{what}: {needed} bytes for {entries} bytes of entries");
}

#[test]
fn a_folded_history_needs_at_most_three_times_its_entries() {
    let ruleset = |file: &Fixture| file.name.rsplit_once('/').unwrap().0.to_owned();
    let one_of_each: BTreeMap<String, Fixture> = archive().into_iter().map(|file| (ruleset(&file), file)).collect();
    assert_eq!(one_of_each.len(), 10);
    for file in one_of_each.values() {
        is_within(&file.name, &Book::replays(file));
    }
}

#[test]
fn so_does_one_that_was_signed() {
    let mut book = Book::of("live");
    for seat in Seat::BOTH {
        book.registers(seat, 1 + seat as u8).unwrap();
    }
    for _ in 0..6 {
        book.plays("grow / -");
        book.plays("- / grow");
    }
    is_within("a live match", &book);
}
