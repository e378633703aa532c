//! A line of a bundle as JSON, and notes in it.

use ledger::Note;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Writes a line other than an entry. Strings, integers and hashes: all of it can become JSON.
pub(super) fn json(line: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(line).unwrap_or_default()
}

pub(super) fn parsed<T: DeserializeOwned>(line: &[u8]) -> Result<T, String> {
    serde_json::from_slice(line).map_err(|why| why.to_string())
}

pub(super) fn note(text: &str) -> Result<Note, String> {
    text.parse().map_err(|why: ledger::note::NoteError| why.to_string())
}
