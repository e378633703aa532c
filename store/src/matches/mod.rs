//! Rows about a match that are beside the log: what is private to its players and umpires, or comes before and after it.
//!
//! None of them is an entry, and no check of a match reads them.

pub mod comments;
pub mod imports;
pub mod known_results;
pub mod late_inputs;
pub mod named_umpires;
pub mod notes;
pub mod planned;
pub mod practice;
pub mod ready;
pub mod recordings;
pub mod waiting_keys;
pub mod withdrawals;
