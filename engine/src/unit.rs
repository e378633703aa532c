//! The thing that a number counts.

use crate::Word;

/// The thing that a number counts, such as chips.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unit {
    /// One of it, such as "chip".
    pub one: Word,
    /// None or more of it, such as "chips".
    pub many: Word,
}

impl Unit {
    /// Chips.
    pub const CHIPS: Self = Self { one: Word::Static("chip"), many: Word::Static("chips") };
}
