//! How fast matches are folded: steps that are parsed already, and files as they stand. One element is one round.

extern crate matchbook_engine as engine;

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use engine::dmn::Replay;
use engine::game::Game;
use engine::games::five_card_trick::{
    DM_COLOSSEUM_2, FiveCardTrick, GENIUS_PUZZLER, LEGENDS_UNTOLD, ZEROS_GAUNTLET, ZEROS_GAUNTLET_FINAL,
};
use engine::games::three_card::{self, ThreeCard};
use engine::step::Step;
use engine::{Playing, Setup};

static THREE_CARD: three_card::Rules = three_card::Rules;

/// A match of the archive that ends after 25 rounds.
struct Match {
    ruleset: &'static str,
    text: String,
    setup: Setup,
    lines: Vec<String>,
}

impl Match {
    fn of(ruleset: &'static str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches").join(ruleset);
        let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
        let file = files.iter().find(|path| name(path).starts_with("more-chips-25-")).unwrap();
        let text = fs::read_to_string(file).unwrap();
        let mut replay = Replay::open(&text).unwrap();
        let mut lines = Vec::new();
        while let Some(line) = replay.play(None) {
            lines.push(line.unwrap().played.text);
        }
        assert_eq!(replay.duel().coming_round(), Some(26));
        let setup = replay.tags().setup.clone();
        Self { ruleset, setup, lines, text }
    }

    /// Folds the typed steps, without effects.
    fn steps<G: Game>(&self, criterion: &mut Criterion, rules: &'static G::Rules) {
        let mut playing = Playing::<G>::start(rules, &self.setup);
        let steps: Vec<Step<G::Move, G::Draw>> = self
            .lines
            .iter()
            .map(|line| {
                let step = playing.read_step(line).unwrap();
                playing.play_step(&step, &mut ()).unwrap();
                step
            })
            .collect();
        let mut group = criterion.benchmark_group("fold");
        group.throughput(Throughput::Elements(25));
        group.bench_function(BenchmarkId::new("steps", self.ruleset), |bencher| {
            bencher.iter(|| {
                let mut playing = Playing::<G>::start(rules, black_box(&self.setup));
                for step in &steps {
                    playing.play_step(black_box(step), &mut ()).unwrap();
                }
                playing
            });
        });
        group.bench_function(BenchmarkId::new("text", self.ruleset), |bencher| {
            bencher.iter(|| {
                let mut replay = Replay::open(black_box(&self.text)).unwrap();
                while let Some(line) = replay.play(None) {
                    black_box(line.unwrap());
                }
                replay.finish().unwrap()
            });
        });
        group.finish();
    }
}

fn fold(criterion: &mut Criterion) {
    for entry in [&ZEROS_GAUNTLET, &ZEROS_GAUNTLET_FINAL, &DM_COLOSSEUM_2, &LEGENDS_UNTOLD, &GENIUS_PUZZLER] {
        Match::of(entry.card.id).steps::<FiveCardTrick>(criterion, &entry.rules);
    }
    Match::of("three-card/simply-genius").steps::<ThreeCard>(criterion, &THREE_CARD);
}

criterion_group!(benches, fold);
criterion_main!(benches);
