//! Devil's Deal: poker with hands of three cards, out of pools that are refilled for chips.

mod ask;
mod betting;
mod card;
mod clauses;
mod form;
mod game;
mod hand;
mod known;
mod moves;
mod places;
mod poker;
mod pool;
mod readback;
mod reading;
mod refill;
mod rules;
mod rulesets;
mod rulings;
mod sample;
mod sentences;
mod spread;
mod state;
mod token;
mod view;
mod written;

pub use betting::Street;
pub use card::{Card, Colour};
pub use hand::{Category, Hand};
pub use moves::{Draw, Move};
pub use pool::Pool;
pub use rules::{CommunityCard, Rules};
pub use rulesets::{BLOOMING_GENIUS, RULESETS};
pub use spread::{Division, Spread};
pub use state::{DevilsDeal, Phase};
