//! A move as the engine understood it.

use alloc::string::String;
use alloc::vec::Vec;

/// A seat's move, understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Readback {
    /// The move, canonically.
    pub text: String,
    /// The move in full words.
    pub words: String,
    /// Warnings for the seat before it confirms the move; players are named `{p1}` and `{p2}`.
    pub notes: Vec<String>,
}
