//! Ids and places as types that cannot be swapped.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use uuid::Uuid;

use crate::serde_as_text::serde_as_text;

/// A match. Displayed and read as a hyphenated lower-case UUID (RFC 9562), and in no other notation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatchId(pub Uuid);

/// The text is not a match id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a match id is a lower-case UUID with hyphens, such as 0197c5a4-6f1e-7000-8000-000000000001")]
pub struct MatchIdError;

/// The place of an entry in its match: 0 first, without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Seq(pub u32);

/// The place of an entry in the log, which is the index of its leaf in the tree: 0 first, without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct LeafIndex(pub u64);

/// A number of leaves: the tree of size n covers the leaf indexes 0 to n - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct TreeSize(pub u64);

/// A log. Every key in the database starts with it; there is one log today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LogId(pub i32);

impl Seq {
    /// The place after this one; none after `u32::MAX`.
    #[must_use]
    pub const fn next(self) -> Option<Self> {
        match self.0.checked_add(1) {
            Some(seq) => Some(Self(seq)),
            None => None,
        }
    }
}

impl LeafIndex {
    /// The size of the smallest tree that covers this leaf.
    #[must_use]
    pub const fn covered_by(self) -> TreeSize {
        TreeSize(self.0.saturating_add(1))
    }
}

impl TreeSize {
    /// True if the tree of this size covers that leaf.
    #[must_use]
    pub const fn covers(self, leaf: LeafIndex) -> bool {
        leaf.0 < self.0
    }

    /// The index of the next leaf.
    #[must_use]
    pub const fn next_leaf(self) -> LeafIndex {
        LeafIndex(self.0)
    }
}

impl fmt::Display for MatchId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(f)
    }
}

impl FromStr for MatchId {
    type Err = MatchIdError;

    fn from_str(text: &str) -> Result<Self, MatchIdError> {
        let id = Uuid::try_parse(text).map(Self).map_err(|_| MatchIdError)?;
        // The library also reads braces, URNs, upper case and UUIDs without hyphens. Here, one value has one notation.
        let mut written = Uuid::encode_buffer();
        if id.0.hyphenated().encode_lower(&mut written) == text { Ok(id) } else { Err(MatchIdError) }
    }
}

serde_as_text!(MatchId);

macro_rules! display_number {
    ($($name:ty),+) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )+};
}

display_number!(Seq, LeafIndex, TreeSize, LogId);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_id_has_one_notation() {
        let text = "0197c5a4-6f1e-7000-8000-0000000000ab";
        let id: MatchId = text.parse().unwrap();
        assert_eq!(id.to_string(), text);
    }

    #[test]
    fn sizes_and_indexes_agree() {
        assert_eq!(LeafIndex(0).covered_by(), TreeSize(1));
        assert!(TreeSize(1).covers(LeafIndex(0)));
        assert!(!TreeSize(1).covers(LeafIndex(1)));
        assert_eq!(TreeSize(4).next_leaf(), LeafIndex(4));
        assert_eq!(Seq(u32::MAX).next(), None);
    }
}
