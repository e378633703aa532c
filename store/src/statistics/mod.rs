//! The rows of the statistics: sums for each ruleset, and the matches counted under a key.

pub mod counted_matches;
pub mod counting;
pub mod sums;
