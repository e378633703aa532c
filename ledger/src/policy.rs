//! Trust policies (C2SP tlog-policy): the accepted logs, the known witnesses, and the witnesses of which enough must
//! have cosigned a checkpoint.

mod read;

use thiserror::Error;

use crate::beacon::{Network, NetworkHash};
use crate::checkpoint::{Checkpoint, CheckpointError, OpenError, OriginLine};
use crate::cosignature::CosignedAt;
use crate::note::{Note, VerifierKey, VerifyError};
use crate::tree::Tree;

pub use read::{PolicyError, PolicyFault};

/// The parties that somebody has decided to trust. Read from a file; logs and witnesses are in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    logs: Vec<KnownLog>,
    witnesses: Vec<Witness>,
    groups: Vec<Group>,
    /// The witness or group that must have cosigned; none for `quorum none`.
    quorum: Option<Member>,
    /// The networks of a beacon. C2SP's policies have no such lines; readers of others need not understand them.
    networks: Vec<Network>,
    /// The last trees of logs that go on under another name. These lines are our own, too.
    ends: Vec<(OriginLine, Tree)>,
}

/// A log that is accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownLog {
    /// Its key, whose name is the log's origin.
    pub key: VerifierKey,
    /// Its address. Opaque.
    pub url: Option<Word>,
}

/// A witness that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// Its name in the file, without meaning elsewhere.
    pub name: Word,
    /// Its key.
    pub key: VerifierKey,
    /// The address to which checkpoints can be sent. Opaque.
    pub url: Option<Word>,
}

/// A name or URL in a policy: bytes without spaces, compared as bytes. Displayed as UTF-8, with replacements for
/// invalid bytes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(Box<[u8]>);

/// A group with the number of members that it needs. Groups are in the order of the file, so each comes after its
/// members.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    at_least: usize,
    members: Vec<Member>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    Witness(usize),
    Group(usize),
}

/// A witness that cosigned a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WitnessCosignature<'p> {
    /// The witness.
    pub witness: &'p Witness,
    /// The time, by the witness's clock. No policy uses it.
    pub at: CosignedAt,
}

/// The quorum of a policy for a checkpoint: reached or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuorumStatus {
    /// Enough witnesses cosigned.
    Witnessed,
    /// Too few witnesses cosigned.
    NotWitnessed,
}

/// The judgement of a policy on a signed checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement<'p> {
    /// The log's signed statement.
    pub checkpoint: Checkpoint,
    /// The known witnesses that cosigned, in the order of the policy.
    pub cosigned: Vec<WitnessCosignature<'p>>,
    /// The quorum: reached or not.
    pub quorum: QuorumStatus,
}

/// The reason why a policy cannot judge a note.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum JudgeError {
    /// Its text is not a checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The policy knows no log of that origin.
    #[error("the policy does not know the log {0}")]
    UnknownLog(OriginLine),
    /// The log did not sign it, or a line of it is false.
    #[error("the checkpoint is not signed by its log: {0}")]
    NotSigned(VerifyError),
    /// The log had ended before, by the policy: whoever has its key now may be a thief.
    #[error("the log {origin} ended with {} entries, by the policy, and this tree is no beginning of that", end.size)]
    Ended {
        /// The log.
        origin: OriginLine,
        /// Its last tree.
        end: Tree,
    },
    /// The line of a known witness is false, so the whole note is rejected.
    #[error("a cosignature on the checkpoint is false: {0}")]
    FalseCosignature(VerifyError),
}

impl Policy {
    /// The accepted logs; none if the log is known from elsewhere.
    #[must_use]
    pub fn logs(&self) -> &[KnownLog] {
        &self.logs
    }

    /// The known witnesses.
    #[must_use]
    pub fn witnesses(&self) -> &[Witness] {
        &self.witnesses
    }

    /// The networks of a beacon that this policy knows, in the order of the file.
    #[must_use]
    pub fn networks(&self) -> &[Network] {
        &self.networks
    }

    /// A beacon's network that this policy knows.
    #[must_use]
    pub fn network(&self, hash: &NetworkHash) -> Option<&Network> {
        self.networks.iter().find(|network| network.hash == *hash)
    }

    /// True if a checkpoint needs no cosignature: `quorum none`.
    #[must_use]
    pub const fn asks_for_nobody(&self) -> bool {
        self.quorum.is_none()
    }

    /// Judges a checkpoint by the logs, the witnesses and the quorum of this policy.
    ///
    /// # Errors
    /// [`JudgeError`] if the note is not a checkpoint signed by one of the policy's logs, or if a line of a known key
    /// is false. Too few cosignatures are not an error, but a [`Judgement::quorum`].
    pub fn judge(&self, note: &Note) -> Result<Judgement<'_>, JudgeError> {
        self.judge_as_of(note, self.logs.iter().map(|log| &log.key))
    }

    /// The same for a log that is known from elsewhere, whatever logs the policy lists. The name of its key is its
    /// origin.
    pub fn judge_as_of<'k>(
        &self,
        note: &Note,
        logs: impl IntoIterator<Item = &'k VerifierKey>,
    ) -> Result<Judgement<'_>, JudgeError> {
        let origin = Checkpoint::read(note.text())?.origin().clone();
        let keys: Vec<&VerifierKey> = logs.into_iter().filter(|key| key.name().as_str() == origin.as_str()).collect();
        if keys.is_empty() {
            return Err(JudgeError::UnknownLog(origin));
        }
        let checkpoint = Checkpoint::open(note, &origin, keys).map_err(|error| match error {
            OpenError::Checkpoint(error) => JudgeError::Checkpoint(error),
            OpenError::OtherLog { found, .. } => JudgeError::UnknownLog(found),
            OpenError::NotSigned(error) => JudgeError::NotSigned(error),
        })?;
        let ended = self.ends.iter().find(|(name, _)| *name == origin).map(|(_, end)| *end);
        let tree = checkpoint.tree();
        if let Some(end) = ended.filter(|end| tree.size > end.size || tree.size == end.size && tree != *end) {
            return Err(JudgeError::Ended { origin, end });
        }
        let signed = note.verify_any(self.witnesses.iter().map(|witness| &witness.key));
        let signed = signed.map_err(JudgeError::FalseCosignature)?;
        let time = |witness: &Witness| signed.iter().find(|verified| *verified.key == witness.key)?.time;
        let cosigned = self.witnesses.iter();
        let cosigned: Vec<_> =
            cosigned.filter_map(|witness| Some(WitnessCosignature { witness, at: time(witness)? })).collect();
        let has = |witness: &Witness| cosigned.iter().any(|cosigned| cosigned.witness == witness);
        let quorum = if self.is_met_by(has) { QuorumStatus::Witnessed } else { QuorumStatus::NotWitnessed };
        Ok(Judgement { checkpoint, cosigned, quorum })
    }

    /// The time of the cosignature with which these, the earliest first, reached the quorum; none if they do not reach
    /// it, or if nobody needs to cosign.
    #[must_use]
    pub fn reached_at(&self, cosigned: &[WitnessCosignature<'_>]) -> Option<CosignedAt> {
        let mut times: Vec<CosignedAt> = cosigned.iter().map(|cosigned| cosigned.at).collect();
        times.sort_unstable();
        let by = |time: &CosignedAt| {
            self.is_met_by(|witness| cosigned.iter().any(|other| other.witness == witness && other.at <= *time))
        };
        times.into_iter().filter(|_| !self.asks_for_nobody()).find(by)
    }

    /// True if the quorum is reached by the witnesses for which `has` is true.
    #[must_use]
    pub fn is_met_by(&self, has: impl Fn(&Witness) -> bool) -> bool {
        // Without recursion: a file may nest as many groups as it has lines.
        let mut groups: Vec<bool> = Vec::with_capacity(self.groups.len());
        let stands = |groups: &[bool], member: Member| match member {
            Member::Witness(at) => self.witnesses.get(at).is_some_and(&has),
            Member::Group(at) => groups.get(at).is_some_and(|group| *group),
        };
        for group in &self.groups {
            let count = group.members.iter().filter(|member| stands(&groups, **member)).count();
            groups.push(count >= group.at_least);
        }
        self.quorum.is_none_or(|member| stands(&groups, member))
    }

    /// The smallest number of witnesses that can satisfy the quorum. Where one is in two groups, still fewer may.
    #[must_use]
    pub fn fewest(&self) -> usize {
        let mut groups: Vec<usize> = Vec::with_capacity(self.groups.len());
        let cost = |groups: &[usize], member: Member| match member {
            Member::Witness(_) => 1,
            Member::Group(at) => groups.get(at).copied().unwrap_or(usize::MAX),
        };
        for group in &self.groups {
            let mut costs: Vec<usize> = group.members.iter().map(|member| cost(&groups, *member)).collect();
            costs.sort_unstable();
            groups.push(costs.into_iter().take(group.at_least).fold(0, usize::saturating_add));
        }
        self.quorum.map_or(0, |member| cost(&groups, member))
    }
}

impl Word {
    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

#[cfg(test)]
mod tests;
