//! The lines of a bundle that prove its entries to be in the log. None of them is trusted without a check.

use ledger::{Hash, InclusionProof, LeafIndex, Note, Seq, TreeSize, VerifierKey};
use serde::{Deserialize, Serialize};

use super::json_line::{json, note, parsed};
use super::player_evidence::PlayerEvidence;
use super::tree_proof::{TreeLine, TreeProof};

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
    /// The chains of the players who vouch for a seat's key; none where nobody does.
    pub players: Option<PlayerEvidence>,
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
        let trees = self.trees.iter().map(|named| json(&TreeLine::of(named)));
        let seals = self.seals.iter().map(|seal| {
            let (seal, proof) = (seal, seal.inclusion.path.clone());
            json(&SealLine { seal: seal.entry.0, index: seal.index.0, size: seal.size.0, proof })
        });
        let players = self.players.iter().flat_map(PlayerEvidence::write);
        std::iter::once(checkpoint).chain(trees).chain(seals).chain(players).collect()
    }
}

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
            return Err("the newest checkpoint comes without a key of the log".to_owned());
        }
        self.logged = Some(LogEvidence {
            keys: line.keys,
            checkpoint: note(&line.checkpoint)?,
            entry: Seq(line.entry),
            index: LeafIndex(line.index),
            inclusion: InclusionProof { path: line.proof },
            trees: Vec::new(),
            seals: Vec::new(),
            players: None,
        });
        Ok(())
    }

    pub(super) fn tree(&mut self, line: &[u8]) -> Result<(), String> {
        let proof = parsed::<TreeLine>(line)?.read()?;
        let logged = self.after_checkpoint()?;
        if logged.players.is_some()
            || !logged.seals.is_empty()
            || logged.trees.last().is_some_and(|last| last.tree.size >= proof.tree.size)
        {
            return Err("trees come before seals, smallest first, each once".to_owned());
        }
        logged.trees.push(proof);
        Ok(())
    }

    pub(super) fn seal(&mut self, line: &[u8]) -> Result<(), String> {
        let line: SealLine = parsed(line)?;
        let logged = self.after_checkpoint()?;
        let entry = Seq(line.seal);
        if logged.players.is_some() || logged.seals.last().is_some_and(|last| last.entry >= entry) {
            return Err("seals come in the order of their entries, each once".to_owned());
        }
        let (index, size) = (LeafIndex(line.index), TreeSize(line.size));
        logged.seals.push(SealProof { entry, index, size, inclusion: InclusionProof { path: line.proof } });
        Ok(())
    }

    pub(super) fn opened(&mut self, line: &[u8]) -> Result<(), String> {
        let logged = self.after_checkpoint()?;
        if logged.players.is_some() {
            return Err("the place of the opening comes once".to_owned());
        }
        logged.players = Some(PlayerEvidence::opened(line)?);
        Ok(())
    }

    pub(super) fn player(&mut self, line: &[u8]) -> Result<(), String> {
        let players = self.after_checkpoint()?.players.as_mut();
        players.ok_or_else(|| "the place of the opening comes before the chains of players".to_owned())?.entry(line)
    }

    pub(super) fn done(self) -> Option<LogEvidence> {
        self.logged
    }

    fn after_checkpoint(&mut self) -> Result<&mut LogEvidence, String> {
        self.logged.as_mut().ok_or_else(|| "the newest checkpoint comes before what leads to it".to_owned())
    }
}
