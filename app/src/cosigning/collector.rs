//! Following one witness for as long as the program runs: every new checkpoint is sent to it, and its signatures are
//! stored.
//!
//! A witness that is unreachable or broken affects only its own cosignatures. A witness that shows another history, signed
//! by this log, is different: then signing must stop, because any further signature would make two histories. One that
//! only says so is left out, as if it were away: otherwise one liar could stop the site.

use std::sync::Arc;
use std::time::Duration;

use ledger::checkpoint::Checkpoint;
use ledger::proof::ProveError;
use ledger::{ConsistencyProof, CosignedAt, Moment, Note, OriginLine, Subtree, Tree, TreeSize, VerifierKey};
use store::{Cosignature, SignedCheckpoint, Store, StoreError, Term};
use thiserror::Error;
use tokio::sync::watch;

use super::client::{Witness, WitnessAnswer, WitnessClient, WitnessError};
use super::policy::SitePolicy;
use super::witness_states::WitnessStates;
use super::witnessed_checkpoint::WitnessedCheckpoint;
use crate::signing::Terms;
use crate::system::System;

const POLL_INTERVAL: Duration = Duration::from_secs(5);
const WAIT_MAX: Duration = Duration::from_secs(60);
const WAIT_MAX_WANTED: Duration = Duration::from_secs(2);
const REMEMBERED: i64 = 1_000;
/// The requests for one checkpoint. A witness that is asked by two nodes may advance in between; more than this is
/// unexpected.
const REQUESTS_MAX: u32 = 4;

/// A witness shows a tree that this log signed and cannot extend. Nothing more may be signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherHistory {
    pub by: String,
    pub what: String,
    pub held: Note,
}

pub(super) type Stop = Arc<dyn Fn(OtherHistory) + Send + Sync>;

pub(super) struct Collector {
    pub(super) store: Store,
    pub(super) system: Arc<System>,
    pub(super) client: WitnessClient,
    pub(super) witness: Witness,
    pub(super) policy: Arc<SitePolicy>,
    pub(super) log: Terms,
    pub(super) states: WitnessStates,
    pub(super) stop: Stop,
    pub(super) known: LastCosigned,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LastCosigned {
    term: Term,
    size: TreeSize,
    kept: bool,
}

enum Progress {
    Idle,
    Cosigned,
}

#[derive(Debug, Error)]
enum Failure {
    #[error(transparent)]
    Client(#[from] WitnessError),
    #[error("the database: {0}")]
    Store(#[from] StoreError),
    #[error("the proof for it cannot be made: {0}")]
    Proof(#[from] ProveError),
    #[error("a checkpoint that is stored cannot be read")]
    Unreadable,
    #[error("it says that it has cosigned {0} entries, and does not take the proof from there")]
    NotItsSize(TreeSize),
    /// It refuses a checkpoint with the empty proof, for which it needs no earlier tree.
    #[error("it refuses the first checkpoint that it is shown{0}")]
    FirstRefused(String),
    #[error("{}", .0.what)]
    OtherHistory(Box<OtherHistory>),
    /// It says that it has cosigned another history, and shows nothing that proves it.
    #[error("{0}; it shows no checkpoint that this log signed and that proves it, so it is left out")]
    Unproved(String),
    /// Its cosignature would contradict the times of the log's entries.
    #[error("its clock is {seconds} s {}, so its cosignatures do not count", if *ahead { "fast" } else { "slow" })]
    ClockOff {
        /// How far it is off, at least.
        seconds: u64,
        ahead: bool,
    },
}

impl Failure {
    /// True if the witness answers, and is left out all the same: somebody has to look.
    const fn leaves_out(&self) -> bool {
        matches!(self, Self::Unproved(_) | Self::ClockOff { .. } | Self::Client(WitnessError::NoTime))
    }
}

impl Collector {
    pub(super) async fn follow<T: Send + Sync>(mut self, mut news: watch::Receiver<T>) {
        let mut failures: u32 = 0;
        let (mut wants, mut answers) = (self.states.wants(), self.states.answers());
        if let Err(error) = self.remember().await {
            tracing::warn!(%error, "what was witnessed before this start cannot be read");
        }
        loop {
            // What changes from here on, the round may not have seen.
            wants.mark_unchanged();
            answers.mark_unchanged();
            let wait = match self.round().await {
                Ok(Progress::Cosigned) => {
                    failures = 0;
                    continue;
                }
                Ok(Progress::Idle) => {
                    failures = 0;
                    None
                }
                Err(failure) => {
                    let left_out = failure.leaves_out();
                    if self.states.failed(&self.witness.name, self.system.now(), failure.to_string(), left_out) {
                        tracing::error!(witness = self.witness.name, %failure, "a witness is left out");
                    } else {
                        tracing::warn!(witness = self.witness.name, %failure, "a witness has not cosigned");
                    }
                    if let Failure::OtherHistory(other) = failure {
                        (self.stop)(*other);
                        failures = u32::MAX;
                    }
                    failures = failures.saturating_add(1);
                    let most = if self.states.is_wanted(self.system.now()) { WAIT_MAX_WANTED } else { WAIT_MAX };
                    Some(Duration::from_secs(1 << failures.saturating_sub(1).min(6)).min(most))
                }
            };
            let gone = match wait {
                Some(wait) => tokio::select! {
                    () = tokio::time::sleep(wait) => false,
                    // A match that begins to wait is a reason to try at once.
                    _ = wants.changed() => false,
                    () = closed(&news) => true,
                },
                None => tokio::select! {
                    changed = news.changed() => changed.is_err(),
                    _ = wants.changed() => false,
                    _ = answers.changed() => false,
                    () = tokio::time::sleep(POLL_INTERVAL) => false,
                },
            };
            if gone {
                return;
            }
        }
    }

    async fn round(&mut self) -> Result<Progress, Failure> {
        let Some(newest) = self.store.latest_checkpoint().await? else { return Ok(Progress::Idle) };
        if newest.term != self.log.present().term {
            // The name before is over, and may have lost what its witnesses hold.
            self.states.answered(&self.witness.name);
            return Ok(Progress::Idle);
        }
        if self.known.term != newest.term {
            // To a witness, another origin is another log.
            self.known = LastCosigned { term: newest.term, ..LastCosigned::default() };
        }
        let mut newest = self.states.choose(newest, self.known.size, self.system.now());
        // After a start it is asked even for what it has cosigned: only it knows if it has seen more since.
        let answered = self.states.has_answered(&self.witness.name);
        if newest.tree.size == TreeSize(0) || answered && self.is_kept(&newest).await? {
            return Ok(Progress::Idle);
        }
        // True if the size comes from the witness itself, so that it must have a tree of that size.
        let mut own_word = self.known.size > TreeSize(0);
        for _ in 0..REQUESTS_MAX {
            let old = self.known.size;
            let proof = self.proof(old, newest.tree).await?;
            let note: Note = newest.note.parse().map_err(|_| Failure::Unreadable)?;
            match self.client.add_checkpoint(&self.witness, old, &proof, &note).await? {
                WitnessAnswer::Cosigned(line, time) => {
                    in_time(time, newest.at, self.system.now())?;
                    self.keep(&newest, line.to_string()).await?;
                    return Ok(Progress::Cosigned);
                }
                WitnessAnswer::Has(size) if size > newest.tree.size => {
                    // Another node may have signed a newer one meanwhile and sent it. What was sent was signed before,
                    // so it is stored.
                    newest = self.store.latest_checkpoint().await?.ok_or(Failure::Unreadable)?;
                    if newest.term != self.known.term {
                        return Ok(Progress::Idle);
                    }
                    if size > newest.tree.size {
                        let what = format!(
                            "it has cosigned {size} entries, and the newest checkpoint that this database knows of has {}",
                            newest.tree.size
                        );
                        return Err(self.contradicted(what, &newest).await);
                    }
                    self.known.size = size;
                    own_word = true;
                }
                WitnessAnswer::Has(size) if size == old => return Err(Failure::NotItsSize(size)),
                WitnessAnswer::Has(size) => {
                    self.known = LastCosigned { size, kept: false, ..self.known };
                    own_word = true;
                }
                WitnessAnswer::Contradicted(said) if own_word && old > TreeSize(0) => {
                    let what = format!("it has cosigned another tree of {old} entries than this log has{said}");
                    return Err(self.contradicted(what, &newest).await);
                }
                WitnessAnswer::Contradicted(said) => return Err(Failure::FirstRefused(said)),
            }
        }
        Err(Failure::NotItsSize(self.known.size))
    }

    async fn keep(&mut self, newest: &SignedCheckpoint, line: String) -> Result<(), Failure> {
        let at = self.system.now();
        let cosignature = Cosignature { witness: self.witness.key.name().to_string(), line, at };
        self.store.keep_cosignature(newest.term, newest.tree.size, &cosignature).await?;
        self.known = LastCosigned { term: newest.term, size: newest.tree.size, kept: true };
        self.states.cosigned(&self.witness.name, newest.tree.size, at);
        self.states.answered(&self.witness.name);
        Ok(self.judge(newest).await?)
    }

    async fn is_kept(&mut self, newest: &SignedCheckpoint) -> Result<bool, StoreError> {
        if self.known.size == newest.tree.size && self.known.kept {
            return Ok(true);
        }
        let name = self.witness.key.name().as_str();
        let kept = self.store.cosignatures(newest.term, newest.tree.size).await?;
        let Some(cosignature) = kept.iter().find(|cosignature| cosignature.witness == name) else { return Ok(false) };
        self.states.cosigned(&self.witness.name, newest.tree.size, cosignature.at);
        self.known = LastCosigned { term: newest.term, size: newest.tree.size, kept: true };
        self.judge(newest).await?;
        Ok(true)
    }

    /// After a start: finds the newest checkpoint that satisfied the policy, unless it is known by now. Its witnesses may be
    /// away, and what they saw stays seen.
    async fn remember(&self) -> Result<(), StoreError> {
        let Some(newest) = self.store.latest_checkpoint().await? else { return Ok(()) };
        let sizes = self.store.cosigned_sizes(newest.term, REMEMBERED).await?;
        let checkpoints = self.store.checkpoints_at(&sizes).await?;
        for checkpoint in checkpoints.iter().filter(|it| it.term == newest.term) {
            if self.states.witnessed().is_some() {
                break;
            }
            self.judge(checkpoint).await?;
        }
        Ok(())
    }

    async fn judge(&self, checkpoint: &SignedCheckpoint) -> Result<(), StoreError> {
        let lines = self.store.cosignatures(checkpoint.term, checkpoint.tree.size).await?;
        let lines = lines.into_iter().map(|cosignature| cosignature.line + "\n");
        let note = lines.fold(checkpoint.note.clone(), |note, line| note + &line);
        let status = note.parse::<Note>().ok().and_then(|note| {
            let log = self.log_key(&note)?;
            self.policy.status(&note, &log).ok()
        });
        if let Some(status) = status.filter(|status| status.met) {
            let (signed, reached) = (checkpoint.clone(), status.reached);
            self.states.is_witnessed(WitnessedCheckpoint { signed, note, reached });
        }
        Ok(())
    }

    fn log_key(&self, note: &Note) -> Option<VerifierKey> {
        self.log.key(Checkpoint::read(note.text()).ok()?.origin().as_str()).cloned()
    }

    /// True if the log has a tree that it signed. Another node may have signed it a moment ago.
    async fn has(&self, tree: Tree) -> Result<bool, StoreError> {
        let newest = self.store.latest_checkpoint().await?;
        let is_there = newest.is_some_and(|newest| tree.size <= newest.tree.size);
        Ok(is_there && self.store.root_at(tree.size).await? == Some(tree.root))
    }

    async fn proof(&self, old: TreeSize, new: Tree) -> Result<ConsistencyProof, Failure> {
        if old == TreeSize(0) || old == new.size {
            return Ok(ConsistencyProof::default());
        }
        let hashes = self.store.hashes(&ConsistencyProof::subtrees(old, new.size)?).await?;
        Ok(ConsistencyProof::prove(old, new.size, &|subtree: Subtree| hashes.get(&subtree).copied())?)
    }

    /// The witness contradicts this log. It is believed only with a checkpoint that the log signed and cannot extend.
    async fn contradicted(&self, what: String, newest: &SignedCheckpoint) -> Failure {
        let published = async {
            let log = self.log_key(&newest.note.parse().ok()?)?;
            self.client.published(&self.witness, &OriginLine::from(log.name()), &log).await
        };
        let Some((shown, held)) = published.await else { return Failure::Unproved(what) };
        let Tree { size, root } = shown.tree();
        match self.has(shown.tree()).await {
            Ok(false) => {}
            Ok(true) => return Failure::Unproved(what),
            Err(error) => return error.into(),
        }
        let what = format!(
            "{what}; it shows a checkpoint of {size} entries with the root {} and this log's own signature",
            root.to_base64()
        );
        Failure::OtherHistory(Box::new(OtherHistory { by: format!("the witness {}", self.witness.name), what, held }))
    }
}

/// Checks the time of a cosignature that came at a moment, against the time at which the checkpoint was signed: its newest
/// entry is no younger. With a wrong one an honest match would fail its check for ever.
fn in_time(time: CosignedAt, signed: Moment, now: Moment) -> Result<(), Failure> {
    let (signed, now) = (CosignedAt::from(signed).seconds(), CosignedAt::from(now).seconds());
    let (slow, fast) = (signed.saturating_sub(time.seconds()), time.seconds().saturating_sub(now));
    match (slow > CosignedAt::TOLERANCE_SECONDS, fast > CosignedAt::TOLERANCE_SECONDS) {
        (false, false) => Ok(()),
        (true, _) => Err(Failure::ClockOff { seconds: slow, ahead: false }),
        (false, true) => Err(Failure::ClockOff { seconds: fast, ahead: true }),
    }
}

async fn closed<T>(news: &watch::Receiver<T>) {
    // A receiver cannot wait only for the end without consuming news, so it is polled.
    while news.has_changed().is_ok() {
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
