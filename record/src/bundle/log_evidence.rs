//! The lines of a bundle that prove its entries to be in the log. None of them is trusted without a check.

use ledger::{ConsistencyProof, Hash, InclusionProof, LeafIndex, Note, Seq, Tree, TreeSize, VerifierKey};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::json;
use crate::body;

/// The proof that the entries are in the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LogEvidence {
    /// The log's keys, as the maker of the file claims: one for each name of the log, the present one last. All are one
    /// public key.
    pub keys: Vec<VerifierKey>,
    /// The newest checkpoint, with the signatures of witnesses.
    pub checkpoint: Note,
    /// The last entry that it covers.
    pub entry: Seq,
    /// That entry's place in the log.
    pub index: LeafIndex,
    /// The path from it to the checkpoint's root.
    pub inclusion: InclusionProof,
    /// Every other tree that an entry names, smallest first.
    pub trees: Vec<TreeProof>,
    /// The places of the seals that counted, in the order of their entries.
    pub seals: Vec<SealProof>,
}

/// A tree that an entry names: the tree that covered the players' seals, or one that a player had seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeProof {
    /// The tree.
    pub tree: Tree,
    /// Its checkpoint; none if the log never signed this tree.
    pub checkpoint: Option<Note>,
    /// The proof that the newest checkpoint extends it.
    pub consistency: ConsistencyProof,
}

/// The proof that a seal was in the tree which its `resolved` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealProof {
    /// The `sealed` entry.
    pub entry: Seq,
    /// Its place in the log.
    pub index: LeafIndex,
    /// The tree.
    pub size: TreeSize,
    /// The path from it to the tree's root.
    pub inclusion: InclusionProof,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckpointLine {
    checkpoint: String,
    keys: Vec<VerifierKey>,
    entry: u32,
    index: u64,
    proof: Vec<Hash>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TreeLine {
    tree: body::Tree,
    checkpoint: Option<String>,
    proof: Vec<Hash>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SealLine {
    seal: u32,
    index: u64,
    size: u64,
    proof: Vec<Hash>,
}

impl LogEvidence {
    pub(super) fn write(&self) -> Vec<Vec<u8>> {
        let checkpoint = json(&CheckpointLine {
            checkpoint: self.checkpoint.to_string(),
            keys: self.keys.clone(),
            entry: self.entry.0,
            index: self.index.0,
            proof: self.inclusion.path.clone(),
        });
        let trees = self.trees.iter().map(|named| {
            json(&TreeLine {
                tree: named.tree.into(),
                checkpoint: named.checkpoint.as_ref().map(ToString::to_string),
                proof: named.consistency.path.clone(),
            })
        });
        let seals = self.seals.iter().map(|seal| {
            let (seal, proof) = (seal, seal.inclusion.path.clone());
            json(&SealLine { seal: seal.entry.0, index: seal.index.0, size: seal.size.0, proof })
        });
        std::iter::once(checkpoint).chain(trees).chain(seals).collect()
    }
}

/// The lines about the log, as they are read.
#[derive(Default)]
pub(super) struct Lines {
    logged: Option<LogEvidence>,
}

impl Lines {
    pub(super) fn checkpoint(&mut self, line: &[u8]) -> Result<(), String> {
        let line: CheckpointLine = parsed(line)?;
        if self.logged.is_some() {
            return Err("there is one newest checkpoint, and this is a second".to_owned());
        }
        if line.keys.is_empty() {
            return Err("the newest checkpoint stands without a key of the log".to_owned());
        }
        self.logged = Some(LogEvidence {
            keys: line.keys,
            checkpoint: note(&line.checkpoint)?,
            entry: Seq(line.entry),
            index: LeafIndex(line.index),
            inclusion: InclusionProof { path: line.proof },
            trees: Vec::new(),
            seals: Vec::new(),
        });
        Ok(())
    }

    pub(super) fn tree(&mut self, line: &[u8]) -> Result<(), String> {
        let line: TreeLine = parsed(line)?;
        let logged = self.after_checkpoint()?;
        let tree = Tree::from(&line.tree);
        if !logged.seals.is_empty() || logged.trees.last().is_some_and(|last| last.tree.size >= tree.size) {
            return Err("trees stand before seals, smallest first, each once".to_owned());
        }
        let checkpoint = line.checkpoint.as_deref().map(note).transpose()?;
        logged.trees.push(TreeProof { tree, checkpoint, consistency: ConsistencyProof { path: line.proof } });
        Ok(())
    }

    pub(super) fn seal(&mut self, line: &[u8]) -> Result<(), String> {
        let line: SealLine = parsed(line)?;
        let logged = self.after_checkpoint()?;
        let entry = Seq(line.seal);
        if logged.seals.last().is_some_and(|last| last.entry >= entry) {
            return Err("seals stand in the order of their entries, each once".to_owned());
        }
        let (index, size) = (LeafIndex(line.index), TreeSize(line.size));
        logged.seals.push(SealProof { entry, index, size, inclusion: InclusionProof { path: line.proof } });
        Ok(())
    }

    pub(super) fn done(self) -> Option<LogEvidence> {
        self.logged
    }

    fn after_checkpoint(&mut self) -> Result<&mut LogEvidence, String> {
        self.logged.as_mut().ok_or_else(|| "the newest checkpoint stands before what leads to it".to_owned())
    }
}

fn parsed<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|why| why.to_string())
}

fn note(text: &str) -> Result<Note, String> {
    text.parse().map_err(|why: ledger::note::NoteError| why.to_string())
}
