//! A match of 25 rounds as its site exports it, with 25 signed checkpoints and their proofs, from the file's bytes to
//! the verdict; and the same without any lines about the log.

extern crate matchbook_record as record;

#[path = "../tests/record/book.rs"]
#[expect(dead_code, reason = "the tests need more of it")]
mod book;
#[path = "../tests/record/log.rs"]
mod log;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use engine::dmn::Replay;
use record::Bundle;
use record::verify::{Report, verify_by};
use record::write::NewMatch;

use crate::book::{Book, archive, shelf};
use crate::log::{log_key, logged, policy, witnesses};

const MATCH: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi";

/// 25 rounds of a declared game, of a stake and a throw, and of what the umpire says of each.
fn declared() -> Book {
    let file = shelf().into_iter().find(|file| file.name.contains("betting-rps")).expect("the game");
    let tags = Replay::open(&file.text).expect("a match").tags().clone();
    let mut book = Book::open(&NewMatch { setup: tags.setup, names: tags.names, ..NewMatch::default() });
    for round in 1..=25 {
        let by = if round % 2 == 0 { 1 } else { -1 };
        book.plays(&format!("{round}. 2; rock / 3; paper"));
        let then = if round < 25 { "again" } else { "over p2 \"25 rounds\"" };
        book.plays(&format!("umpire: says chips p1 by {by}; chips p2 by {}; {then}", -by));
    }
    book.ends();
    book
}

fn verify(criterion: &mut Criterion) {
    let file = archive().into_iter().find(|file| file.name.contains(MATCH)).expect("the match");
    let mut book = Book::replays(&file);
    book.ends();
    let (policy, whole) = (policy(&book), logged(&book).write());
    let check = |bytes: &[u8]| -> Report { verify_by(&Bundle::read(bytes).expect("a bundle"), &policy) };
    assert!(check(&whole).is_good());
    let bare = book.bundle().write();
    println!(
        "{} entries; {} bytes with the log's proofs, {} without; the log's key {}, {} witnesses",
        book.lines.len(),
        whole.len(),
        bare.len(),
        log_key(&book).verifier().name(),
        witnesses().len()
    );
    let mut group = criterion.benchmark_group("verify");
    group.bench_function("25 rounds, logged", |bench| bench.iter(|| check(black_box(&whole))));
    group.bench_function("25 rounds, entries and texts alone", |bench| bench.iter(|| check(black_box(&bare))));
    let declared = logged(&declared()).write();
    assert!(check(&declared).is_good());
    group.bench_function("25 rounds of a declared game, logged", |bench| bench.iter(|| check(black_box(&declared))));
    group.finish();
}

criterion_group!(benches, verify);
criterion_main!(benches);
