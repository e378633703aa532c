//! Devil's Deal: its draws, whole random matches, and steps that no line can express. `fixtures/scripts/devils-deal` has
//! the rest.

mod draws;
mod piles;
mod random;
mod secrets;
mod typed;

use engine::{Duel, Seat, Setup};

const RULESET: &str = "devils-deal/blooming-genius";

fn setup(dmo: Seat) -> Setup {
    Setup { ruleset: RULESET.into(), dmo: Some(dmo), ..Setup::default() }
}

/// Both pools, and p1 starts.
const DEALT: [&str; 2] = ["host: deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9", "p1: start p1"];

/// A match with p1 as the DMO in which these lines were played.
fn played(lines: &[&str]) -> Duel {
    let mut duel = Duel::open(&setup(Seat::P1)).unwrap();
    for line in lines {
        duel.play(line, None).unwrap_or_else(|refusal| panic!("{line}: {refusal}"));
    }
    duel
}
