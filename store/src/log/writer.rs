//! The only task of this node that adds to the log.
//!
//! It takes everything that queued during the last commit, without a timer, plans it in memory and inserts it with one
//! statement at the known end of the log. The primary key on the position makes several nodes safe; everything else
//! only avoids waiting for it. Each step says what a crash there would mean. Two statements hold for all of them:
//! - A crash before the commit loses appends that were not acknowledged. The callers got no answer, and ask again.
//! - A crash after the commit and before the answer leaves entries that were not acknowledged. Asking again with the
//!   same submit id returns their answer; without one, the head has moved, and the caller sees the new entries.

use std::collections::{HashMap, HashSet, VecDeque};
use std::convert::Infallible;
use std::time::Duration;

use ledger::LogId;
use sqlx::PgConnection;
use sqlx::postgres::PgConnectOptions;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

use super::append::{APPEND_MAX_ENTRIES, Append, AppendError, AppendResult, Pending};
use super::attempt::{MutexRow, attempt, rehearse, take_turn};
use super::catch_up::{LogEnd, LookResult};
use super::connection::{self, Patience, is_passing};
use super::insert::Outcome;
use super::plan::{Plan, PlanOutcome, admit};
use super::tips::Tips;
use super::trouble::Trouble;
use super::{Store, StoreError, lookup, standby};

const NAME: &str = "matchbook writer";
/// The most bytes of bodies in one batch, unless a single append has more.
const BATCH_MAX_BYTES: usize = 1 << 20;
const QUEUE: usize = 4096;
const MATCHES_KNOWN: usize = 1 << 14;
const TURNS: u32 = 256;
const RETRY: Duration = Duration::from_secs(1);

/// A handle of the writer. Clones share one task, which ends when the last of them is dropped and all of their requests
/// are done.
#[derive(Debug, Clone)]
pub struct Writer {
    queue: mpsc::Sender<Pending>,
    trouble: watch::Receiver<Option<Trouble>>,
}

impl Writer {
    /// Appends entries to one match, all or none, and returns when they are durable.
    ///
    /// While the database is unreachable this waits; it never answers before the commit. A caller that stops waiting
    /// does not know if the entries were appended, and can ask again with the same submit id.
    pub async fn append(&self, append: Append) -> Result<AppendResult, AppendError> {
        admit(&append)?;
        let (answer, answered) = oneshot::channel();
        self.queue.send(Pending { append, answer }).await.map_err(|_| AppendError::Stopped)?;
        answered.await.map_err(|_| AppendError::Stopped)?
    }

    /// Why the log takes no entries just now, and every change of that. It is tried again by itself.
    #[must_use]
    pub fn trouble(&self) -> watch::Receiver<Option<Trouble>> {
        self.trouble.clone()
    }
}

impl Store {
    /// Starts this node's writer on its own connection. It writes to any log of the database, and reads the end of this
    /// one at once. The handle ends after the last [`Writer`] is dropped. While this log takes no entries, from the start
    /// or later, whoever asks is refused. Another log that accepts none any more is refused alone, for good.
    pub async fn start_writer(&self) -> Result<(Writer, JoinHandle<Result<(), Infallible>>), StoreError> {
        let options = (*self.pool().connect_options()).clone();
        let mut connection = connection::open(&options, NAME).await?;
        let main = self.log().log_id;
        let (ends, trouble) = match LogEnd::read(&mut connection, main, Tips::new(MATCHES_KNOWN)).await {
            Ok(end) => (HashMap::from([(main, end)]), None),
            Err(StoreError::Corrupt { what }) => (HashMap::new(), Some(Trouble::Corrupt(what))),
            Err(error) => return Err(error),
        };
        Ok(start(options, (main, ends), connection, trouble))
    }
}

fn start(
    options: PgConnectOptions,
    (main, ends): (LogId, HashMap<LogId, LogEnd>),
    connection: PgConnection,
    trouble: Option<Trouble>,
) -> (Writer, JoinHandle<Result<(), Infallible>>) {
    let ((queue, receiver), (told, trouble)) = (mpsc::channel(QUEUE), watch::channel(trouble));
    let (stopped, waiting) = (HashSet::new(), VecDeque::new());
    let task = Task {
        options,
        connection: Some(connection),
        main,
        ends,
        stopped,
        turns: 0,
        receiver,
        waiting,
        trouble: told,
        refused: None,
    };
    let run = async move {
        task.run().await;
        Ok(())
    };
    (Writer { queue, trouble }, tokio::spawn(run))
}

struct Task {
    options: PgConnectOptions,
    /// The connection between batches, if it has had no error. A failed one is dropped, which ends its transaction.
    connection: Option<PgConnection>,
    main: LogId,
    ends: HashMap<LogId, LogEnd>,
    stopped: HashSet<LogId>,
    /// The number of further batches for which the mutex row is taken first.
    turns: u32,
    receiver: mpsc::Receiver<Pending>,
    waiting: VecDeque<Pending>,
    trouble: watch::Sender<Option<Trouble>>,
    refused: Option<Plan>,
}

/// The basis of a plan: only this node's memory, or also fresh queries, including submit ids.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlanBasis {
    Memory,
    Database,
}

impl Task {
    async fn run(mut self) {
        let is_troubled = self.trouble.borrow().is_some();
        if is_troubled && !self.recover(self.main).await {
            return;
        }
        while self.gather().await {
            let Some(log_id) = self.waiting.front().map(|pending| pending.append.log_id) else { continue };
            let batch = self.next_batch(log_id);
            if self.stopped.contains(&log_id) {
                continue;
            }
            match self.append(log_id, &batch).await {
                Ok(plan) => self.answer(batch, &plan),
                Err(error @ StoreError::Corrupt { .. }) if log_id != self.main => {
                    tracing::error!(%log_id, %error, "this log takes no more entries");
                    self.stopped.insert(log_id);
                }
                Err(error) => {
                    // Fail closed: whoever waits, and whoever comes, learns that nothing is recorded.
                    self.is_troubled(&error);
                    drop(batch);
                    if !self.recover(log_id).await {
                        return;
                    }
                }
            }
            // Lets callers that were just answered ask for more before the next batch is closed. Without this the first
            // of them would form a batch alone, and every second commit would have one entry.
            tokio::task::yield_now().await;
        }
    }

    fn is_troubled(&self, error: &StoreError) {
        let trouble = Some(Trouble::from(error));
        self.trouble.send_if_modified(|told| std::mem::replace(told, trouble.clone()) != trouble);
    }

    /// Tries again until the log takes entries. Whoever asks meanwhile is refused. False when there are no more callers.
    async fn recover(&mut self, log_id: LogId) -> bool {
        loop {
            self.waiting.clear();
            let again = Instant::now() + RETRY;
            loop {
                tokio::select! {
                    () = sleep_until(again) => break,
                    asked = self.receiver.recv() => if asked.is_none() { return false },
                }
            }
            match self.probe(log_id).await {
                Ok(()) => {
                    self.trouble.send_if_modified(|told| told.take().is_some());
                    return true;
                }
                // A database that is away says nothing new.
                Err(error) if is_passing(&error) && error.denial().is_none() => {}
                Err(error) => self.is_troubled(&error),
            }
        }
    }

    /// Says whether entries can be added. What was refused is never added here: its callers know that it was not.
    async fn probe(&mut self, log_id: LogId) -> Result<(), StoreError> {
        let mut open = connection::open(&self.options, NAME).await?;
        let mut end = match self.ends.remove(&log_id) {
            Some(end) => end,
            None => LogEnd::read(&mut open, log_id, Tips::new(MATCHES_KNOWN)).await?,
        };
        let looked = end.look_on(&mut open, None).await;
        self.ends.insert(log_id, end);
        looked?;
        if let Some(plan) = &self.refused {
            rehearse(&mut open, log_id, plan).await?;
        }
        (self.connection, self.refused) = (Some(open), None);
        Ok(())
    }

    async fn wait_out(&self, error: StoreError, patience: &mut Patience) -> Result<(), StoreError> {
        if !is_passing(&error) {
            return Err(error);
        }
        if error.denial().is_some() {
            self.is_troubled(&error);
        }
        tracing::warn!(%error, "the database did not answer as it should; trying again");
        patience.wait().await;
        Ok(())
    }

    async fn gather(&mut self) -> bool {
        if self.waiting.is_empty() {
            match self.receiver.recv().await {
                Some(pending) => self.waiting.push_back(pending),
                None => return false,
            }
        }
        while self.waiting.len() < APPEND_MAX_ENTRIES
            && let Ok(pending) = self.receiver.try_recv()
        {
            self.waiting.push_back(pending);
        }
        true
    }

    /// Takes appends to one log that fit from the front, at least one. Its number of entries was checked before.
    fn next_batch(&mut self, log_id: LogId) -> Vec<Pending> {
        let (mut entries, mut bytes) = (0, 0);
        let mut batch = Vec::new();
        while let Some(pending) = self.waiting.pop_front() {
            if pending.append.log_id != log_id {
                // Each log has a tree of its own, so a batch has one log.
                self.waiting.push_front(pending);
                break;
            }
            if pending.answer.is_closed() {
                // Its caller has stopped waiting and it was not tried yet, so it never will be.
                continue;
            }
            entries += pending.append.drafts.len();
            bytes += pending.append.drafts.iter().map(|draft| draft.body.len()).sum::<usize>();
            if !batch.is_empty() && (entries > APPEND_MAX_ENTRIES || bytes > BATCH_MAX_BYTES) {
                self.waiting.push_front(pending);
                break;
            }
            batch.push(pending);
        }
        batch
    }

    /// Completes a batch. The returned plan is durable, and not acknowledged yet.
    async fn append(&mut self, log_id: LogId, batch: &[Pending]) -> Result<Plan, StoreError> {
        let mut end = match self.ends.remove(&log_id) {
            Some(end) => end,
            None => self.read_end(log_id).await?,
        };
        let appended = self.append_at(&mut end, batch).await;
        self.ends.insert(log_id, end);
        appended
    }

    async fn read_end(&mut self, log_id: LogId) -> Result<LogEnd, StoreError> {
        let mut patience = Patience::default();
        loop {
            let read = async {
                let mut open = connection::open(&self.options, NAME).await?;
                LogEnd::read(&mut open, log_id, Tips::new(MATCHES_KNOWN)).await
            };
            match read.await {
                Ok(end) => return Ok(end),
                Err(error) => self.wait_out(error, &mut patience).await?,
            }
        }
    }

    async fn append_at(&mut self, end: &mut LogEnd, batch: &[Pending]) -> Result<Plan, StoreError> {
        let mut patience = Patience::default();
        let mut basis = PlanBasis::Memory;
        let mut connection = self.connection.take();
        loop {
            let mut open = match connection.take() {
                Some(open) => open,
                None => self.look(end, None, None).await?.1,
            };
            // Nothing is written yet. After any error here, the transaction, if there is one, ends with the connection.
            let mutex = if self.turns > 0 { MutexRow::Held } else { MutexRow::None };
            let plan = match self.plan(end, &mut open, batch, mutex, basis).await {
                Ok(plan) => plan,
                Err(error) => {
                    drop(open);
                    self.wait_out(error, &mut patience).await?;
                    continue;
                }
            };
            let (outcome, open) = match self.commit(end, open, mutex, &plan).await {
                Ok(committed) => committed,
                Err(error) => {
                    self.refused = Some(plan);
                    return Err(error);
                }
            };
            match outcome {
                PlanOutcome::Committed => {
                    self.connection = Some(open);
                    end.advance(&plan);
                    return Ok(plan);
                }
                PlanOutcome::Overtaken => {}
                PlanOutcome::Repeats => basis = PlanBasis::Database,
            }
            connection = Some(open);
        }
    }

    /// Plans a batch at the end of the log: while another writer is active, the end is read from the database under the
    /// mutex row; otherwise it is the one that this node knows.
    async fn plan(
        &mut self,
        end: &mut LogEnd,
        connection: &mut PgConnection,
        batch: &[Pending],
        mutex: MutexRow,
        basis: PlanBasis,
    ) -> Result<Plan, StoreError> {
        if mutex == MutexRow::Held {
            take_turn(connection, end.log_id).await?;
            // It must be a separate statement after the lock: it sees everything that the previous lock holder has
            // committed.
            self.catch_up(end, connection).await?;
        }
        let appends = || batch.iter().map(|pending| &pending.append);
        let matches = || appends().map(|append| append.match_id);
        if basis == PlanBasis::Memory {
            let tips = end.tips_of(connection, matches()).await?;
            let plan = Plan::make(appends(), tips, &HashMap::new(), &end.frontier);
            if !plan.refuses_stale {
                return Ok(plan);
            }
            // Before a caller learns that the match has moved on: it may have moved on another node, and the caller has
            // seen that; or the caller moved it, and asks a second time.
            self.catch_up(end, connection).await?;
        }
        let tips = end.tips_of(connection, matches()).await?;
        let submits: Vec<_> = appends().filter_map(|append| append.submit).map(|submit| submit.id).collect();
        let earlier = lookup::earlier(connection, end.log_id, &submits).await?;
        Ok(Plan::make(appends(), tips, &earlier, &end.frontier))
    }

    /// Inserts a plan until its outcome is known. It is always the same plan at the same position: however often it is
    /// sent, and even if a server process with a lost connection runs it later, it is committed at most once.
    async fn commit(
        &mut self,
        end: &mut LogEnd,
        mut connection: PgConnection,
        mut mutex: MutexRow,
        plan: &Plan,
    ) -> Result<(PlanOutcome, PgConnection), StoreError> {
        let mut patience = Patience::default();
        loop {
            let outcome = attempt(&mut connection, end.log_id, mutex, plan).await;
            if mutex == MutexRow::Held {
                self.turns = self.turns.saturating_sub(1);
                mutex = MutexRow::None;
            }
            let repeats = matches!(outcome, Outcome::SubmitTaken);
            let kept = match outcome {
                // It is durable, and not acknowledged yet. A crash here is the second case at the top.
                Outcome::Committed => return Ok((PlanOutcome::Committed, connection)),
                Outcome::Impossible(error) => return Err(error.into()),
                Outcome::Taken | Outcome::SubmitTaken => Some(connection),
                Outcome::RolledBack(error) | Outcome::Unknown(error) => {
                    drop(connection);
                    self.wait_out(error.into(), &mut patience).await?;
                    None
                }
            };
            // Whatever the attempt reported, the entries at the position decide. Even "taken" may mean this very plan,
            // from an attempt whose answer was lost. Reading changes nothing, so a crash here leaves everything as it
            // was.
            let taken = kept.is_some();
            let (found, open) = self.look(end, kept, Some(plan)).await?;
            match found {
                LookResult::Ours => return Ok((PlanOutcome::Committed, open)),
                LookResult::Others => {
                    tracing::debug!(position = plan.first.0, "another writer is about; taking turns");
                    self.turns = TURNS;
                    return Ok((PlanOutcome::Overtaken, open));
                }
                LookResult::Nothing if repeats => return Ok((PlanOutcome::Repeats, open)),
                LookResult::Nothing if taken => {
                    let what = format!("position {} is free, but its entries are elsewhere", plan.first);
                    return Err(StoreError::Corrupt { what });
                }
                LookResult::Nothing => connection = open,
            }
        }
    }

    async fn catch_up(&mut self, end: &mut LogEnd, connection: &mut PgConnection) -> Result<(), StoreError> {
        while end.look_on(connection, None).await? == LookResult::Others {
            self.turns = TURNS;
        }
        Ok(())
    }

    /// Reads beyond the known end of the log, on a new connection if necessary, and retries until one opens. No
    /// connection is used before this has compared its log with the end that this node knows.
    async fn look(
        &mut self,
        end: &mut LogEnd,
        mut connection: Option<PgConnection>,
        plan: Option<&Plan>,
    ) -> Result<(LookResult, PgConnection), StoreError> {
        let mut patience = Patience::default();
        loop {
            let looked = async {
                let mut open = match connection.take() {
                    Some(open) => open,
                    None => connection::open(&self.options, NAME).await?,
                };
                let found = end.look_on(&mut open, plan).await?;
                if found == LookResult::Ours {
                    // The attempt that wrote it may have lost its connection while it waited for the standby.
                    standby::confirm(&mut open).await?;
                }
                Ok((found, open))
            };
            match looked.await {
                Ok(looked) => return Ok(looked),
                Err(error) => self.wait_out(error, &mut patience).await?,
            }
        }
    }

    /// Sends the answers. Appends that must wait for the next batch go to its front.
    fn answer(&mut self, batch: Vec<Pending>, plan: &Plan) {
        self.trouble.send_if_modified(|told| told.take().is_some());
        let mut later = VecDeque::new();
        for (pending, answer) in batch.into_iter().zip(plan.answers()) {
            match answer {
                // A caller that stopped waiting gets no answer; the entries are stored nevertheless.
                Some(answer) => drop(pending.answer.send(answer)),
                None => later.push_back(pending),
            }
        }
        later.append(&mut self.waiting);
        self.waiting = later;
    }
}
