//! A step that a match accepted.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{BySeat, Party, Row, Word};

/// A step that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedStep {
    /// The step, canonically.
    pub text: String,
    /// The same as the public may read it: `?` for what is still sealed.
    pub public: String,
    /// The fields of it that stay sealed after it.
    pub keeps: Vec<(Party, Word)>,
    /// The fields of earlier steps that it makes public; of each, the one sent last.
    pub shows: Vec<(Party, Word)>,
    /// The move of each seat, as the public may read it; none if the step asked nothing of that seat.
    pub moves: BySeat<Option<String>>,
    /// Its place in the score sheet.
    pub row: Row,
}
