//! Where matches are found, read and checked: archive, statistics, players, rules, verification.

pub mod archive;
pub mod crawlers;
pub mod events;
pub mod feeds;
pub mod guide;
pub mod log;
pub mod people;
pub mod rules;
pub mod security;
pub mod statistics;
pub mod style;
pub mod verify;

#[cfg(test)]
#[path = "../../../record/tests/record/book.rs"]
#[expect(dead_code, reason = "fewer kinds of matches are drawn here than the record's own tests play")]
mod played;
