//! The tasks of this node that store the submissions of seats, in lanes side by side: while one waits for its commit, the
//! other gathers and is answered. All submissions of a match go through one lane, in their order.
//!
//! Like the [writer](super::Writer) a lane takes everything that queued during the last commit, without a timer, and stores
//! it with one statement. The primary key numbers a seat's submissions, so any number of nodes can do this at once. The
//! close of a decision asks for the same number, and wins or loses against each of them.
//!
//! A crash before the commit loses submissions that were not acknowledged. A crash after it leaves some that count and
//! were not acknowledged: sent again with the same submit id, each gets the first answer.

use std::collections::{HashMap, HashSet, VecDeque};

use chrono::{DateTime, Utc};
use ledger::{DecisionId, LogId, MatchId, Moment, Sealer, SubmitId};
use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{PgConnection, Row};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use super::connection::{self, Patience, is_passing};
use super::read::{narrow, to_bigint};
use super::submissions::{Counts, Ordinal, RECEIVED, StoredSubmission, Submission, SubmissionError, received};
use super::{Store, StoreError, standby};

const NAME: &str = "matchbook submissions";
const BATCH_MAX: usize = 512;
const QUEUE: usize = 4096;
/// More of them would only make the batches smaller.
const LANES: usize = 2;

/// Numbers, rows and escrow of a batch, all or nothing. A batch contains at most one submission of a seat for a
/// decision. A row whose number or submit id is taken is left out, and is tried again. Nobody can send a seal twice, at
/// the same time or later: both submissions ask for a number, and the second one is checked when the first one is
/// stored.
///
/// A clock that was set back between two submissions of a seat takes the later one not before the earlier one. The time that
/// an umpire types for a seat is the one that the umpire says.
const INSERT: &str = "\
    with wanted as (\
        select * from unnest($2::uuid[], $3::text[], $4::text[], $5::timestamptz[], $6::bytea[], $7::bytea[], $8::bytea[], \
            $9::text[], $10::bytea[], $11::bigint[], $12::bytea[], $13::bytea[], $14::integer[], $15::boolean[]) with ordinality \
        as row (match_id, decision, seat, at, commitments, submit_id, submit_digest, sent_by, signature, seen_size, \
            seen_root, ciphertext, most, is_final, number)\
    ), last as (\
        select wanted.number, coalesce(made.ordinal, -1) as ordinal, coalesce(made.closes, false) as closed, \
            case when wanted.sent_by = wanted.seat then greatest(wanted.at, made.at) else wanted.at end as at, \
            made.ordinal is not null and exists (\
                select from submissions as earlier, generate_series(1, length(wanted.commitments), 32) as place \
                where log_id = $1 and earlier.match_id = wanted.match_id and earlier.decision = wanted.decision \
                    and earlier.seat = wanted.seat \
                    and position(substring(wanted.commitments from place for 32) in earlier.commitments) > 0\
            ) as again \
        from wanted left join lateral (\
            select ordinal, at, commitments is null as closes from submissions \
            where log_id = $1 and match_id = wanted.match_id and decision = wanted.decision and seat = wanted.seat \
            order by ordinal desc limit 1\
        ) as made on true\
    ), added as (\
        insert into submissions (log_id, match_id, decision, seat, ordinal, at, commitments, submit_id, submit_digest, \
            sent_by, signature, seen_size, seen_root, is_final) \
        select $1, match_id, decision, seat, last.ordinal + 1, last.at, commitments, submit_id, submit_digest, sent_by, \
            signature, seen_size, seen_root, is_final \
        from wanted join last using (number) where not closed and not again and last.ordinal + 1 < most \
        on conflict do nothing returning match_id, decision, seat, ordinal, at\
    ), kept as (\
        insert into escrow (log_id, match_id, decision, seat, ordinal, ciphertext) \
        select $1, match_id, decision, seat, added.ordinal, ciphertext \
        from added join wanted using (match_id, decision, seat) where ciphertext is not null\
    ) \
    select wanted.number, last.closed, last.again, last.ordinal + 1 >= most as full, added.ordinal, added.at \
    from wanted join last using (number) left join added using (match_id, decision, seat)";

/// A handle for storing submissions. Clones share the lanes, which end when the last of them is dropped and all of their
/// submissions are stored.
#[derive(Debug, Clone)]
pub struct SubmissionQueue {
    lanes: [mpsc::Sender<Pending>; LANES],
}

#[derive(Debug)]
struct Pending {
    submission: Submission,
    answer: oneshot::Sender<Result<StoredSubmission, SubmissionError>>,
}

impl SubmissionQueue {
    /// Stores a submission and returns its row when it is durable. A repetition, recognized by its submit id, returns
    /// the first one's row, even after the close.
    ///
    /// With a submit id this waits while the database is unreachable, and never answers before the commit. A caller
    /// that stops waiting, or gets [`SubmissionError::Store`], does not know if it was stored, and can send it again.
    pub async fn submit(&self, submission: Submission) -> Result<StoredSubmission, SubmissionError> {
        let (answer, answered) = oneshot::channel();
        let pending = Pending { submission, answer };
        self.lane(pending.submission.match_id).send(pending).await.map_err(|_| SubmissionError::Stopped)?;
        answered.await.map_err(|_| SubmissionError::Stopped)?
    }

    /// The lane of a match. The last bits of an id are random.
    const fn lane(&self, match_id: MatchId) -> &mpsc::Sender<Pending> {
        let [even, odd] = &self.lanes;
        if match_id.0.as_u128().is_multiple_of(2) { even } else { odd }
    }
}

impl Store {
    /// Starts this node's lanes, each on its own connection, for any log of the database. The handles end after the last
    /// [`SubmissionQueue`] is dropped.
    pub async fn start_submission_queue(
        &self,
    ) -> Result<(SubmissionQueue, [JoinHandle<Result<(), StoreError>>; LANES]), StoreError> {
        let options = (*self.pool().connect_options()).clone();
        let (even, even_task) = Task::on(&options).await?;
        let (odd, odd_task) = Task::on(&options).await?;
        Ok((SubmissionQueue { lanes: [even, odd] }, [tokio::spawn(even_task.run()), tokio::spawn(odd_task.run())]))
    }
}

struct Task {
    options: PgConnectOptions,
    connection: Option<PgConnection>,
    receiver: mpsc::Receiver<Pending>,
    waiting: VecDeque<Pending>,
}

enum InsertOutcome {
    Added(Ordinal, Moment),
    Closed,
    Full,
    Again,
    /// Its number or its submit id was taken meanwhile.
    Taken,
}

impl Task {
    async fn on(options: &PgConnectOptions) -> Result<(mpsc::Sender<Pending>, Self), StoreError> {
        let connection = Some(connection::open(options, NAME).await?);
        let (lane, receiver) = mpsc::channel(QUEUE);
        Ok((lane, Self { options: options.clone(), connection, receiver, waiting: VecDeque::new() }))
    }

    async fn run(mut self) -> Result<(), StoreError> {
        let mut patience = Patience::default();
        while self.gather().await {
            let batch = self.next_batch();
            match self.store(&batch).await {
                Ok(answers) => {
                    patience = Patience::default();
                    self.answer(batch, answers);
                }
                Err(error) => {
                    self.connection = None;
                    if is_passing(&error) {
                        tracing::warn!(%error, "submissions wait: the database did not answer as it should");
                        self.keep(batch);
                        patience.wait().await;
                    } else {
                        tracing::error!(%error, "submissions cannot be stored");
                        refuse(batch, &error);
                    }
                }
            }
            // Lets callers that were just answered add more before the next batch is closed.
            tokio::task::yield_now().await;
        }
        Ok(())
    }

    async fn gather(&mut self) -> bool {
        if self.waiting.is_empty() {
            match self.receiver.recv().await {
                Some(pending) => self.waiting.push_back(pending),
                None => return false,
            }
        }
        while self.waiting.len() < QUEUE
            && let Ok(pending) = self.receiver.try_recv()
        {
            self.waiting.push_back(pending);
        }
        true
    }

    /// Takes submissions to one log that fit from the front: only the first for each seat and decision.
    fn next_batch(&mut self) -> Vec<Pending> {
        let Some(one_log) = self.waiting.front().map(|pending| pending.submission.log_id) else { return Vec::new() };
        let mut seats: HashSet<(MatchId, DecisionId, Sealer)> = HashSet::new();
        let (mut batch, mut later) = (Vec::new(), VecDeque::new());
        for pending in self.waiting.drain(..) {
            let Submission { log_id, match_id, ref decision, seat, .. } = pending.submission;
            if batch.len() < BATCH_MAX && log_id == one_log && seats.insert((match_id, decision.clone(), seat)) {
                batch.push(pending);
            } else {
                later.push_back(pending);
            }
        }
        self.waiting = later;
        batch
    }

    /// Stores a batch. A submission with the answer none must be tried again.
    async fn store(
        &mut self,
        batch: &[Pending],
    ) -> Result<Vec<Option<Result<StoredSubmission, SubmissionError>>>, StoreError> {
        let mut connection = match self.connection.take() {
            Some(open) => open,
            None => connection::open(&self.options, NAME).await?,
        };
        let Some(log_id) = batch.first().map(|pending| pending.submission.log_id) else { return Ok(Vec::new()) };
        let submissions: Vec<&Submission> = batch.iter().map(|pending| &pending.submission).collect();
        let (outcomes, warned) = standby::warned(insert(&mut connection, log_id, &submissions)).await;
        let outcomes = outcomes?;
        let mut answers: Vec<Option<Result<StoredSubmission, SubmissionError>>> = Vec::with_capacity(batch.len());
        let refused =
            submissions.iter().zip(&outcomes).filter(|(_, outcome)| !matches!(outcome, InsertOutcome::Added(..)));
        let ids: Vec<SubmitId> = refused.filter_map(|(one, _)| one.submit).map(|submit| submit.id).collect();
        let earlier = if ids.is_empty() { HashMap::new() } else { earlier(&mut connection, log_id, &ids).await? };
        // An earlier row may be of an attempt that lost its connection while it waited for the standby.
        if warned || !earlier.is_empty() {
            standby::confirm(&mut connection).await?;
        }
        for (submission, outcome) in submissions.into_iter().zip(outcomes) {
            let before = submission.submit.and_then(|submit| earlier.get(&submit.id));
            answers.push(match (outcome, before) {
                (InsertOutcome::Added(ordinal, at), _) => Some(Ok(submission.received(ordinal, at))),
                (_, Some(row)) => Some(row.answers(submission)),
                (InsertOutcome::Closed, None) => Some(Err(SubmissionError::Late)),
                (InsertOutcome::Full, None) => Some(Err(match submission.counts {
                    Counts::First => SubmissionError::Answered,
                    Counts::Last => SubmissionError::TooMany,
                })),
                (InsertOutcome::Again, None) => Some(Err(SubmissionError::SealReused)),
                (InsertOutcome::Taken, None) => None,
            });
        }
        self.connection = Some(connection);
        Ok(answers)
    }

    /// Sends the answers. Submissions that must be tried again go to the front.
    fn answer(&mut self, batch: Vec<Pending>, answers: Vec<Option<Result<StoredSubmission, SubmissionError>>>) {
        for (pending, answer) in batch.into_iter().zip(answers).rev() {
            match answer {
                // A caller that stopped waiting gets no answer; the row is stored nevertheless.
                Some(answer) => drop(pending.answer.send(answer)),
                None => self.waiting.push_front(pending),
            }
        }
    }

    /// Keeps submissions with an unknown result for another attempt, if a submit id makes that safe.
    fn keep(&mut self, batch: Vec<Pending>) {
        for pending in batch.into_iter().rev() {
            if pending.answer.is_closed() {
                continue;
            }
            match pending.submission.submit {
                Some(_) => self.waiting.push_front(pending),
                None => drop(pending.answer.send(Err(SubmissionError::Unknown))),
            }
        }
    }
}

fn refuse(batch: Vec<Pending>, error: &StoreError) {
    for pending in batch {
        let what = || StoreError::Corrupt { what: error.to_string() };
        let error = error.denial().map_or_else(what, StoreError::Denied);
        drop(pending.answer.send(Err(SubmissionError::Store(error))));
    }
}

/// Runs the statement, and classifies its results. It must be `fetch_all`, which reads to the end of the transaction.
async fn insert(
    connection: &mut PgConnection,
    log_id: LogId,
    submissions: &[&Submission],
) -> Result<Vec<InsertOutcome>, StoreError> {
    let submits = || submissions.iter().map(|one| one.submit.as_ref());
    let signed = || submissions.iter().map(|one| one.signed.as_ref());
    let seals = |one: &&Submission| one.commitments.iter().flat_map(|seal| *seal.bytes()).collect::<Vec<u8>>();
    let rows = sqlx::query(INSERT)
        .bind(log_id.0)
        .bind(submissions.iter().map(|one| one.match_id.0).collect::<Vec<_>>())
        .bind(submissions.iter().map(|one| one.decision.as_str()).collect::<Vec<_>>())
        .bind(submissions.iter().map(|one| one.seat.to_string()).collect::<Vec<_>>())
        .bind(submissions.iter().map(|one| one.at.to_utc()).collect::<Vec<_>>())
        .bind(submissions.iter().map(seals).collect::<Vec<_>>())
        .bind(submits().map(|submit| submit.map(|submit| submit.id.0.as_slice())).collect::<Vec<_>>())
        .bind(submits().map(|submit| submit.map(|submit| submit.digest.bytes().as_slice())).collect::<Vec<_>>())
        .bind(submissions.iter().map(|one| one.sent_by.to_string()).collect::<Vec<_>>())
        .bind(signed().map(|signed| signed.map(|signed| signed.signature.bytes().as_slice())).collect::<Vec<_>>())
        .bind(signed().map(|signed| signed.map(|signed| to_bigint(signed.seen.0.0))).collect::<Vec<_>>())
        .bind(signed().map(|signed| signed.map(|signed| signed.seen.1.bytes().as_slice())).collect::<Vec<_>>())
        .bind(submissions.iter().map(|one| one.escrow.as_deref()).collect::<Vec<_>>())
        .bind(submissions.iter().map(|one| i32::from(one.counts.most())).collect::<Vec<_>>())
        .bind(submissions.iter().map(|one| one.is_final.then_some(true)).collect::<Vec<_>>())
        .fetch_all(connection)
        .await?;
    let mut outcomes: Vec<InsertOutcome> = submissions.iter().map(|_| InsertOutcome::Taken).collect();
    for row in &rows {
        let number: usize = narrow(row.try_get::<i64, _>("number")?, "number")?;
        let ordinal: Option<i16> = row.try_get("ordinal")?;
        let outcome = match ordinal {
            Some(ordinal) => {
                let at = narrow(row.try_get::<DateTime<Utc>, _>("at")?, "at")?;
                InsertOutcome::Added(Ordinal(narrow(ordinal, "ordinal")?), at)
            }
            None if row.try_get("closed")? => InsertOutcome::Closed,
            None if row.try_get("full")? => InsertOutcome::Full,
            None if row.try_get("again")? => InsertOutcome::Again,
            None => InsertOutcome::Taken,
        };
        if let Some(place) = number.checked_sub(1).and_then(|at| outcomes.get_mut(at)) {
            *place = outcome;
        }
    }
    Ok(outcomes)
}

struct Earlier {
    match_id: MatchId,
    decision: String,
    digest: Vec<u8>,
    row: StoredSubmission,
}

impl Earlier {
    fn answers(&self, submission: &Submission) -> Result<StoredSubmission, SubmissionError> {
        let digest = submission.submit.map(|submit| submit.digest);
        let same = self.match_id == submission.match_id
            && self.decision == submission.decision.as_str()
            && self.row.seat == submission.seat
            && digest.is_some_and(|digest| digest.bytes().as_slice() == self.digest);
        if same { Ok(self.row.clone()) } else { Err(SubmissionError::SubmitReused) }
    }
}

async fn earlier(
    connection: &mut PgConnection,
    log_id: LogId,
    ids: &[SubmitId],
) -> Result<HashMap<SubmitId, Earlier>, StoreError> {
    let query = format!(
        "select match_id, decision, submit_digest, {RECEIVED} from submissions where log_id = $1 and submit_id = any($2)"
    );
    let rows = sqlx::query(sqlx::AssertSqlSafe(query))
        .bind(log_id.0)
        .bind(ids.iter().map(|id| id.0.as_slice()).collect::<Vec<_>>())
        .fetch_all(connection)
        .await?;
    let one = |row: &PgRow| {
        let id = SubmitId(narrow(row.try_get::<&[u8], _>("submit_id")?, "submit_id")?);
        let (match_id, decision) = (MatchId(row.try_get("match_id")?), row.try_get("decision")?);
        Ok((id, Earlier { match_id, decision, digest: row.try_get("submit_digest")?, row: received(row)? }))
    };
    rows.iter().map(one).collect()
}
