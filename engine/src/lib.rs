//! The rules of the Death Matches and nothing else.
//!
//! A match is a fold: a [`Duel`] opened from a [`Setup`] and fed one [step](step::Step) after another. The engine is a
//! pure function of (ruleset, setup, steps): it never reads a clock, never draws, never does I/O, and knows nothing of
//! ledgers or pages. A game describes itself as data: its questions ([`Ask`]), the view of each viewer ([`View`]), the
//! fate of every choice ([`Effect`]), its numbered clauses ([`Clause`]) and its own words.
#![warn(missing_docs)]
#![no_std]
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, clippy::unreachable)
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod ask;
mod bank;
mod bit_set;
mod clause;
pub mod dmn;
mod duel;
mod dyn_game;
mod effect;
pub mod game;
mod game_match;
pub mod games;
mod json;
mod outcome;
mod places;
mod played_step;
mod purpose;
mod readback;
mod refusal;
mod registry;
mod rule_option_macro;
mod ruleset;
mod seat;
mod setup;
mod shared;
pub mod step;
mod stream;
mod unit;
mod view;
mod vocabulary;

pub use ask::{Ask, Choice, Closes, Entry, Field, Form, LineField, Opens, To};
pub use bank::Bank;
pub use clause::{Clause, RulingNote};
pub use duel::Duel;
pub use dyn_game::DynGame;
pub use effect::{Effect, EffectLog, Fate, name_seats};
pub use game_match::GameMatch;
pub use outcome::{Ending, Outcome, Reason, Verdict};
pub use places::{Places, Slot, Thing};
pub use played_step::PlayedStep;
pub use purpose::Purpose;
pub use readback::Readback;
pub use refusal::Refusal;
pub use registry::{ruleset, rulesets};
pub use ruleset::{Ruleset, RulesetCard, RulesetEntry};
pub use seat::{BySeat, Party, Seat};
pub use setup::{Setup, SetupError};
pub use shared::{Shared, Word};
pub use step::ResultRuling;
pub use stream::{SplitMix64, Stream};
pub use unit::Unit;
pub use view::{
    CardFace, CardGroup, Cell, Colour, Figure, Insight, Lamp, Mark, Panel, Place, Row, Shape, Sight, Sign, View,
};
