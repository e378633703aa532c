//! The archive's index: rows that are derived from histories, and the lists that are read from them.
//!
//! Everything in here can be thrown away and derived again. Names are kept as they are compared, too ([`fold`]).

mod counts;
mod day;
mod events;
mod filter;
mod follow;
mod habits;
mod key;
mod kinds;
mod list;
mod offered;
mod people;
mod phase;
mod row;
mod words;

pub use counts::half;
pub use counts::{EndingCount, MoveCount, PairCount, PairSum, Situation};
pub use day::{day, played_on};
pub use events::{EventPage, ListedEvent, Standing};
pub use filter::{Chair, Filter, NoSuchWord, ResultFilter, VerdictFilter};
pub(super) use follow::Heeded;
pub use habits::Habit;
pub use habits::{SentKinds, kinds_text};
pub use key::{Key, VALUE_MAX_CHARS, read_filter, unknown_parameter};
pub use list::{At, Count, ListedMatch, Page, Place, PlaceError};
pub(super) use offered::LastOffered;
pub use offered::Offered;

pub use people::{ListedPlayer, Score, Tally};
pub use phase::{LAST_FIVES, Phase, is_scored};
pub use row::mode_word;
