//! Proof files (C2SP tlog-proof): an inclusion proof with its checkpoint, to be checked without a network.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use thiserror::Error;

use crate::decimal::read_decimal;
use crate::hash::{Hash, HashError};
use crate::id::LeafIndex;
use crate::note::{NOTE_MAX_BYTES, Note, NoteError, VerifierKey};
use crate::policy::{JudgeError, Judgement, Policy, QuorumStatus};
use crate::proof::{InclusionError, InclusionProof, PROOF_MAX_HASHES};

const HEADER: &str = "c2sp.org/tlog-proof@v1";

/// A proof that something is in a log. Displayed and read as a `.tlog-proof` file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TlogProof {
    /// Application data, which nothing authenticates.
    pub extra: Option<ExtraData>,
    /// The place of the leaf.
    pub leaf: LeafIndex,
    /// The path from the leaf to the root.
    pub inclusion: InclusionProof,
    /// The checkpoint with its signatures, as it was signed.
    pub checkpoint: Note,
}

/// Application data, at least one byte.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExtraData(Box<[u8]>);

/// An error in a proof file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TlogProofError {
    /// Longer than any proof with its checkpoint.
    #[error("a proof file has at most {TLOG_PROOF_MAX_BYTES} bytes")]
    TooLong,
    /// Not UTF-8.
    #[error("a proof file is UTF-8")]
    NotUtf8,
    /// Another first line.
    #[error("a proof file begins with the line {HEADER}")]
    Header,
    /// The line of extra data is not canonical base64.
    #[error("the line after extra holds base64 of at least one byte")]
    Extra,
    /// No line has the place of the leaf.
    #[error("a proof file has a line with index and the number of the leaf, without leading zeros")]
    Index,
    /// A line of the path is not a hash.
    #[error("the inclusion proof: {0}")]
    Path(#[from] HashError),
    /// More hashes than a tree has levels.
    #[error("an inclusion proof has at most {PROOF_MAX_HASHES} hashes")]
    TooManyHashes,
    /// No blank line separates proof and checkpoint.
    #[error("an empty line stands between the inclusion proof and the checkpoint")]
    NoCheckpoint,
    /// The checkpoint is not a signed note.
    #[error("the checkpoint: {0}")]
    Checkpoint(#[from] NoteError),
}

/// The reason why a proof file does not prove the claim.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum CheckError {
    /// The checkpoint is not one of an accepted log.
    #[error(transparent)]
    Checkpoint(#[from] JudgeError),
    /// Too few witnesses.
    #[error("the checkpoint is not witnessed as the policy asks")]
    NotWitnessed,
    /// The leaf is not in the tree.
    #[error(transparent)]
    Inclusion(#[from] InclusionError),
}

/// The longest accepted file, in bytes: a note, and the proof and extra data before it.
pub const TLOG_PROOF_MAX_BYTES: usize = 2 * NOTE_MAX_BYTES;

impl ExtraData {
    /// Extra data; none for no bytes, in which case its line is left out.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Option<Self> {
        if bytes.is_empty() { None } else { Some(Self(bytes.into())) }
    }

    /// The bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl TlogProof {
    /// Reads a proof file. This proves nothing yet.
    ///
    /// # Errors
    /// [`TlogProofError`] for anything but the one notation of the specification.
    pub fn read(file: &[u8]) -> Result<Self, TlogProofError> {
        if file.len() > TLOG_PROOF_MAX_BYTES {
            return Err(TlogProofError::TooLong);
        }
        let file = std::str::from_utf8(file).map_err(|_| TlogProofError::NotUtf8)?;
        let rest = file.strip_prefix(HEADER).and_then(|rest| rest.strip_prefix('\n')).ok_or(TlogProofError::Header)?;
        // The checkpoint begins after the first empty line. It is a note, and its own blank lines come later.
        let (proof, checkpoint) = rest.split_once("\n\n").ok_or(TlogProofError::NoCheckpoint)?;
        let mut lines = proof.split('\n').peekable();
        let extra = match lines.peek().and_then(|line| line.strip_prefix("extra ")) {
            Some(base64) => {
                lines.next();
                let bytes = STANDARD.decode(base64).map_err(|_| TlogProofError::Extra)?;
                Some(ExtraData::new(&bytes).ok_or(TlogProofError::Extra)?)
            }
            None => None,
        };
        let leaf = lines.next().and_then(|line| line.strip_prefix("index ")).and_then(read_decimal);
        let leaf = LeafIndex(leaf.ok_or(TlogProofError::Index)?);
        let path = read_path(lines)?.ok_or(TlogProofError::TooManyHashes)?;
        let checkpoint = Note::read(checkpoint.as_bytes())?;
        Ok(Self { extra, leaf, inclusion: InclusionProof { path }, checkpoint })
    }

    /// Checks that the leaf is in a tree that a log of the policy signed and enough of its witnesses cosigned, and
    /// returns the judgement. The [leaf hash](crate::leaf_hash) must come from the caller, never from the file.
    ///
    /// # Errors
    /// [`CheckError`], in the order of the specification: checkpoint, witnesses, inclusion.
    pub fn check<'p>(&self, leaf: Hash, policy: &'p Policy) -> Result<Judgement<'p>, CheckError> {
        self.check_judged(leaf, policy.judge(&self.checkpoint)?)
    }

    /// The same for a log that is known from elsewhere, whatever logs the policy lists.
    pub fn check_as_of<'p>(
        &self,
        leaf: Hash,
        log: &VerifierKey,
        policy: &'p Policy,
    ) -> Result<Judgement<'p>, CheckError> {
        self.check_judged(leaf, policy.judge_as_of(&self.checkpoint, [log])?)
    }

    fn check_judged<'p>(&self, leaf: Hash, judgement: Judgement<'p>) -> Result<Judgement<'p>, CheckError> {
        if judgement.quorum == QuorumStatus::NotWitnessed {
            return Err(CheckError::NotWitnessed);
        }
        self.inclusion.check(self.leaf, leaf, &judgement.checkpoint.tree())?;
        Ok(judgement)
    }
}

/// Reads one hash a line, in base64; none if there are more than a proof can have.
pub(crate) fn read_path<'l>(lines: impl Iterator<Item = &'l str>) -> Result<Option<Vec<Hash>>, HashError> {
    let mut path = Vec::new();
    for line in lines {
        if path.len() >= PROOF_MAX_HASHES {
            return Ok(None);
        }
        path.push(Hash::from_base64(line)?);
    }
    Ok(Some(path))
}

impl fmt::Display for TlogProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEADER}")?;
        if let Some(extra) = &self.extra {
            writeln!(f, "extra {}", STANDARD.encode(extra.bytes()))?;
        }
        writeln!(f, "index {}", self.leaf)?;
        self.inclusion.path.iter().try_for_each(|hash| writeln!(f, "{}", hash.to_base64()))?;
        write!(f, "\n{}", self.checkpoint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checkpoint::Checkpoint;
    use crate::cosignature::{CosignedAt, CosignerKey};
    use crate::id::TreeSize;
    use crate::leaf::leaf_hash;
    use crate::note::SignerKey;
    use crate::proof::Subtree;
    use crate::tree::Frontier;

    fn log() -> SignerKey {
        SignerKey::from_seed("example.com/log".parse().unwrap(), &[1; 32])
    }

    fn witness() -> CosignerKey {
        CosignerKey::from_seed("witness.example".parse().unwrap(), &[2; 32])
    }

    fn policy() -> Policy {
        let file = format!("log {}\nwitness w {}\nquorum w\n", log().verifier(), witness().verifier());
        Policy::read(file.as_bytes()).unwrap()
    }

    /// A proof that the second of two leaves is in the log.
    fn proof() -> TlogProof {
        let leaves = [leaf_hash(b"one"), leaf_hash(b"two")];
        let tree = leaves.iter().copied().collect::<Frontier>().tree();
        let mut checkpoint = Checkpoint::new(log().verifier().name(), tree).sign(&log());
        checkpoint.add(witness().cosign(checkpoint.text(), CosignedAt::from_seconds(1).unwrap())).unwrap();
        let source = |at: Subtree| leaves.get(usize::try_from(at.index()).ok()?).copied();
        let inclusion = InclusionProof::prove(LeafIndex(1), TreeSize(2), &source).unwrap();
        TlogProof { extra: ExtraData::new(b"\x01"), leaf: LeafIndex(1), inclusion, checkpoint }
    }

    #[test]
    fn proves_its_leaf_alone() {
        let (good, policy) = (proof(), policy());
        let judgement = good.check(leaf_hash(b"two"), &policy).unwrap();
        assert_eq!(judgement.cosigned.len(), 1);
        assert_eq!(judgement.checkpoint.tree().size, TreeSize(2));
        assert_eq!(good.check(leaf_hash(b"one"), &policy), Err(CheckError::Inclusion(InclusionError::OtherRoot)));
        assert!(good.check_as_of(leaf_hash(b"two"), log().verifier(), &policy).is_ok());
        let other = SignerKey::from_seed("example.com/log".parse().unwrap(), &[3; 32]);
        assert!(matches!(
            good.check_as_of(leaf_hash(b"two"), other.verifier(), &policy),
            Err(CheckError::Checkpoint(JudgeError::NotSigned(_)))
        ));
        let bare = Note::with_signature(good.checkpoint.text().clone(), good.checkpoint.signatures()[0].clone());
        let refused = TlogProof { checkpoint: bare, ..good }.check(leaf_hash(b"two"), &policy).unwrap_err();
        assert_eq!(refused.to_string(), "the checkpoint is not witnessed as the policy asks");
    }

    #[test]
    fn one_notation() {
        let with_extra = proof();
        let text = with_extra.to_string();
        assert!(text.starts_with("c2sp.org/tlog-proof@v1\nextra AQ==\nindex 1\n"), "{text}");
        assert_eq!(TlogProof::read(text.as_bytes()), Ok(with_extra.clone()));
        for proof in [
            TlogProof { extra: None, ..with_extra.clone() },
            TlogProof { inclusion: InclusionProof::default(), leaf: LeafIndex(0), ..with_extra },
        ] {
            assert_eq!(TlogProof::read(proof.to_string().as_bytes()), Ok(proof));
        }
        assert_eq!(ExtraData::new(b""), None);
    }

    #[test]
    fn a_file_has_limits_and_is_utf_8() {
        let good = proof().to_string();
        let hash = proof().inclusion.path[0].to_base64();
        let many = good.replacen(&hash, &format!("{hash}\n").repeat(64), 1);
        let refused = TlogProof::read(many.as_bytes()).unwrap_err();
        assert_eq!(refused.to_string(), "an inclusion proof has at most 63 hashes");
        assert_eq!(TlogProof::read(b"\xff").unwrap_err().to_string(), "a proof file is UTF-8");
        let long = vec![b'a'; TLOG_PROOF_MAX_BYTES + 1];
        assert_eq!(TlogProof::read(&long).unwrap_err().to_string(), "a proof file has at most 2000000 bytes");
    }
}
