//! A match as a file that anyone can check: its entries verbatim, and the texts that still exist.
//!
//! One JSON object a line. First the header; then every entry exactly as it is stored (each line's SHA-256 after a zero
//! byte is its leaf hash); then the texts.

use ledger::{Commitment, Hash, Head, MatchId, Origin, SealKey, Seq};
use serde::{Deserialize, Serialize};

use crate::word::{Text, Texts};

/// A match with nothing in it that a verifier must trust.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bundle {
    /// The log's name.
    pub origin: Origin,
    /// The match.
    pub match_id: MatchId,
    /// The entries' bytes, in order.
    pub lines: Vec<Vec<u8>>,
    /// How many entries there were when it was made, and the leaf hash of the last.
    pub head: Head,
    /// The texts that exist.
    pub texts: Texts,
}

/// Why a file is no bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct BundleError {
    /// From 1.
    pub line: usize,
    /// What is wrong there.
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
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TextLine {
    commitment: Commitment,
    key: String,
    text: String,
}

const FORMAT: &str = "bundle/1";

impl Bundle {
    /// Writes the file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let header = Header {
            matchbook: FORMAT.to_owned(),
            origin: self.origin.clone(),
            match_id: self.match_id,
            entries: self.head.next.0,
            head: self.head.leaf,
        };
        // Strings, integers and hashes: nothing in here can fail to become JSON.
        let mut out = serde_json::to_vec(&header).unwrap_or_default();
        out.push(b'\n');
        for line in &self.lines {
            out.extend_from_slice(line);
            out.push(b'\n');
        }
        for (commitment, text) in &self.texts {
            let line = TextLine { commitment: *commitment, key: text.key.to_hex(), text: text.text.clone() };
            out.extend(serde_json::to_vec(&line).unwrap_or_default());
            out.push(b'\n');
        }
        out
    }

    /// Reads a file. Entries are taken as they stand: whether they are any good is for the verification to say.
    ///
    /// # Errors
    /// The header or a text does not read, or fewer lines follow than the header says.
    pub fn read(bytes: &[u8]) -> Result<Self, BundleError> {
        let error = |line: usize, why: &dyn ToString| BundleError { line, why: why.to_string() };
        let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let mut lines = body.split(|byte| *byte == b'\n');
        let header = lines.next().unwrap_or_default();
        let header: Header = serde_json::from_slice(header).map_err(|why| error(1, &why))?;
        if header.matchbook != FORMAT {
            return Err(error(1, &format!("this program reads {FORMAT}, and this is {:?}", header.matchbook)));
        }
        let count = usize::try_from(header.entries).unwrap_or(usize::MAX);
        let mut rest = lines.enumerate().map(|(n, line)| (n + 2, line));
        // The count is a claim: a file that ends early, or has an entry too many, is for finding 1.
        let mut entries = Vec::new();
        let mut texts = Texts::new();
        for (n, line) in rest.by_ref() {
            if line.starts_with(br#"{"commitment":"#) && entries.len() >= count {
                let (commitment, text) = text_line(line).map_err(|why| error(n, &why))?;
                if texts.insert(commitment, text).is_some() {
                    return Err(error(n, &"this text stands here twice"));
                }
            } else {
                entries.push(line.to_vec());
            }
        }
        let head = Head { next: Seq(header.entries), leaf: header.head };
        Ok(Self { origin: header.origin, match_id: header.match_id, lines: entries, head, texts })
    }
}

fn text_line(line: &[u8]) -> Result<(Commitment, Text), String> {
    let line: TextLine = serde_json::from_slice(line).map_err(|why| why.to_string())?;
    let key = SealKey::from_hex(&line.key).map_err(|why| why.to_string())?;
    Ok((line.commitment, Text { key, text: line.text }))
}
