//! A match as a file that anyone can check: its entries verbatim, the texts that still exist, and the proof that the
//! log has them.
//!
//! One JSON object a line. First the header; then every entry exactly as it is stored (each line's SHA-256 after a zero
//! byte is its leaf hash); then the texts; then the newest checkpoint, the earlier trees that entries name, and the
//! places of the seals; and the chains of the players who vouch for a seat's key.

mod entry_places;
mod json_line;
mod log_evidence;
mod player_evidence;
mod read;
mod tree_mentions;
mod tree_proof;

use ledger::{Commitment, Hash, Head, MatchId, Origin};
use serde::{Deserialize, Serialize};

pub use log_evidence::{LogEvidence, SealProof};
pub use player_evidence::{ChainEntry, PlayerEvidence};
pub use tree_mentions::{Answered, CoveringTree, SignedTree, TreeMention, TreeMentions};
pub use tree_proof::TreeProof;

pub(crate) use entry_places::EntryPlaces;
use json_line::json;

use crate::text::Texts;

/// A match without anything that a verifier must trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// The log's name.
    pub origin: Origin,
    /// The match.
    pub match_id: MatchId,
    /// The entries' bytes, in order.
    pub lines: Vec<Vec<u8>>,
    /// The number of entries at the time of the export, and the leaf hash of the last.
    pub head: Head,
    /// The texts that exist.
    pub texts: Texts,
    /// The proof that the entries are in the log; none if no signed tree covered one of them.
    pub logged: Option<LogEvidence>,
}

/// An error in a bundle's file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct BundleError {
    /// From 1.
    pub line: usize,
    /// The fault.
    pub why: String,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    matchbook: String,
    origin: Origin,
    #[serde(rename = "match")]
    match_id: MatchId,
    entries: u32,
    head: Hash,
    more: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TextLine {
    commitment: Commitment,
    key: String,
    text: String,
}

const FORMAT: &str = "bundle/2";

impl Bundle {
    /// Writes the file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut more: Vec<Vec<u8>> = Vec::new();
        for (commitment, text) in &self.texts {
            let line = TextLine { commitment: *commitment, key: text.key.to_hex(), text: text.text.clone() };
            more.push(json(&line));
        }
        if let Some(logged) = &self.logged {
            more.extend(logged.write());
        }
        let header = Header {
            matchbook: FORMAT.to_owned(),
            origin: self.origin.clone(),
            match_id: self.match_id,
            entries: self.head.next.0,
            head: self.head.leaf,
            more: u32::try_from(more.len()).unwrap_or(u32::MAX),
        };
        let header = [json(&header)];
        let mut out = Vec::new();
        for line in header.iter().chain(&self.lines).chain(&more) {
            out.extend_from_slice(line);
            out.push(b'\n');
        }
        out
    }
}
