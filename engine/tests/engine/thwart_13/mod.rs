//! Thwart 13: its search against an independent one, and whole random matches. `fixtures/scripts/thwart-13` has the rest.

mod naive;
mod positions;
mod solver;
mod typed;
mod whole;

const COLOSSEUM: &str = "thwart-13/dm-colosseum-2";
const LEGENDS: &str = "thwart-13/legends-untold";
