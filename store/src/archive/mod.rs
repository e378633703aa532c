//! The rows of the archive: derived from the log, and the lists that are read from them.
//!
//! All of them can be deleted and derived again. Names, tags and words arrive as they are compared, and conditions on
//! matches as a [`Selection`](selection::Selection): how people write them is for the caller.

pub mod aliases;
pub mod choices;
pub mod cursor;
pub mod events;
pub mod index;
pub mod kinds;
pub mod list_rows;
pub mod matches;
pub mod players;
pub mod preparation;
pub mod selection;
pub mod sitemap;
pub mod verdicts;
pub mod version;
pub mod vouched_seats;

/// The number up to which matches are counted: a reader of a list does not need to know more.
pub const COUNT_MAX: i64 = 1_000;
