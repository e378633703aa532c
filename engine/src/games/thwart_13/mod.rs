//! Thwart 13: three poker hands for each seat out of one open deck, and the claim that the opponent can no longer
//! complete its own. Two hostings.

mod answer;
mod card;
mod card_notation;
mod clauses;
mod game;
mod hand_completion;
mod hands;
mod ranking;
mod rules;
mod rulesets;
mod sample;
mod sentences;
mod solver;
mod state;
mod submission;
mod view;

pub use answer::{Answer, AnswerFault};
pub use card::{Card, Cards, Rank, Suit};
pub use hands::{Hand, HandPlace, Hands, HandsFault};
pub use ranking::{Category, Strength};
pub use rules::Rules;
pub use rulesets::{DM_COLOSSEUM_2, LEGENDS_UNTOLD, RULESETS};
pub use solver::complete;
pub use state::{Phase, Thwart};
pub use submission::Move;
