//! Golden playthroughs: whole random matches, with every fact of every state for each viewer, so that a leaked secret
//! or a changed sentence is a visible difference.
//!
//! `UPDATE=1 cargo test -p matchbook-engine playthroughs` rewrites the files.

mod transcript;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fs};

use crate::seeded::Game;
use engine::{Ruleset, rulesets};
use transcript::Transcript;

/// Matches among which the three of a ruleset are chosen.
const SEEDS: std::ops::RangeInclusive<u64> = 1..=24;

/// The facts by which a match is chosen.
struct Playthrough {
    seed: u64,
    steps: usize,
    /// The fates in it, with their rules.
    fates: BTreeSet<(&'static str, &'static str)>,
}

impl Playthrough {
    fn new(ruleset: &dyn Ruleset, seed: u64) -> Self {
        let (mut game, mut effects, mut steps) = (Game::new(ruleset, seed), Vec::new(), 0);
        while !game.duel.outcome().is_over() {
            let line = game.line();
            game.duel.play(&line, Some(&mut effects)).unwrap();
            steps += 1;
        }
        Self { seed, steps, fates: effects.iter().map(|effect| (effect.fate.word(), effect.rule)).collect() }
    }
}

/// A match of fewer steps shows little.
const FEW: usize = 12;

/// Three matches: the shortest, the one with the most kinds of events, and the one that adds most to these two.
fn chosen(ruleset: &dyn Ruleset) -> [u64; 3] {
    let mut played: Vec<Playthrough> = SEEDS.map(|seed| Playthrough::new(ruleset, seed)).collect();
    played.retain(|match_| match_.steps >= FEW);
    let shortest = played.iter().min_by_key(|match_| (match_.steps, match_.seed)).unwrap();
    let mut seen = shortest.fates.clone();
    let mut seeds = [shortest.seed; 3];
    for at in 1..3 {
        let others = played.iter().filter(|match_| !seeds[..at].contains(&match_.seed));
        // Of matches that add as much, the shorter one.
        let best = others.max_by_key(|match_| (match_.fates.difference(&seen).count(), usize::MAX - match_.steps));
        let best = best.unwrap();
        seen.extend(best.fates.iter().copied());
        seeds[at] = best.seed;
    }
    seeds
}

fn path(ruleset: &str, n: usize) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/playthroughs");
    folder.join(format!("{ruleset}-{n}.txt"))
}

#[test]
fn every_playthrough_is_the_one_that_stands_in_its_file() {
    let update = env::var_os("UPDATE").is_some();
    let mut differ = Vec::new();
    for ruleset in rulesets() {
        for (n, seed) in (1..).zip(chosen(ruleset)) {
            let text = Transcript::of(Game::new(ruleset, seed), seed);
            let path = path(ruleset.card().id, n);
            if update {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, text).unwrap();
            } else if let Some(place) = crate::shown::difference(&fs::read_to_string(&path).unwrap_or_default(), &text)
            {
                differ.push(format!("{}: {place}", path.file_name().unwrap().display()));
            }
        }
    }
    assert!(differ.is_empty(), "UPDATE=1 writes what comes now:\n{}", differ.join("\n"));
}
