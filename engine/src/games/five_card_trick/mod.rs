//! Five-Card Trick: five actions, two a round, a pot, and lights. Five hostings, in three families.

mod action;
mod clauses;
mod game;
mod limits;
mod resolution;
mod rules;
mod rulesets;
mod sentences;
mod state;
mod submission;
mod view;

pub use action::{Action, Actions};
pub use limits::LeftOutReason;
pub use resolution::{ActionFate, NoClaim, Resolution};
pub use rules::Rules;
pub use rulesets::{DM_COLOSSEUM_2, GENIUS_PUZZLER, LEGENDS_UNTOLD, RULESETS, ZEROS_GAUNTLET, ZEROS_GAUNTLET_FINAL};
pub use state::FiveCardTrick;
pub use submission::{Item, Move, Submission, Target};
