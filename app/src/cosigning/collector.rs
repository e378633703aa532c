//! Following one witness for as long as the program runs: every new checkpoint is sent to it, and its signatures are
//! stored.
//!
//! A witness that is unreachable or broken affects only its own cosignatures. A witness that has cosigned another
//! history is different: then signing must stop, because any further signature would make two histories.

use std::sync::Arc;
use std::time::Duration;

use ledger::checkpoint::Checkpoint;
use ledger::ed25519::PublicKey;
use ledger::proof::ProveError;
use ledger::{ConsistencyProof, KeyName, Note, OriginLine, Subtree, Tree, TreeSize, VerifierKey};
use store::{Cosignature, SignedCheckpoint, Store, StoreError, Term};
use thiserror::Error;
use tokio::sync::watch;

use super::client::{Witness, WitnessAnswer, WitnessClient, WitnessError};
use super::policy::SitePolicy;
use super::witness_states::WitnessStates;
use super::witnessed_checkpoint::WitnessedCheckpoint;
use crate::system::System;

/// The interval of checking the log without news: other nodes sign, too.
const POLL_INTERVAL: Duration = Duration::from_secs(5);
/// The longest wait after failures. The first wait is a second, and each further one doubles.
const WAIT_MAX: Duration = Duration::from_secs(60);
/// The same while a match waits.
const WAIT_MAX_WANTED: Duration = Duration::from_secs(2);
/// The cosigned checkpoints that are looked through after a start for one that satisfies the policy.
const REMEMBERED: i64 = 1_000;
/// The requests for one checkpoint. A witness that is asked by two nodes may advance in between; more than this is
/// unexpected.
const REQUESTS_MAX: u32 = 4;

/// A witness has cosigned a tree that this log cannot extend. Nothing more may be signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherHistory {
    /// The witness that reports it.
    pub by: String,
    /// Its report, in half a sentence for people.
    pub what: String,
    /// The checkpoint that it shows as evidence, if the log has signed it.
    pub held: Option<Note>,
}

/// Stops the signing.
pub(super) type Stop = Arc<dyn Fn(OtherHistory) + Send + Sync>;

/// The follower of one witness.
pub(super) struct Collector {
    pub(super) store: Store,
    pub(super) system: Arc<System>,
    pub(super) client: WitnessClient,
    pub(super) witness: Witness,
    pub(super) policy: Arc<SitePolicy>,
    pub(super) log: PublicKey,
    pub(super) states: WitnessStates,
    pub(super) stop: Stop,
    /// The tree that it has cosigned, as far as is known here.
    pub(super) known: LastCosigned,
}

/// The last tree that a witness cosigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct LastCosigned {
    term: Term,
    size: TreeSize,
    /// True if its cosignature of that tree is stored here.
    kept: bool,
}

enum Progress {
    /// It has cosigned the newest checkpoint.
    Idle,
    /// Another cosignature is stored.
    Cosigned,
}

/// The reason why a witness has not cosigned.
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
}

impl Collector {
    /// Follows the witness until the sender of news is gone.
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
                    tracing::warn!(witness = self.witness.name, %failure, "a witness has not cosigned");
                    self.states.failed(&self.witness.name, self.system.now(), failure.to_string());
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

    /// Sends the newest checkpoint to the witness, unless it has cosigned that.
    async fn round(&mut self) -> Result<Progress, Failure> {
        let Some(newest) = self.store.latest_checkpoint().await? else { return Ok(Progress::Idle) };
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
                WitnessAnswer::Cosigned(line, _) => {
                    let at = self.system.now();
                    let cosignature =
                        Cosignature { witness: self.witness.key.name().to_string(), line: line.to_string(), at };
                    self.store.keep_cosignature(newest.term, newest.tree.size, &cosignature).await?;
                    self.known = LastCosigned { term: newest.term, size: newest.tree.size, kept: true };
                    self.states.cosigned(&self.witness.name, newest.tree.size, at);
                    self.states.answered(&self.witness.name);
                    self.judge(&newest).await?;
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
                        return Err(self.other_history(what, &newest).await);
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
                    return Err(self.other_history(what, &newest).await);
                }
                WitnessAnswer::Contradicted(said) => return Err(Failure::FirstRefused(said)),
            }
        }
        Err(Failure::NotItsSize(self.known.size))
    }

    /// True if this witness's cosignature of the checkpoint is stored.
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
        let cosigned = sizes.iter().filter_map(|size| checkpoints.get(size)).filter(|it| it.term == newest.term);
        for checkpoint in cosigned {
            if self.states.witnessed().is_some() {
                break;
            }
            self.judge(checkpoint).await?;
        }
        Ok(())
    }

    /// Checks the policy on the checkpoint with all cosignatures stored by now.
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

    /// The signing key, under the origin of a checkpoint.
    fn log_key(&self, note: &Note) -> Option<VerifierKey> {
        let origin: KeyName = Checkpoint::read(note.text()).ok()?.origin().as_str().parse().ok()?;
        Some(VerifierKey::ed25519(origin, self.log))
    }

    async fn proof(&self, old: TreeSize, new: Tree) -> Result<ConsistencyProof, Failure> {
        if old == TreeSize(0) || old == new.size {
            return Ok(ConsistencyProof::default());
        }
        let hashes = self.store.hashes(&ConsistencyProof::subtrees(old, new.size)?).await?;
        Ok(ConsistencyProof::prove(old, new.size, &|subtree: Subtree| hashes.get(&subtree).copied())?)
    }

    /// The witness contradicts this log: by its report, and by a checkpoint if it shows one that the log has signed.
    async fn other_history(&self, what: String, newest: &SignedCheckpoint) -> Failure {
        let held = async {
            let log = self.log_key(&newest.note.parse().ok()?)?;
            self.client.evidence(&self.witness, &OriginLine::from(log.name()), &log).await
        };
        let held = held.await;
        let shown = match &held {
            Some((shown, _)) => format!(
                "it shows a checkpoint of {} entries with the root {} and this log's own signature",
                shown.tree().size,
                shown.tree().root.to_base64()
            ),
            None => "it shows no signed checkpoint for that, so that it is its word alone".to_owned(),
        };
        let what =
            format!("{what}; {shown}. If the witness is wrong, take its address out of the policy and start again");
        let (by, held) = (format!("the witness {}", self.witness.name), held.map(|(_, note)| note));
        Failure::OtherHistory(Box::new(OtherHistory { by, what, held }))
    }
}

async fn closed<T>(news: &watch::Receiver<T>) {
    // A receiver cannot wait only for the end without consuming news, so it is polled.
    while news.has_changed().is_ok() {
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}
