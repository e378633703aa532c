//! Thwart 13: three poker hands for each seat out of one open deck, and the claim that the opponent can no longer
//! complete its own. Two hostings.

mod card;
mod card_notation;
mod challenge_answer;
mod clauses;
mod game;
mod hand_completion;
mod hands;
mod ranking;
mod rules;
mod rulesets;
mod sample;
mod sentences;
mod set_completion;
mod state;
mod submission;
mod view;

pub use card::{Card, Cards, Rank, Suit};
pub use challenge_answer::{Answer, AnswerFault};
pub use hands::{Hand, HandPlace, Hands, HandsFault};
pub use ranking::{Category, Strength};
pub use rules::Rules;
pub use rulesets::{DM_COLOSSEUM_2, LEGENDS_UNTOLD, RULESETS};
pub use set_completion::complete;
pub use state::{Phase, Thwart};
pub use submission::Move;
