//! Folding allocates nothing, in any round of any ruleset. The only exception is a board of Higher or Lower that the
//! host places before the first turn: its check is a search that needs memory.

use engine::GameMatch;
use engine::game::Game;

use crate::seeded::typed;

/// Counts the allocations while random matches are folded; opening a match is not counted.
struct AllocationCheck;

impl typed::Visit for AllocationCheck {
    fn visit<G: Game>(&mut self, id: &'static str, rules: &G::Rules) {
        for seed in 1..=24 {
            let typed::RandomMatch { game, rules, steps } = typed::RandomMatch::<G>::new(id, rules, seed);
            let mut playing = GameMatch::<G>::start(&rules, &game.setup);
            for (text, step) in &steps {
                let counted = allocation_counter::measure(|| playing.play_step(step, &mut ()).unwrap());
                let searched = text.starts_with("host: place ") || text.starts_with("host: layout ");
                let nothing = searched || counted.count_total == 0;
                assert!(nothing, "{id}: {} bytes for {text}", counted.bytes_total);
            }
            assert!(playing.outcome().is_over());
        }
    }
}

#[test]
fn folding_allocates_nothing() {
    typed::every(&mut AllocationCheck);
}

/// Checks that the counter counts.
#[test]
fn a_text_is_counted() {
    let counted = allocation_counter::measure(|| drop(std::hint::black_box(String::from("x"))));
    assert_eq!(counted.count_total, 1);
}
