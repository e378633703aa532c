//! The rows of the archive: derived from the log, and the lists that are read from them.
//!
//! All of them can be deleted and derived again. Names, tags and words arrive as they are compared, and conditions on
//! matches as a [`Filter`](filter::Filter): how people write them is for the caller.

pub mod aliases;
pub mod choices;
pub mod count;
pub mod cursor;
pub mod event_sheets;
pub mod events;
pub mod filter;
pub mod games;
pub mod index;
pub mod kinds;
pub mod list_rows;
pub mod matches;
pub mod names;
pub mod place;
pub mod players;
pub mod preparation;
pub mod sitemap;
pub mod verdicts;
pub mod version;
pub mod vouched_seats;
