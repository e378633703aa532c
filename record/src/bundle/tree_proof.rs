//! An earlier tree of the log, with its checkpoint, and the proof that the newest one extends it.

use ledger::{ConsistencyProof, Hash, Note, Tree};
use serde::{Deserialize, Serialize};

use super::json_line::note;
use crate::body;

/// A tree that an entry names (the tree that covered the players' seals, or one that a player had seen), or the one
/// before the opening of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeProof {
    /// The tree.
    pub tree: Tree,
    /// Its checkpoint; none if the log never signed this tree.
    pub checkpoint: Option<Note>,
    /// The proof that the newest checkpoint extends it.
    pub consistency: ConsistencyProof,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TreeLine {
    tree: body::Tree,
    checkpoint: Option<String>,
    proof: Vec<Hash>,
}

impl TreeLine {
    pub(super) fn of(proof: &TreeProof) -> Self {
        Self {
            tree: proof.tree.into(),
            checkpoint: proof.checkpoint.as_ref().map(ToString::to_string),
            proof: proof.consistency.path.clone(),
        }
    }

    pub(super) fn read(self) -> Result<TreeProof, String> {
        Ok(TreeProof {
            tree: Tree::from(&self.tree),
            checkpoint: self.checkpoint.as_deref().map(note).transpose()?,
            consistency: ConsistencyProof { path: self.proof },
        })
    }
}
