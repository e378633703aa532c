//! Folding allocates nothing: neither a first round nor any later one, in whatever ruleset.

extern crate matchbook_engine as engine;

#[path = "seeded/mod.rs"]
mod seeded;

use engine::game::Game;
use engine::games::five_card_trick::{
    DM_COLOSSEUM_2, FiveCardTrick, GENIUS_PUZZLER, LEGENDS_UNTOLD, ZEROS_GAUNTLET, ZEROS_GAUNTLET_FINAL,
};
use engine::games::three_card::{self, ThreeCard};
use engine::step::Step;
use engine::{Playing, ruleset};

static THREE_CARD: three_card::Rules = three_card::Rules;

/// A random match of a ruleset as typed steps.
fn steps<G: Game>(rules: &'static G::Rules, played: &mut seeded::Game) -> Vec<Step<G::Move, G::Draw>> {
    let mut playing = Playing::<G>::start(rules, &played.setup);
    let mut steps = Vec::new();
    while !played.duel.outcome().is_over() {
        let line = played.line();
        played.duel.play(&line, None).unwrap();
        let step = playing.read_step(&line).unwrap();
        playing.play_step(&step, &mut ()).unwrap();
        steps.push(step);
    }
    steps
}

/// Counts what the heap is asked for while matches of the ruleset are folded; opening them is not counted.
fn allocates_nothing<G: Game>(id: &str, rules: &'static G::Rules) {
    for seed in 1..=24 {
        let mut played = seeded::Game::new(ruleset(id).unwrap(), seed);
        let options = &played.setup.options;
        let rules = options.iter().fold(rules, |rules, (name, value)| G::choose(rules, name, value).unwrap());
        let steps = steps::<G>(rules, &mut played);
        let mut playing = Playing::<G>::start(rules, &played.setup);
        let counted = allocation_counter::measure(|| {
            for step in &steps {
                playing.play_step(step, &mut ()).unwrap();
            }
        });
        assert!(playing.outcome().is_over());
        assert_eq!(counted.count_total, 0, "{id}, seed {seed}: {} bytes in {} steps", counted.bytes_total, steps.len());
    }
}

#[test]
fn five_card_trick() {
    for entry in [&ZEROS_GAUNTLET, &ZEROS_GAUNTLET_FINAL, &DM_COLOSSEUM_2, &LEGENDS_UNTOLD, &GENIUS_PUZZLER] {
        allocates_nothing::<FiveCardTrick>(entry.card.id, &entry.rules);
    }
}

#[test]
fn three_card() {
    allocates_nothing::<ThreeCard>("three-card/simply-genius", &THREE_CARD);
}

/// The counter counts.
#[test]
fn a_text_is_counted() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(String::from("x"))));
    assert_eq!(counted.count_total, 1);
}
