//! The book: every match of the log, read and written.
//!
//! Pages and programs ask it for histories and tell it what an umpire does; it decides nothing itself. What an act means is
//! `record`'s to say, and how bytes get in is the ledger's.

mod act;
mod check;
mod clock;
mod closing;
mod door;
mod drawing;
mod evidence;
mod following;
mod importing;
mod index;
mod invite;
mod late;
mod log;
mod notes;
mod objecting;
mod occasion;
mod placed;
mod planned;
mod practice;
mod private;
mod read;
mod ready;
mod receipt_file;
mod receipts;
mod recording;
mod ruling;
mod secrets;
mod sight;
mod slug;
mod submitting;
mod there;
mod umpires;
mod underway;
mod unfit;
mod version;
mod withdrawing;
mod witnesses;

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use engine::Seat;
use ledger::{By, DecisionId, KeyName, LogId, MatchId, Origin, SignerKey};
use lru::LruCache;
use record::History;
use record::write::WriteError;
use sqlx::PgPool;
use store::database::apart;
use store::{AppendError, Identity, Letterbox, Store, StoreError, SubmissionError, Writer};
use thiserror::Error;
use tokio::sync::{Mutex as AsyncMutex, OnceCell};

use crate::account::AccountError;
use crate::cosigning::Cosigning;
use crate::keys::{EscrowError, Keys};
use crate::mint::Mint;
use crate::queue::Queue;
use crate::signing::Signer;
use crate::workers::Workers;

pub use act::{Act, Moves, Recorded, form_of};
pub use clock::{Clock, ClockState, Extensions};
pub use closing::{GRACE, asks};
pub use following::News;
pub use importing::Entered;
pub use index::{
    At, Chair, Count, EndingCount, EventPage, Filter, Habit, Key, ListedEvent, ListedMatch, ListedPlayer, MoveCount,
    NoSuchWord, Offered, Page, PairCount, PairSum, Place, PlaceError, ResultFilter, Score, Situation, Standing, Tally,
    VALUE_MAX_CHARS, VerdictFilter, day, mode_word, played_on, read_filter, unknown_parameter,
};
pub use index::{LAST_FIVES, Phase, SentKinds, half, is_scored, kinds_text};
pub use late::{LateInput, TypedFor, is_late};
pub use log::{EntryProof, ProofError};
pub use notes::Note;
pub use occasion::Occasion;
pub use planned::{Plan, Planned};
pub use receipts::{KeptReceipt, ReceiptFate};
pub use slug::{is_practice, log_of, slug};
pub use submitting::{Answer, Sent, SubmissionRefusal, last_of};
pub use there::{between, said_of};
pub use umpires::UmpireNames;
pub use underway::Underway;
pub use unfit::unfit;
pub use version::ArchiveVersion;
pub use withdrawing::{Withdrawn, Word};

/// Histories that are kept folded. One of 25 rounds takes about 60 kB.
const KEPT_HISTORIES: NonZeroUsize = NonZeroUsize::new(2_000).unwrap();
/// Matches that are folded at the same time for who reads them: while one is asked of the database, another is folded.
const FOLDED_AT_ONCE: usize = 4;
/// Connections of readers: one for each turn to fold a match, which is as many as there are turns to make a list.
const READING_CONNECTIONS: u32 = 4;
/// Verifications that are kept: about 3 kB each.
const KEPT_CHECKS: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();
/// Hashes of last receipts that are kept: about 200 bytes each.
const KEPT_RECEIPTS: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();
/// The log that this program keeps. Practice is in [`PRACTICE`](store::PRACTICE).
pub const LOG: LogId = LogId(1);

/// Every match of the log.
#[derive(Debug)]
pub struct Book {
    store: Store,
    /// The same by few connections, for whoever reads.
    reading_store: Store,
    /// The log whose checkpoints the signer signs: this one, but for practice.
    signed_store: Store,
    /// The book of practice matches, once somebody needs it.
    practice: OnceCell<Arc<Book>>,
    writer: Writer,
    letters: Letterbox,
    signer: Signer,
    mint: Arc<Mint>,
    keys: Arc<Keys>,
    workers: Workers,
    /// The host's key as it signs receipts: under the log's name.
    host: SignerKey,
    door: door::Door,
    /// By the first of the ids that have the short name of the match.
    folded: Mutex<LruCache<MatchId, Arc<History>>>,
    /// Turns to fold a match that somebody wants to read.
    readers: Queue,
    checked: Mutex<LruCache<MatchId, check::Checked>>,
    last_receipts: Mutex<LruCache<(MatchId, DecisionId, Seat), receipts::Last>>,
    /// The withdrawals of other nodes, and of this one, that were heeded.
    heeded: Mutex<index::Heeded>,
    /// How often a match was forgotten. What was read before the last time is as old as that.
    forgotten: AtomicU64,
    /// One act at a time for each match, on this node. Between nodes the expected head decides.
    turns: Mutex<HashMap<MatchId, Arc<AsyncMutex<()>>>>,
    /// The decisions of live matches that close by themselves.
    due: closing::Due,
    /// What is new, for whoever listens.
    following: following::Following,
    /// What this node works on and has not stored yet.
    arrivals: Arc<underway::Arrivals>,
    /// Where the lists stand.
    versions: version::Versions,
    /// What the form of a filter offers.
    offered: Mutex<index::LastOffered>,
    /// The public names of umpires.
    umpire_names: Arc<Mutex<Arc<UmpireNames>>>,
    /// Who is asked to cosign, where a policy says so.
    cosigning: OnceLock<Cosigning>,
}

/// Why the book could not do what it was asked.
#[derive(Debug, Error)]
pub enum BookError {
    /// There is no such match.
    #[error("there is no such match")]
    NoMatch,
    /// A rule, or the state of the match, is against it; nothing was changed.
    #[error(transparent)]
    Refused(#[from] WriteError),
    /// Somebody else was there first; nothing of this was recorded.
    #[error("somebody else changed the match since this page was opened; nothing of yours was recorded")]
    Overtaken,
    /// The submit id was used before, for something else.
    #[error("this form was sent before with other contents; nothing was changed")]
    SubmitReused,
    /// The match is stored, and this program cannot read it.
    #[error("the record of this match cannot be read: {0}")]
    Unreadable(String),
    /// The key file is not the one that this log's checkpoints are signed with.
    #[error(
        "keys/log.key is not the key of this log: checkpoints under another key would be another log to everybody who \
         follows it. Put the file back that belongs to this database"
    )]
    LogKey,
    /// An opening that the server keeps cannot be opened.
    #[error(transparent)]
    Escrow(#[from] EscrowError),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The writer of the log has stopped.
    #[error("the log did not answer in time; send it again in a moment: sent twice, it counts once")]
    Stopped,
}

impl From<sqlx::Error> for BookError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(StoreError::Database(error))
    }
}

impl BookError {
    /// What went wrong with links and sessions is the database's fault: nothing else can, where no link is followed.
    pub fn from_account(error: AccountError) -> Self {
        match error {
            AccountError::Database(error) => error.into(),
            error => Self::Unreadable(error.to_string()),
        }
    }
}

impl From<AppendError> for BookError {
    fn from(error: AppendError) -> Self {
        use store::Refusal;
        match error {
            AppendError::Stopped => Self::Stopped,
            AppendError::Refused(Refusal::Stale { .. }) => Self::Overtaken,
            AppendError::Refused(Refusal::SubmitReused) => Self::SubmitReused,
            AppendError::Refused(_) => {
                Self::Refused(WriteError::NotNow("this is too much for one entry of the record"))
            }
        }
    }
}

impl From<SubmissionError> for BookError {
    fn from(error: SubmissionError) -> Self {
        match error {
            SubmissionError::Late | SubmissionError::Answered => Self::Overtaken,
            SubmissionError::SubmitReused => Self::SubmitReused,
            SubmissionError::SealReused => Self::Refused(WriteError::NotNow("a seal of this was sent before")),
            SubmissionError::TooMany => {
                Self::Refused(WriteError::NotNow("a submission can be replaced 32 times, and has been"))
            }
            SubmissionError::Stopped | SubmissionError::Unknown => Self::Stopped,
            SubmissionError::Store(error) => Self::Store(error),
        }
    }
}

impl Book {
    /// Opens the book on a migrated database, and starts the log at the very first time. `origin` names a new log; an
    /// existing one keeps its name. `checkpoint_file` is where the last signed checkpoint is remembered outside the database.
    ///
    /// # Errors
    /// The database cannot be used, or would forget what it acknowledges; or the log's key is another one.
    pub async fn open(
        pool: PgPool,
        mint: Arc<Mint>,
        keys: Keys,
        origin: Option<Origin>,
        checkpoint_file: PathBuf,
    ) -> Result<Self, BookError> {
        let origin = match origin {
            Some(origin) => origin,
            None => new_origin(&mint).ok_or(WriteError::NotNow("a log needs a name"))?,
        };
        if origin.is_practice() {
            return Err(WriteError::NotNow("a log that ends in /practice would be taken for practice matches").into());
        }
        let identity = Identity { origin, host_key: keys.host_public(), created_at: mint.now() };
        let store = Store::open(pool, LOG, &identity).await?;
        let log_key = *keys.log().public().bytes();
        if store.log_key(log_key, mint.now()).await? != log_key {
            return Err(BookError::LogKey);
        }
        let workers = Workers::default();
        let signer = Signer::start(&store, keys.log().clone(), checkpoint_file, mint.clone(), &workers);
        let book = Self::over(store.clone(), store, signer, mint, Arc::new(keys), workers).await?;
        book.learn_umpire_names().await?;
        Ok(book)
    }

    /// The book of the matches in one log, beside the log that is signed.
    async fn over(
        store: Store,
        signed_store: Store,
        signer: Signer,
        mint: Arc<Mint>,
        keys: Arc<Keys>,
        workers: Workers,
    ) -> Result<Self, BookError> {
        let reading_store = store.apart(apart(store.pool(), READING_CONNECTIONS));
        let (writer, writing) = store.start_writer().await?;
        workers.watch("writer of the log", writing);
        let (letters, receiving) = store.start_letterbox().await?;
        workers.watch("queue of submissions", receiving);
        let (folded, turns) = (Mutex::new(LruCache::new(KEPT_HISTORIES)), Mutex::default());
        let (checked, last_receipts) =
            (Mutex::new(LruCache::new(KEPT_CHECKS)), Mutex::new(LruCache::new(KEPT_RECEIPTS)));
        let host = keys.host_signer(KeyName::from(&store.log().origin));
        let door = door::Door::open(store.clone(), mint.clone());
        let following = following::Following::start(store.clone(), &workers);
        let (due, arrivals, cosigning) = (closing::Due::default(), Arc::default(), OnceLock::new());
        let (versions, umpire_names) = (version::Versions::default(), Arc::default());
        Ok(Self {
            store,
            reading_store,
            signed_store,
            practice: OnceCell::new(),
            writer,
            letters,
            signer,
            mint,
            keys,
            workers,
            host,
            door,
            folded,
            readers: Queue::of(FOLDED_AT_ONCE),
            checked,
            last_receipts,
            heeded: Mutex::default(),
            forgotten: AtomicU64::new(0),
            turns,
            due,
            following,
            arrivals,
            versions,
            offered: Mutex::default(),
            umpire_names,
            cosigning,
        })
    }

    /// The log's name.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.store.log().origin
    }

    /// What signs the log.
    #[must_use]
    pub const fn signer(&self) -> &Signer {
        &self.signer
    }

    /// The log that it keeps.
    fn log(&self) -> LogId {
        self.store.log().log_id
    }

    /// The log as it is stored.
    #[must_use]
    pub const fn store(&self) -> &Store {
        &self.store
    }

    /// The connections that serve.
    #[must_use]
    pub const fn pool(&self) -> &PgPool {
        self.store.pool()
    }

    /// The connections of readers.
    pub const fn reading_pool(&self) -> &PgPool {
        self.reading_store.pool()
    }

    /// The background workers of this process.
    #[must_use]
    pub const fn workers(&self) -> &Workers {
        &self.workers
    }

    /// Where time, entropy and ids come from.
    #[must_use]
    pub fn mint(&self) -> &Mint {
        &self.mint
    }

    /// The turn to act on a match.
    fn turn(&self, match_id: MatchId) -> Arc<AsyncMutex<()>> {
        let mut turns = self.turns.lock().unwrap_or_else(PoisonError::into_inner);
        // Turns that nobody waits for are forgotten when there are many.
        if turns.len() > 10_000 {
            turns.retain(|_, turn| Arc::strong_count(turn) > 1);
        }
        turns.entry(match_id).or_default().clone()
    }
}

/// `localhost/matchbook-` and eight hex digits.
fn new_origin(mint: &Mint) -> Option<Origin> {
    let random = mint.bytes32();
    let digits: String = random.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("localhost/matchbook-{digits}").parse().ok()
}

/// The umpire as entries name them.
#[must_use]
pub fn by_umpire(id: &str) -> By {
    id.parse().map_or(By::Server, By::Umpire)
}
