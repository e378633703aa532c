//! The speed of folding whole matches: random ones, the same every time, from parsed steps and from files. One element
//! is one step.

extern crate matchbook_engine as engine;

#[path = "../tests/engine/seeded/mod.rs"]
mod seeded;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use engine::dmn::{self, Replay, Tags};
use engine::game::Game;
use engine::{BySeat, GameMatch, Setup};
use seeded::typed;

/// The number of matches of each ruleset that are folded in turn.
const MATCHES: u64 = 32;

/// A whole match, as a file and as typed steps.
struct Match<G: Game> {
    text: String,
    setup: Setup,
    rules: G::Rules,
    steps: Vec<typed::Typed<G>>,
}

impl<G: Game> Match<G> {
    fn new(id: &str, rules: &G::Rules, seed: u64) -> Self {
        let typed::RandomMatch { game, rules, steps: both } = typed::RandomMatch::<G>::new(id, rules, seed);
        let (lines, steps): (Vec<String>, Vec<_>) = both.into_iter().unzip();
        let names = BySeat { p1: "Black".to_owned(), p2: "White".to_owned() };
        let result = Some(game.duel.outcome().tag().to_owned());
        let tags = Tags { setup: game.setup.clone(), names, result, ..Tags::default() };
        let text = dmn::write(&tags, lines.iter().map(String::as_str));
        Self { text, setup: game.setup, rules, steps }
    }
}

/// Folds the matches of a ruleset, without effects.
struct Folded<'c>(&'c mut Criterion);

impl typed::Visit for Folded<'_> {
    fn visit<G: Game>(&mut self, id: &'static str, rules: &G::Rules) {
        let matches: Vec<Match<G>> = (1..=MATCHES).map(|seed| Match::new(id, rules, seed)).collect();
        let steps: usize = matches.iter().map(|match_| match_.steps.len()).sum();
        println!(
            "{id}: {} bytes a state, {:.1} steps a match",
            size_of::<GameMatch<G>>(),
            steps as f64 / MATCHES as f64
        );
        let mut group = self.0.benchmark_group("fold");
        group.throughput(Throughput::Elements(steps as u64));
        group.bench_function(BenchmarkId::new("steps", id), |bencher| {
            bencher.iter(|| {
                for match_ in &matches {
                    let mut playing = GameMatch::<G>::start(&match_.rules, black_box(&match_.setup));
                    for step in &match_.steps {
                        playing.play_step(black_box(step), &mut ()).unwrap();
                    }
                    black_box(playing);
                }
            });
        });
        group.bench_function(BenchmarkId::new("text", id), |bencher| {
            bencher.iter(|| {
                for match_ in &matches {
                    let mut replay = Replay::open(black_box(&match_.text)).unwrap();
                    while let Some(line) = replay.play(None) {
                        black_box(line.unwrap());
                    }
                    black_box(replay.finish().unwrap());
                }
            });
        });
        group.finish();
    }
}

fn fold(criterion: &mut Criterion) {
    typed::every(&mut Folded(criterion));
}

criterion_group!(benches, fold);
criterion_main!(benches);
