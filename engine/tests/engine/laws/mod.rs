//! Laws that hold in every ruleset of the registry, under random legal play and random illegal lines. A new game needs
//! no line here, except for its conserved values and its longest match.
//!
//! `PROPTEST_CASES=10000` tries forty times as many matches.

mod conserved;
mod ends;
mod folds;
mod forms;
mod kinds;
mod notation;
mod refused;
mod seats;
mod secrets;
mod told;

use crate::seeded::{Game, numbers};
use engine::{Duel, Effect, PlayedStep, SplitMix64, Stream, rulesets};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// More steps than any random match takes.
const STEPS: usize = 4000;

/// Matches in which a law once failed, by ruleset and number: they are tried first.
const FOUND: [(&str, u64); 1] = [("devils-deal/blooming-genius", 1_112_469_896_647_339_965)];

/// One step of a match, with the match before and after it.
struct Moment {
    before: Duel,
    /// As it was typed.
    line: String,
    played: PlayedStep,
    effects: Vec<Effect>,
    after: Duel,
}

/// Runs a law over random matches of every ruleset.
fn law(check: impl Fn(Game) -> Result<(), TestCaseError>) {
    for ruleset in rulesets() {
        let config = Config { failure_persistence: None, ..Config::default() };
        let cases = config.cases.div_ceil(12);
        let mut runner = TestRunner::new(Config { cases, ..config });
        for (_, seed) in FOUND.iter().filter(|(id, _)| *id == ruleset.card().id) {
            check(Game::new(ruleset, *seed)).unwrap_or_else(|error| panic!("{}, {seed}: {error}", ruleset.card().id));
        }
        let held = runner.run(&any::<u64>(), |seed| check(Game::new(ruleset, seed)));
        held.unwrap_or_else(|error| panic!("{}: {error}", ruleset.card().id));
    }
}

/// Plays a match to its end, and checks every step; `chance` is the law's own.
fn play(
    mut game: Game,
    mut look: impl FnMut(&Moment, &mut SplitMix64) -> Result<(), TestCaseError>,
) -> Result<Duel, TestCaseError> {
    let mut chance = numbers(game.chance.clone().word());
    for _ in 0..STEPS {
        if game.duel.outcome().is_over() {
            break;
        }
        let line = game.line();
        let (before, mut effects) = (game.duel.clone(), Vec::new());
        let played = game.duel.play(&line, Some(&mut effects));
        let played = played.map_err(|refusal| TestCaseError::fail(format!("{line}: {refusal}")))?;
        look(&Moment { before, line, played, effects, after: game.duel.clone() }, &mut chance)?;
    }
    Ok(game.duel)
}
