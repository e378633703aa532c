//! The lines of a bundle about registered players: the chains of those who vouch for a seat's key, and the proof that
//! they stood in the log before the match was opened.

use ledger::{Hash, InclusionProof, LeafIndex, PlayerId, TreeSize};
use serde::{Deserialize, Serialize};

use super::json_line::{json, parsed};
use super::tree_proof::{TreeLine, TreeProof};

/// The proof about the chains of players.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerEvidence {
    /// The place of the match's first entry in the log.
    pub opened: LeafIndex,
    /// The path from it to the newest checkpoint's root.
    pub inclusion: InclusionProof,
    /// A tree of the log from before the opening.
    pub before: TreeProof,
    /// The entries of the chains, each chain's in order.
    pub entries: Vec<ChainEntry>,
}

/// An entry of a player's chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainEntry {
    /// The player.
    pub player: PlayerId,
    /// The entry, byte for byte.
    pub bytes: Vec<u8>,
    /// Its place in the log.
    pub index: LeafIndex,
    /// The size of the tree of the proof: the one before the opening, or the newest.
    pub size: TreeSize,
    /// The path from it to that tree's root.
    pub inclusion: InclusionProof,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OpenedLine {
    opened: Place,
    before: TreeLine,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    index: u64,
    proof: Vec<Hash>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlayerLine {
    player: PlayerId,
    entry: String,
    index: u64,
    size: u64,
    proof: Vec<Hash>,
}

impl PlayerEvidence {
    pub(super) fn write(&self) -> impl Iterator<Item = Vec<u8>> {
        let opened = json(&OpenedLine {
            opened: Place { index: self.opened.0, proof: self.inclusion.path.clone() },
            before: TreeLine::of(&self.before),
        });
        let entries = self.entries.iter().map(|entry| {
            json(&PlayerLine {
                player: entry.player,
                entry: String::from_utf8_lossy(&entry.bytes).into_owned(),
                index: entry.index.0,
                size: entry.size.0,
                proof: entry.inclusion.path.clone(),
            })
        });
        std::iter::once(opened).chain(entries)
    }

    pub(super) fn opened(line: &[u8]) -> Result<Self, String> {
        let OpenedLine { opened, before } = parsed(line)?;
        Ok(Self {
            opened: LeafIndex(opened.index),
            inclusion: InclusionProof { path: opened.proof },
            before: before.read()?,
            entries: Vec::new(),
        })
    }

    pub(super) fn entry(&mut self, line: &[u8]) -> Result<(), String> {
        let PlayerLine { player, entry, index, size, proof } = parsed(line)?;
        if self.entries.last().is_some_and(|last| (last.player, last.index.0) >= (player, index)) {
            return Err("chains come in the order of their players, and each in the order of the log".to_owned());
        }
        let (index, size, inclusion) = (LeafIndex(index), TreeSize(size), InclusionProof { path: proof });
        self.entries.push(ChainEntry { player, bytes: entry.into_bytes(), index, size, inclusion });
        Ok(())
    }
}
