//! The cost of an audit for each entry, stage by stage, beside one core's bare SHA-256 of the same bytes. The matches
//! are random, of every ruleset, recorded and ended. One element is one entry.

extern crate matchbook_record as record;

#[path = "../tests/record/book.rs"]
#[expect(dead_code, reason = "the tests need more of it")]
mod book;

use std::collections::BTreeMap;
use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::{BySeat, Seat, Setup, SplitMix64, To, Verdict};
use ledger::{Entry, Frontier, Hash, TreeSize, leaf_hash};
use record::audit::{LoggedEntry, audit};
use record::write::NewMatch;
use record::{Bundle, Secrets, Texts, TreeMentions, fold};
use sha2::{Digest, Sha256};

use crate::book::Book;

const MATCHES: u64 = 8;
const STEPS: usize = 60;

fn line(duel: &engine::Duel, numbers: &mut SplitMix64) -> Option<String> {
    let ask = duel.asks().pop()?;
    Some(match ask.to {
        To::Host => format!("host: {}", duel.draw(numbers)?),
        To::One(seat) => format!("{seat}: {}", duel.sample(seat, &ask.what, numbers)?),
        To::Both => {
            let (p1, p2) = (duel.sample(Seat::P1, &ask.what, numbers)?, duel.sample(Seat::P2, &ask.what, numbers)?);
            format!("{p1} / {p2}")
        }
    })
}

/// A random match, recorded to its end.
fn played(ruleset: &str, seed: u64) -> Book {
    let setup = Setup { ruleset: ruleset.to_owned(), dmo: Some(Seat::P2), ..Setup::default() };
    let names = BySeat { p1: "Juniper".into(), p2: "Okapi".into() };
    let mut book = Book::open(&NewMatch { setup, names, ..NewMatch::default() });
    let mut numbers = SplitMix64(seed);
    for _ in 0..STEPS {
        let Some(line) = line(book.history().duel(), &mut numbers) else { break };
        book.plays(&line);
    }
    if !book.history().outcome().is_over() {
        book.rules("it is late", Some(Verdict::Undecided));
    }
    book.ends();
    book
}

fn place(book: &Book) -> Vec<LoggedEntry> {
    let placed = book.lines.iter().zip(&book.places);
    placed.map(|(line, at)| LoggedEntry { index: *at, leaf: leaf_hash(line), bytes: line.clone() }).collect()
}

fn bench(c: &mut Criterion) {
    let seeds = engine::rulesets().flat_map(|ruleset| (0..MATCHES).map(|seed| (ruleset.card().id, seed)));
    let books: Vec<Book> = seeds.map(|(ruleset, seed)| played(ruleset, seed)).collect();
    let bundles: Vec<Bundle> = books.iter().map(Book::bundle).collect();
    let lines: Vec<&[u8]> = bundles.iter().flat_map(|bundle| bundle.lines.iter().map(Vec::as_slice)).collect();
    let bytes: usize = lines.iter().map(|line| line.len()).sum();
    println!("{} matches, {} entries of {} bytes each", bundles.len(), lines.len(), bytes / lines.len());
    let leaves: Vec<Hash> = lines.iter().map(|line| leaf_hash(line)).collect();

    let mut group = c.benchmark_group("audit");
    group.throughput(Throughput::Elements(lines.len() as u64));
    group.bench_function("sha256", |bencher| {
        bencher.iter(|| lines.iter().for_each(|line| _ = black_box(Sha256::digest(line))));
    });
    group.bench_function("hash", |bencher| {
        bencher.iter(|| {
            lines.iter().for_each(|line| _ = black_box(leaf_hash(line)));
        });
    });
    group.bench_function("root", |bencher| {
        bencher.iter(|| black_box(leaves.iter().copied().collect::<Frontier>().root()));
    });
    group.bench_function("parse", |bencher| {
        bencher.iter(|| lines.iter().for_each(|line| drop(black_box(Entry::read(line)))));
    });
    let read = |bundle: &Bundle| {
        let entries: Vec<Entry> = bundle.lines.iter().map(|line| Entry::read(line).unwrap()).collect();
        let leaves: Vec<Hash> = bundle.lines.iter().map(|line| leaf_hash(line)).collect();
        (entries, leaves)
    };
    let matches: Vec<_> = bundles.iter().map(read).collect();
    let (texts, secrets) = (Texts::new(), Secrets::new());
    group.bench_function("fold", |bencher| {
        bencher.iter(|| {
            for (entries, leaves) in &matches {
                black_box(fold(&bundles[0].origin, entries, leaves, &texts, &secrets).unwrap());
            }
        });
    });
    // A whole audit reads the roots at these sizes from a scratch file.
    let root = |book: &Book, size: TreeSize| {
        let first = book.leaves.iter().copied().take(size.0 as usize);
        (size, first.collect::<Frontier>().root())
    };
    let roots: Vec<BTreeMap<TreeSize, Hash>> = books
        .iter()
        .map(|book| TreeMentions::of(&book.entries()).trees.iter().map(|named| root(book, named.tree.size)).collect())
        .collect();
    group.bench_function("whole", |bencher| {
        bencher.iter(|| {
            for (book, roots) in books.iter().zip(&roots) {
                let placed = place(book);
                let root = placed.iter().map(|placed| placed.leaf).collect::<Frontier>().root();
                let audited =
                    audit(&book.origin, book.match_id, placed, &Texts::new(), &|size| roots.get(&size).copied());
                assert!(audited.faults.is_empty());
                black_box(root);
            }
        });
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
