//! Three-Card Trick: three actions, up to two a round, a pot, and lamps.

mod clauses;
mod sentences;
mod state;
mod submission;
mod view;

pub use state::{RULESETS, Rules, ThreeCard};
pub use submission::{Action, Move, Set};
