//! The archive: rows that are derived from histories, and the lists that are read from them.
//!
//! All of them can be deleted and derived again. A name is stored with its key, by which names are compared.

mod aliases;
mod answers;
mod counts;
mod day;
mod events;
mod filter;
mod filter_choices;
mod follow;
mod habits;
mod key;
mod kind_counts;
mod known_names;
mod list;
mod paging;
mod phase;
mod players;
mod preparation;
mod row;
mod sitemap;
mod version;
mod words;

pub use aliases::{AliasAct, JoinRefusal, NewAliasAct};
pub use answers::{Answer, write_answer};
pub use counts::half_hash;
pub use counts::{EndingCount, FateCount, MoveCount, PairCount, PairSum, ResultCount, Situation};
pub use day::{parse_day, parse_partial_day};
pub use events::{EventPage, EventSummary, Standing};
pub use filter::{Filter, ResultFilter, SeatFilter, Sort, UnknownWord, VerdictFilter};
pub use filter_choices::FilterChoices;
pub use habits::{Habit, Habits};
pub use key::{Key, VALUE_MAX_CHARS, read_filter, unknown_parameter};
pub use kind_counts::KindCounts;
pub use known_names::{KnownName, NameKind, letters};
pub use list::{At, Count, MatchSummary, Page, Place, PlaceError};

pub use phase::{LAST_FIVES, Phase, is_scored};
pub use players::{PlayerSummary, Score, Tally};
pub use preparation::{Occasion, OccasionTable, Preparation, QuestionTendencies, Tendency, TendencyMoment};
pub use row::fault_in_list;
pub use row::mode_word;
pub use version::ArchiveVersion;

use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use store::PgPool;
use store::matches::comments::CommentChange;
use uuid::Uuid;

use crate::logs::Logs;
use crate::matches::Matches;
use crate::signing::Signer;
use crate::umpires::Umpires;

#[derive(Debug)]
pub struct Archive {
    serving: PgPool,
    reading: PgPool,
    umpires: Arc<Umpires>,
    /// While the entries are not what was signed, no list says of a match that it verifies.
    signer: Signer,
    versions: version::Versions,
    choices: Mutex<filter_choices::CachedChoices>,
    names: Mutex<known_names::CachedNames>,
    kind_counts: Mutex<kind_counts::CachedKindCounts>,
}

impl Archive {
    pub(crate) fn new(logs: &Logs, umpires: Arc<Umpires>, signer: Signer) -> Self {
        let [serving, reading] = [logs.pool(), logs.reading_pool()].map(PgPool::clone);
        Self {
            serving,
            reading,
            umpires,
            signer,
            versions: version::Versions::default(),
            choices: Mutex::default(),
            names: Mutex::default(),
            kind_counts: Mutex::default(),
        }
    }
}

#[derive(Debug)]
pub struct Index {
    logs: Arc<Logs>,
    matches: Arc<Matches>,
    umpires: Arc<Umpires>,
    seen_withdrawals: Mutex<follow::Seen<Uuid>>,
    seen_comments: Mutex<follow::Seen<CommentChange>>,
    seen_missing: AtomicU64,
}

impl Index {
    pub(crate) fn new(logs: Arc<Logs>, matches: Arc<Matches>, umpires: Arc<Umpires>) -> Self {
        let (seen_withdrawals, seen_comments) = (Mutex::default(), Mutex::default());
        Self { logs, matches, umpires, seen_withdrawals, seen_comments, seen_missing: AtomicU64::new(0) }
    }
}
