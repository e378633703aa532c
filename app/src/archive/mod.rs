//! The archive: rows that are derived from histories, and the lists that are read from them.
//!
//! All of them can be deleted and derived again. A name is stored with its key, by which names are compared.

mod aliases;
mod answers;
mod events;
mod filter_choices;
mod filter_key;
mod follow;
mod games;
mod habits;
mod kind_counts;
mod known_names;
mod known_row;
mod list;
mod name_pages;
mod players;
mod preparation;
mod row;
mod search_words;
mod sitemap;
mod statistics_sums;
mod verdict_filter;
mod version;

pub use aliases::{AliasAct, JoinRefusal, NewAliasAct};
pub use answers::{Answer, write_answer};
pub use events::{EventPage, EventRow, EventRuleset, Standing};
pub use filter_choices::FilterChoices;
pub use filter_key::{Key, VALUE_MAX_CHARS, read_filter, unknown_parameter};
pub use games::DeclaredGame;
pub use habits::{Habit, HabitKind, Habits};
pub use kind_counts::KindCounts;
pub use known_names::{KnownName, NameKind, letters};
pub(crate) use known_row::known_rows;
pub use list::{At, Count, ListedName, MatchSummary, Page, Place, PlaceError, folded};
pub use players::{Opponent, PlayerName, PlayerRow, Score, Tally};
pub use preparation::{Occasion, OccasionTable, Preparation, QuestionTendencies, Tendency, TendencyMoment};
pub use row::fault_in_list;
pub use row::mode_word;
pub use statistics_sums::{EndingCount, FateCount, MoveCount, PairCount, ResultCount, Situation};
pub use store::archive::filter::{DECLARED, Filter, ResultFilter, SeatFilter, Sort, UnknownWord, VerdictFilter};
pub use store::archive::names::KeyRange;
pub use verdict_filter::{report_filter, verdict_filter};
pub use version::ArchiveVersion;

use std::borrow::Cow;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex};

use store::PgPool;
use store::matches::comments::CommentChange;
use uuid::Uuid;

use crate::cache::{Cache, CacheSize};
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
    lists: Arc<Cache<ListPlace>>,
}

/// The place of what was read from the lists: their version, and what it is.
pub type ListPlace = (ArchiveVersion, Cow<'static, str>);

impl Archive {
    pub(crate) fn new(logs: &Logs, umpires: Arc<Umpires>, signer: Signer) -> Self {
        let [serving, reading] = [logs.pool(), logs.reading_pool()].map(PgPool::clone);
        Self {
            serving,
            reading,
            umpires,
            signer,
            versions: version::Versions::default(),
            lists: Arc::new(Cache::new(CacheSize::default().lists())),
        }
    }

    pub(crate) fn set_cache_size(&self, size: CacheSize) {
        self.lists.resize(size.lists());
    }

    /// What was read from the lists, for whoever draws from them.
    #[must_use]
    pub fn cache(&self) -> Arc<Cache<ListPlace>> {
        self.lists.clone()
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
