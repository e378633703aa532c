//! An entry: one line of text, stored verbatim. The reader accepts exactly the lines that the writer can write.

use std::fmt::Write as _;
use std::str::FromStr;

use thiserror::Error;

use crate::author::Author;
use crate::hash::Hash;
use crate::id::{MatchId, Seq};
use crate::json::{JsonFault, object_end};
use crate::kind::Kind;
use crate::leaf::leaf_hash;
use crate::moment::Moment;

/// The longest entry, in bytes: the limit of a C2SP tlog-tiles entry bundle, whose lengths have 16 bits.
pub const ENTRY_MAX_BYTES: usize = 65_535;

/// An entry before it has a place in its match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draft {
    /// The server's clock. If it runs backwards, the writer raises it to the previous entry's.
    pub at: Moment,
    /// The author.
    pub by: Author,
    /// The kind of entry.
    pub kind: Kind,
    /// One strict JSON object on one line, stored byte for byte.
    pub body: String,
}

/// The bytes of an entry: UTF-8, one line, at most [`ENTRY_MAX_BYTES`]. Made by [`Draft::write`] alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line(Box<[u8]>);

/// An entry that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The match it belongs to.
    pub match_id: MatchId,
    /// Its place in the match.
    pub seq: Seq,
    /// The leaf hash of the match's previous entry, [`Hash::ZERO`] in the first.
    pub prev: Hash,
    /// The server's clock.
    pub at: Moment,
    /// The author.
    pub by: Author,
    /// The kind of entry.
    pub kind: Kind,
    /// The JSON object, byte for byte.
    pub body: String,
}

/// An error in the bytes of an entry, or in a draft. Positions are bytes from the start of the entry.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum EntryError {
    /// More than [`ENTRY_MAX_BYTES`].
    #[error("an entry has at most 65535 bytes, this has {bytes}")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// Not UTF-8.
    #[error("byte {at}: an entry is UTF-8")]
    NotUtf8 {
        /// The position of the first wrong byte.
        at: usize,
    },
    /// A line break or another control character.
    #[error("byte {at}: an entry is one line without control characters")]
    Control {
        /// Its position.
        at: usize,
    },
    /// The next key is not the expected one: it is unknown, missing, repeated, or out of order.
    #[error("byte {at}: expected {expected}")]
    Expected {
        /// Its position.
        at: usize,
        /// The expected text.
        expected: &'static str,
    },
    /// A format this program does not know.
    #[error("byte {at}: version {found} of the format is unknown; this program knows version 1")]
    UnknownVersion {
        /// The position of the version.
        at: usize,
        /// The version.
        found: String,
    },
    /// A kind this program does not know.
    #[error("byte {at}: the kind {found:?} is unknown")]
    UnknownKind {
        /// The position of the kind.
        at: usize,
        /// The kind.
        found: String,
    },
    /// A value that is not in its one notation.
    #[error("byte {at}: {found:?} is no value of {key:?}")]
    Value {
        /// The position of the value.
        at: usize,
        /// Its key.
        key: &'static str,
        /// The value.
        found: String,
    },
    /// The body is not a strict JSON object.
    #[error(transparent)]
    Body(#[from] JsonFault),
    /// Text follows the end of the entry, or of the draft's body.
    #[error("byte {at}: the end was expected here")]
    LeftOver {
        /// The position at which it starts.
        at: usize,
    },
}

impl Line {
    /// The bytes that are hashed and stored, without a line break.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// The leaf hash, which the next entry of the match names.
    #[must_use]
    pub fn leaf(&self) -> Hash {
        leaf_hash(&self.0)
    }

    /// Returns the bytes.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0.into_vec()
    }
}

impl Draft {
    /// Writes the entry at its place in its match.
    ///
    /// # Errors
    /// [`EntryError::Body`] and [`EntryError::LeftOver`] (positions in the body) unless the body is exactly one strict
    /// JSON object, [`EntryError::Control`] unless it is on one line, [`EntryError::TooLong`].
    pub fn write(&self, match_id: MatchId, seq: Seq, prev: Hash) -> Result<Line, EntryError> {
        no_control(&self.body)?;
        let end = object_end(&self.body, 0)?;
        if end < self.body.len() {
            return Err(EntryError::LeftOver { at: end });
        }
        let mut line = head(match_id, seq, prev, self.at, &self.by, self.kind);
        line.push_str(&self.body);
        line.push('}');
        short_enough(line.as_bytes())?;
        Ok(Line(line.into_bytes().into()))
    }
}

impl Entry {
    /// Reads an entry. Everything except the body has one notation and one order; the body is any strict JSON object.
    ///
    /// # Errors
    /// The first fault found. Writing an accepted entry again gives the identical bytes.
    pub fn read(bytes: &[u8]) -> Result<Self, EntryError> {
        short_enough(bytes)?;
        let text = str::from_utf8(bytes).map_err(|error| EntryError::NotUtf8 { at: error.valid_up_to() })?;
        no_control(text)?;
        let mut cursor = Cursor { text, at: 0 };

        cursor.skip("{\"v\":")?;
        let (at, version) = cursor.until(',');
        if version != "1" {
            return Err(EntryError::UnknownVersion { at, found: version.to_owned() });
        }
        cursor.skip(",\"match\":\"")?;
        let match_id = cursor.value("match", '"')?;
        cursor.skip("\",\"seq\":")?;
        let seq = Seq(cursor.number("seq", ',')?);
        cursor.skip(",\"prev\":\"")?;
        let prev = cursor.value("prev", '"')?;
        cursor.skip("\",\"at\":\"")?;
        let at = cursor.value("at", '"')?;
        cursor.skip("\",\"by\":\"")?;
        let by = cursor.value("by", '"')?;
        cursor.skip("\",\"kind\":\"")?;
        let (kind_at, word) = cursor.until('"');
        let kind = word.parse().map_err(|_| EntryError::UnknownKind { at: kind_at, found: word.to_owned() })?;
        cursor.skip("\",\"body\":")?;
        let body_at = cursor.at;
        cursor.at = object_end(text, body_at)?;
        let body = text.get(body_at..cursor.at).unwrap_or_default().to_owned();
        cursor.skip("}")?;
        if cursor.at < text.len() {
            return Err(EntryError::LeftOver { at: cursor.at });
        }
        Ok(Self { match_id, seq, prev, at, by, kind, body })
    }

    /// Writes the entry again: exactly the bytes from which it was read.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let mut line = head(self.match_id, self.seq, self.prev, self.at, &self.by, self.kind);
        line.push_str(&self.body);
        line.push('}');
        line.into_bytes()
    }
}

fn head(match_id: MatchId, seq: Seq, prev: Hash, at: Moment, by: &Author, kind: Kind) -> String {
    let mut line = String::with_capacity(512);
    // Writing to a string cannot fail.
    let _ = write!(
        line,
        r#"{{"v":1,"match":"{match_id}","seq":{seq},"prev":"{prev}","at":"{at}","by":"{by}","kind":"{kind}","body":"#
    );
    line
}

const fn short_enough(bytes: &[u8]) -> Result<(), EntryError> {
    if bytes.len() > ENTRY_MAX_BYTES { Err(EntryError::TooLong { bytes: bytes.len() }) } else { Ok(()) }
}

fn no_control(text: &str) -> Result<(), EntryError> {
    // All bytes at once, which is faster than a search for the first: there hardly ever is one.
    if !text.bytes().fold(false, |any, byte| any | byte.is_ascii_control()) {
        return Ok(());
    }
    let at = text.bytes().position(|byte| byte.is_ascii_control()).unwrap_or_default();
    Err(EntryError::Control { at })
}

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, expected: &'static str) -> Result<(), EntryError> {
        if !self.rest().starts_with(expected) {
            return Err(EntryError::Expected { at: self.at, expected });
        }
        self.at += expected.len();
        Ok(())
    }

    fn until(&mut self, delimiter: char) -> (usize, &'a str) {
        let start = self.at;
        let found = self.rest().split(delimiter).next().unwrap_or_default();
        self.at += found.len();
        (start, found)
    }

    /// Reads a value of a type that has one notation, so that no two entries have the same meaning.
    fn value<T: FromStr>(&mut self, key: &'static str, delimiter: char) -> Result<T, EntryError> {
        let (at, found) = self.until(delimiter);
        found.parse().map_err(|_| EntryError::Value { at, key, found: found.to_owned() })
    }

    /// Reads a number in its one notation. The library also accepts a sign and leading zeros.
    fn number(&mut self, key: &'static str, delimiter: char) -> Result<u32, EntryError> {
        let (at, found) = self.until(delimiter);
        let plain = found == "0" || found.starts_with(|digit: char| matches!(digit, '1'..='9'));
        let number = found.parse().ok().filter(|_| plain);
        number.ok_or_else(|| EntryError::Value { at, key, found: found.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const GOLDEN: &str = concat!(
        r#"{"v":1,"match":"0197c5a4-6f1e-7000-8000-000000000001","seq":7,"#,
        r#""prev":"00000000000000000000000000000000000000000000000000000000000000ff","#,
        r#""at":"2026-11-20T20:41:48.381204Z","by":"umpire:k3x9","kind":"ruled","#,
        r#""body":{"rule":"1.4", "text":"é \u00e9","n":[1,-2]}}"#,
    );

    fn draft() -> Draft {
        Draft {
            at: "2026-11-20T20:41:48.381204Z".parse().unwrap(),
            by: "umpire:k3x9".parse().unwrap(),
            kind: Kind::Ruled,
            body: r#"{"rule":"1.4", "text":"é \u00e9","n":[1,-2]}"#.to_owned(),
        }
    }

    fn place() -> (MatchId, Seq, Hash) {
        let mut prev = [0; 32];
        prev[31] = 0xff;
        ("0197c5a4-6f1e-7000-8000-000000000001".parse().unwrap(), Seq(7), Hash::new(prev))
    }

    #[test]
    fn golden_bytes_and_leaf() {
        let (match_id, seq, prev) = place();
        let line = draft().write(match_id, seq, prev).unwrap();
        assert_eq!(str::from_utf8(line.bytes()).unwrap(), GOLDEN);
        assert_eq!(line.leaf().to_string(), "4e6d6c6c60b5f9c8ce30e0284de9cec1511ef0eee3f6923a8128fa822f8ec440");
        let entry = Entry::read(line.bytes()).unwrap();
        assert_eq!((entry.match_id, entry.seq, entry.prev), (match_id, seq, prev));
        assert_eq!(entry.body, draft().body);
        assert_eq!(entry.write(), line.into_bytes());
    }

    #[test]
    fn the_longest_entry() {
        let (match_id, seq, prev) = place();
        let with = |letters: usize| Draft { body: format!("{{\"a\":\"{}\"}}", "x".repeat(letters)), ..draft() };
        let overhead = with(0).write(match_id, seq, prev).unwrap().bytes().len();
        let longest = with(ENTRY_MAX_BYTES - overhead).write(match_id, seq, prev).unwrap();
        assert_eq!(longest.bytes().len(), ENTRY_MAX_BYTES);
        assert!(Entry::read(longest.bytes()).is_ok());
        let error = with(ENTRY_MAX_BYTES - overhead + 1).write(match_id, seq, prev).unwrap_err();
        assert_eq!(error.to_string(), "an entry has at most 65535 bytes, this has 65536");
        assert_eq!(Entry::read(&[b' '; ENTRY_MAX_BYTES + 1]).unwrap_err(), error);
    }

    #[test]
    fn an_entry_is_utf_8() {
        let mut bytes = GOLDEN.as_bytes().to_vec();
        bytes[240] = 0xff;
        assert_eq!(Entry::read(&bytes).unwrap_err().to_string(), "byte 240: an entry is UTF-8");
    }

    #[test]
    fn no_flipped_bit_goes_unseen() {
        let leaf = leaf_hash(GOLDEN.as_bytes());
        for at in 0..GOLDEN.len() {
            for bit in 0..8 {
                let mut bytes = GOLDEN.as_bytes().to_vec();
                bytes[at] ^= 1 << bit;
                assert_ne!(leaf_hash(&bytes), leaf);
                // Refused, or another entry that is written exactly as it was read.
                if let Ok(entry) = Entry::read(&bytes) {
                    assert_eq!(entry.write(), bytes);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            uuid in any::<u128>(),
            seq in any::<u32>(),
            prev in any::<[u8; 32]>(),
            micros in 0..=Moment::MAX.micros(),
            by in "p1|p2|host|server|umpire:[a-z0-9]{1,32}",
            kind in prop::sample::select(Kind::ALL),
            text in ".*",
        ) {
            let body = serde_json::json!({ "text": text }).to_string();
            prop_assume!(!body.bytes().any(|byte| byte.is_ascii_control()));
            let at = Moment::from_micros(micros).unwrap();
            let draft = Draft { at, by: by.parse().unwrap(), kind, body };
            let match_id = MatchId(uuid::Uuid::from_u128(uuid));
            let line = draft.write(match_id, Seq(seq), Hash::new(prev)).unwrap();
            let entry = Entry::read(line.bytes()).unwrap();
            prop_assert_eq!(&entry.body, &draft.body);
            prop_assert_eq!((entry.match_id, entry.seq, entry.prev.bytes()), (match_id, Seq(seq), &prev));
            prop_assert_eq!((entry.at, entry.by.clone(), entry.kind), (draft.at, draft.by, draft.kind));
            prop_assert_eq!(entry.write(), line.into_bytes());
        }
    }
}
