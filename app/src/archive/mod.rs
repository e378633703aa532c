//! The archive's index: rows that are derived from histories, and the lists that are read from them.
//!
//! Everything in here can be thrown away and derived again. Names are kept as they are compared, too.

mod counts;
mod day;
mod events;
mod filter;
mod follow;
mod habits;
mod key;
mod list;
mod offered;
mod people;
mod phase;
mod row;
mod version;
mod words;

pub use counts::half;
pub use counts::{EndingCount, MoveCount, PairCount, PairSum, Situation};
pub use day::{day, played_on};
pub use events::{EventPage, ListedEvent, Standing};
pub use filter::{Chair, Filter, NoSuchWord, ResultFilter, VerdictFilter};
pub use habits::Habit;
pub use habits::{SentKinds, kinds_text};
pub use key::{Key, VALUE_MAX_CHARS, read_filter, unknown_parameter};
pub use list::{At, Count, ListedMatch, Page, Place, PlaceError};
pub use offered::Offered;

pub use people::{ListedPlayer, Score, Tally};
pub use phase::{LAST_FIVES, Phase, is_scored};
pub use row::mode_word;
pub use version::ArchiveVersion;

use std::sync::{Arc, Mutex};

use crate::logs::Logs;
use crate::matches::Matches;
use crate::umpires::Umpires;

/// The lists of the archive: matches, people, events, and what finished matches add up to.
#[derive(Debug)]
pub struct Archive {
    logs: Arc<Logs>,
    umpires: Arc<Umpires>,
    /// Which version the lists have.
    versions: version::Versions,
    /// The choices of the form of a filter.
    offered: Mutex<offered::LastOffered>,
}

impl Archive {
    pub(crate) fn new(logs: Arc<Logs>, umpires: Arc<Umpires>) -> Self {
        Self { logs, umpires, versions: version::Versions::default(), offered: Mutex::default() }
    }
}

/// Writes the rows of the archive, and follows the logs.
#[derive(Debug)]
pub struct Index {
    logs: Arc<Logs>,
    matches: Arc<Matches>,
    umpires: Arc<Umpires>,
    /// The withdrawals, of this node and others, that were followed already.
    heeded: Mutex<follow::HeededWithdrawals>,
}

impl Index {
    pub(crate) fn new(logs: Arc<Logs>, matches: Arc<Matches>, umpires: Arc<Umpires>) -> Self {
        Self { logs, matches, umpires, heeded: Mutex::default() }
    }
}
