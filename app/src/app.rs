//! The whole program behind the edges: opened once, and shared by pages, API, Discord and the command line.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use ledger::{MatchId, Moment, Origin, OriginLine};
use record::write::WriteError;
use store::{Identity, NotedList, PgPool, Store, SubmissionQueue, Writer};

use crate::archive::{Archive, Index};
use crate::arrivals::Arrivals;
use crate::beacon_rounds::Rounds;
use crate::cache::CacheSize;
use crate::caches::Caches;
use crate::checks::Checks;
use crate::commands::Commands;
use crate::comments::Comments;
use crate::deadlines::Deadlines;
use crate::error::AppError;
use crate::event_sheets::EventSheets;
use crate::heartbeat::Heartbeat;
use crate::imports::Imports;
use crate::keys::Keys;
use crate::known_results::KnownResults;
use crate::live_feed::MatchFeed;
use crate::logs::Logs;
use crate::matches::Matches;
use crate::metrics::Metrics;
use crate::public_log::PublicLog;
use crate::queue::Queue;
use crate::reader_threads::Readers;
use crate::receipts::Receipts;
use crate::recorder::{LISTED_AT_ONCE, MatchLocks, Recorder, WaitList};
use crate::registered_players::Players;
use crate::scope::LOG;
use crate::seats::Seats;
use crate::signing::{Signer, Terms};
use crate::submission_journal::Journal;
use crate::submissions::Submissions;
use crate::system::System;
use crate::umpires::{Permissions, Umpires};
use crate::vault::Vault;
use crate::workers::Workers;

#[derive(Debug)]
pub struct App {
    pub matches: Arc<Matches>,
    pub commands: Commands,
    pub submissions: Submissions,
    pub receipts: Arc<Receipts>,
    pub arrivals: Arc<Arrivals>,
    pub seats: Seats,
    pub players: Players,
    archive: Arc<Archive>,
    pub index: Arc<Index>,
    pub imports: Imports,
    pub checks: Arc<Checks>,
    pub public_log: Arc<PublicLog>,
    pub feed: Arc<MatchFeed>,
    pub heartbeat: Arc<Heartbeat>,
    pub recorder: Arc<Recorder>,
    pub deadlines: Deadlines,
    pub rounds: Rounds,
    pub umpires: Arc<Umpires>,
    pub comments: Comments,
    pub known_results: KnownResults,
    pub event_sheets: EventSheets,
    pub vault: Vault,
    pub logs: Arc<Logs>,
    system: Arc<System>,
    workers: Workers,
    readers: Readers,
    metrics: Metrics,
    pub(crate) draining: AtomicBool,
}

#[derive(Clone, Copy, Debug)]
enum Signing {
    Held,
    Idle,
}

impl App {
    /// Opens a migrated database, and starts the log at the very first time. `origin` names a new log; an existing one
    /// keeps its name. `checkpoint_file` remembers the last signed checkpoint outside the database.
    pub async fn open(
        pool: PgPool,
        system: Arc<System>,
        keys: Keys,
        origin: Option<Origin>,
        checkpoint_file: PathBuf,
    ) -> Result<Self, AppError> {
        let app = Self::open_held(pool, system, keys, origin, checkpoint_file).await?;
        app.signer().release();
        Ok(app)
    }

    /// As [`open`](Self::open), but nothing new is signed until the witnesses were [asked](PublicLog::first_answers)
    /// about the last stored checkpoint.
    pub async fn open_held(
        pool: PgPool,
        system: Arc<System>,
        keys: Keys,
        origin: Option<Origin>,
        checkpoint_file: PathBuf,
    ) -> Result<Self, AppError> {
        Self::open_with(pool, system, keys, origin, checkpoint_file, Signing::Held).await
    }

    /// As [`open`](Self::open), for what adds nothing to the log, such as a command about accounts: nothing is signed,
    /// and nobody compares the log with what was signed.
    pub async fn open_idle(
        pool: PgPool,
        system: Arc<System>,
        keys: Keys,
        checkpoint_file: PathBuf,
    ) -> Result<Self, AppError> {
        Self::open_with(pool, system, keys, None, checkpoint_file, Signing::Idle).await
    }

    async fn open_with(
        pool: PgPool,
        system: Arc<System>,
        mut keys: Keys,
        origin: Option<Origin>,
        checkpoint_file: PathBuf,
        signing: Signing,
    ) -> Result<Self, AppError> {
        let origin = match origin {
            Some(origin) => origin,
            None => new_origin(&system).ok_or(WriteError::NotNow("a log needs a name"))?,
        };
        if origin.is_practice() {
            return Err(WriteError::NotNow("a log that ends in /practice would be taken for practice matches").into());
        }
        if OriginLine::from(&origin).before().is_some() && Store::existing(pool.clone(), LOG).await?.is_none() {
            return Err(
                WriteError::NotNow("a log that ends in a number would be taken for a later term of another").into()
            );
        }
        let identity = Identity { origin, host_key: keys.host_public(), created_at: system.now() };
        let logs = Arc::new(Logs::open(pool, identity).await?);
        check_keys(logs.record(), &mut keys, system.now()).await?;
        let terms = Terms::read(logs.record(), keys.log().public()).await?;
        let (workers, metrics) = (Workers::default(), Metrics::default());
        let signer = match signing {
            Signing::Held => {
                let (key, failures) = (keys.log().clone(), metrics.signing_failures.clone());
                Signer::start(logs.record(), key, terms, checkpoint_file, system.clone(), &workers, failures)
            }
            Signing::Idle => Signer::idle(terms, checkpoint_file),
        };
        let app = Self::start(logs, system, Arc::new(keys), signer, workers, metrics).await?;
        app.umpires.learn_names().await?;
        Ok(app)
    }

    #[expect(
        clippy::too_many_lines,
        reason = "each part of the program is made once, in the order in which they need each other"
    )]
    async fn start(
        logs: Arc<Logs>,
        system: Arc<System>,
        keys: Arc<Keys>,
        signer: Signer,
        workers: Workers,
        metrics: Metrics,
    ) -> Result<Self, AppError> {
        let (writer, submissions) = start_writing(logs.record(), &signer, &workers).await?;
        let vault = Vault::new(keys, system.clone(), logs.record().escrow_key_since().await?);
        let feed = Arc::new(MatchFeed::start(logs.clone(), &workers));
        let (due, arrivals, caches) = (Arc::default(), Arc::new(Arrivals::default()), Arc::new(Caches::default()));
        let matches = Arc::new(Matches::new(logs.clone(), vault.clone(), caches, feed.clone(), Arc::clone(&due)));
        let public_log = Arc::new(PublicLog::new(logs.clone(), system.clone(), signer.clone()));
        let heartbeat = Arc::new(Heartbeat::new(logs.pool(), public_log.clone(), system.clone(), &metrics));
        let umpires = Arc::new(Umpires::new(logs.clone(), system.clone(), vault.clone()));
        let archive = Arc::new(Archive::new(&logs, umpires.clone(), signer.clone()));
        let index = Arc::new(Index::new(logs.clone(), matches.clone(), umpires.clone()));
        let recorder = Arc::new(Recorder {
            logs: logs.clone(),
            matches: matches.clone(),
            public_log: public_log.clone(),
            index: index.clone(),
            vault: vault.clone(),
            system: system.clone(),
            arrivals: arrivals.clone(),
            due,
            feed: feed.clone(),
            heartbeat: heartbeat.clone(),
            metrics: metrics.clone(),
            journal: Arc::new(Journal::new(vault.clone(), signer.file().to_owned())),
            writer,
            submissions,
            permissions: Permissions::new(logs.clone()),
            locks: MatchLocks::default(),
            waits: WaitList::default(),
            list_turns: Queue::of(LISTED_AT_ONCE),
        });
        let receipts = Arc::new(Receipts::new(&recorder));
        Ok(Self {
            commands: Commands::new(recorder.clone(), receipts.clone()),
            submissions: Submissions::new(recorder.clone(), receipts.clone()),
            seats: Seats::start(recorder.clone(), &workers),
            players: Players::new(recorder.clone()),
            imports: Imports::new(recorder.clone(), archive.clone()),
            checks: Arc::new(Checks::new(logs.clone(), matches.clone(), public_log.clone(), index.clone())),
            deadlines: Deadlines::new(recorder.clone()),
            rounds: Rounds::new(recorder.clone()),
            comments: Comments::new(logs.clone(), matches.clone(), system.clone()),
            known_results: KnownResults::new(recorder.clone(), archive.clone()),
            event_sheets: EventSheets::new(logs.clone(), system.clone()),
            matches,
            receipts,
            arrivals,
            archive,
            index,
            public_log,
            feed,
            heartbeat,
            recorder,
            umpires,
            vault,
            logs,
            system,
            workers,
            readers: Readers::start(),
            metrics,
            draining: AtomicBool::new(false),
        })
    }

    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.logs.record().log().origin
    }

    #[must_use]
    pub fn pool(&self) -> &PgPool {
        self.logs.pool()
    }

    /// Does what may not be acknowledged before the synchronous standbys have it. Entries and submissions wait by
    /// themselves; accounts, links and stored answers wait here. After an error the work is done, and nobody knows
    /// whether a failover would lose it.
    pub async fn kept<T>(
        &self,
        work: impl Future<Output = T>,
        acknowledges: impl FnOnce(&T) -> bool,
    ) -> Result<T, AppError> {
        Ok(store::kept(self.pool(), work, acknowledges).await?)
    }

    #[must_use]
    pub fn reading_pool(&self) -> &PgPool {
        self.logs.reading_pool()
    }

    #[must_use]
    pub fn archive(&self) -> &Archive {
        &self.archive
    }

    /// Sets the memory of all caches, those of pages included, before these are made.
    pub fn set_cache_size(&self, size: CacheSize) {
        self.matches.set_cache_size(size);
        self.archive.set_cache_size(size);
        self.logs.record().resize_tile_cache(size.tiles());
    }

    #[must_use]
    pub fn cache_size(&self) -> CacheSize {
        self.matches.cache_size()
    }

    #[must_use]
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The acknowledged submissions of a match that the database had lost and that came back from a journal, of decisions
    /// that are closed.
    pub async fn restored(&self, match_id: MatchId) -> Result<NotedList, AppError> {
        Ok(self.logs.store(match_id).restored(Some(match_id)).await?)
    }

    pub async fn missing(&self, match_id: MatchId) -> Result<NotedList, AppError> {
        Ok(self.logs.store(match_id).missing_submissions(Some(match_id)).await?)
    }

    #[must_use]
    pub fn signer(&self) -> &Signer {
        self.public_log.signer()
    }

    #[must_use]
    pub const fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    #[must_use]
    pub const fn readers(&self) -> &Readers {
        &self.readers
    }

    #[must_use]
    pub const fn workers(&self) -> &Workers {
        &self.workers
    }
}

/// The task that writes the record, and those that store submissions. A log that lost acknowledged entries is served
/// nevertheless: the signer says what is wrong, and nothing is accepted until it is right again.
async fn start_writing(
    record: &Store,
    signer: &Signer,
    workers: &Workers,
) -> Result<(Writer, SubmissionQueue), AppError> {
    let (writer, writing) = record.start_writer().await?;
    signer.follow_writer(writer.trouble()).await;
    workers.watch("writer of the log", writing);
    let (submissions, lanes) = record.start_submission_queue().await?;
    for lane in lanes {
        workers.watch("queue of submissions", lane);
    }
    Ok((writer, submissions))
}

/// Chooses the keys of the log's present term, which the database knows. A new log begins with these.
pub async fn check_keys(record: &Store, keys: &mut Keys, now: Moment) -> Result<(), AppError> {
    match record.successions().await?.last() {
        Some(last) => keys.choose(u32::from(last.term.0) + 1, &last.log_key, &last.host_key)?,
        None => {
            let log_key = record.log_key(*keys.log().public().bytes(), now).await?;
            keys.choose(1, &log_key, &record.log().host_key)?;
        }
    }
    if record.escrow_check(keys.escrow_check(), now).await? != keys.escrow_check() {
        return Err(AppError::EscrowKey);
    }
    Ok(())
}

/// `localhost/matchbook-` and eight hex digits.
fn new_origin(system: &System) -> Option<Origin> {
    let random = system.bytes32();
    let digits: String = random.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
    format!("localhost/matchbook-{digits}").parse().ok()
}
