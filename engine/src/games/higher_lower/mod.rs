//! Higher or Lower: five boards of hidden cards, laid by both seats in secret, and predictions from card to card.

mod assignment;
mod board;
mod card;
mod clauses;
mod completion;
mod fields;
mod form;
mod game;
mod grey;
mod group;
mod layout;
mod placing;
mod preparation;
mod rulesets;
mod sample;
mod sentences;
mod state;
mod submission;
mod turn;
mod view;

pub use board::{Board, ByBoard, Cell, Cells, Direction};
pub use card::{Card, Cards, Fruit};
pub use completion::completes;
pub use group::{Group, GroupFault, Want};
pub use layout::{Front, Fronts, Layout, default_layout};
pub use rulesets::RULESETS;
pub use state::{HigherLower, Rules};
pub use submission::{Call, Draw, Move, Order};
