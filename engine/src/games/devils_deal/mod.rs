//! Devil's Deal: poker with hands of three cards, out of pools that are refilled for chips.

mod ask;
mod betting;
mod card;
mod clauses;
mod form;
mod form_places;
mod game;
mod hand;
mod moves;
mod notation;
mod poker;
mod pool;
mod public_pool;
mod readback;
mod refill;
mod rules;
mod rulesets;
mod sample;
mod sentences;
mod spread;
mod state;
mod state_object;
mod token;
mod view;

pub use betting::Street;
pub use card::{Card, Colour};
pub use hand::{Category, Hand};
pub use moves::{Draw, Move};
pub use pool::Pool;
pub use rules::{CommunityCard, Rules};
pub use rulesets::{BLOOMING_GENIUS, RULESETS};
pub use spread::{Division, Spread};
pub use state::{DevilsDeal, Phase};
