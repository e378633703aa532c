//! The parts of every page: the frame, and the panels for any match.
//!
//! There is one template for each kind of panel and none for a single game: every game describes itself with these
//! panels.

mod address;
mod asked;
mod board;
mod cards;
pub(crate) mod controls;
mod course;
mod effects;
mod explored;
pub(crate) mod form;
mod frame;
mod grid;
mod insight;
pub(crate) mod listing;
mod note;
mod party_move;
mod practice_mark;
mod preview;
mod problem;
mod qr;
mod rate;
mod seat;
pub(crate) mod sent;
mod sheet;
mod sheet_lines;
mod sign;
mod stamp;
mod track;
mod turns;
mod urls;
pub(crate) mod vocabulary;
mod when;

/// Matches that are played in memory.
#[cfg(test)]
#[path = "../../../record/tests/record/book.rs"]
#[expect(dead_code, reason = "fewer kinds of matches are drawn here than the record's own tests play")]
pub(crate) mod played;

pub use address::{archive_of, event_address, oembed_address, player_address, versus_address, what_if_address};
pub use asked::{Asked, Question, clock, told};
pub use board::Board;
pub use cards::CardTable;
pub use course::Course;
pub(crate) use course::{is_decision, is_ruled};
pub use effects::{EffectList, Sentence, sentence};
pub(crate) use explored::explored;
pub(crate) use frame::rendered;
pub use frame::{Frame, page};
pub use grid::Grid;
pub use insight::InsightList;
pub(crate) use listing::Listing;
pub use note::Note;
pub use party_move::{PartyMove, party_moves, sheet_moves};
pub use practice_mark::PracticeMark;
pub use preview::Preview;
pub use qr::Qr;
pub(crate) use rate::Rate;
pub use seat::{PartyMark, SeatName, bout_names};
pub(crate) use sent::Sent;
pub use sheet::Sheet;
pub use sheet_lines::{Line, RoundLine};
pub use sign::SignPicture;
pub use stamp::Stamp;
pub use track::Track;
pub use urls::Urls;
pub use when::When;
