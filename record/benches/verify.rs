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
use record::Bundle;
use record::verify::{Report, verify_by};

use crate::book::{Book, archive};
use crate::log::{log_key, logged, policy, witnesses};

const MATCH: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi";

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
    group.finish();
}

criterion_group!(benches, verify);
criterion_main!(benches);
