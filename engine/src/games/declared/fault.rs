//! The reason why a declaration was not accepted.

use crate::Refusal;

/// A line that does not read, or that could trap a match: its number, the word at fault, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {refusal}")]
pub struct Fault {
    /// From 1; the last line if something is missing.
    pub line: usize,
    /// The place in the line, the word found there, and what was expected.
    pub refusal: Refusal,
}
