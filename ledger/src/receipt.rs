//! Receipts: the host's signature for a submission, made as soon as the submission is durable.
//!
//! `docs/record-format.md`, "Receipts". A receipt is a signed note by the host's key. Together with the entry that
//! contains its commitments it is the player's lasting proof; without that entry it is evidence against the server.

use std::str::FromStr;

use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::ed25519::PublicKey;
use crate::hash::Hash;
use crate::id::MatchId;
use crate::moment::Moment;
use crate::note::{Note, NoteError, NoteText, SignerKey, VerifierKey};
use crate::seal::{Commitment, Sealer};
use crate::submit::FINAL;
use crate::word::{DecisionId, Origin};

const FORMAT: &str = "matchbook/receipt/1";
const OF_FINAL: &str = "matchbook/receipt/2";

/// The content of a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// The log's name.
    pub origin: Origin,
    /// The match.
    pub match_id: MatchId,
    /// The decision that is answered.
    pub decision: DecisionId,
    /// The leaf hash of the entry that asked.
    pub asked: Hash,
    /// The seat that submitted.
    pub seat: Sealer,
    /// The submission's number among the seat's for this decision, from 0.
    pub ordinal: u32,
    /// The time of arrival.
    pub at: Moment,
    /// The [hash](SignedReceipt::hash) of the seat's previous receipt for this decision; zeros in the first.
    pub previous: Hash,
    /// One for every field, in field order.
    pub commitments: Vec<Commitment>,
    /// True if the seat called it final.
    pub is_final: bool,
}

/// A receipt with its signature, as the player stores it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignedReceipt {
    /// The content.
    pub receipt: Receipt,
    note: Note,
}

/// The reason why a text is not a receipt, or not a valid one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReceiptError {
    /// Not a signed note.
    #[error("this is no signed note: {0}")]
    Note(#[from] NoteError),
    /// A signed note with another content.
    #[error("line {line} of a receipt should be {expected}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// The expected line.
        expected: &'static str,
    },
    /// The host did not sign it.
    #[error("this receipt was not signed by the host's key, or was altered afterwards")]
    NotSigned,
}

impl Receipt {
    fn text(&self) -> Result<NoteText, NoteError> {
        let Self { origin, match_id, decision, asked, seat, ordinal, at, previous, commitments, is_final } = self;
        let format = if *is_final { OF_FINAL } else { FORMAT };
        let mut text =
            format!("{format}\n{origin}\n{match_id}\n{decision}\n{asked}\n{seat}\n{ordinal}\n{at}\n{previous}\n");
        for commitment in commitments {
            text.push_str(&format!("{commitment}\n"));
        }
        if *is_final {
            text.push_str(&format!("{FINAL}\n"));
        }
        Ok(text.parse::<NoteText>()?)
    }

    /// Signs it. The same receipt gives the same bytes every time.
    pub fn sign(self, host: &SignerKey) -> Result<SignedReceipt, ReceiptError> {
        let note = Note::sign(self.text()?, host);
        Ok(SignedReceipt { receipt: self, note })
    }
}

impl SignedReceipt {
    /// Reads a receipt without checking its signature.
    pub fn read(bytes: &[u8]) -> Result<Self, ReceiptError> {
        let note = Note::read(bytes)?;
        let text = note.text().as_str();
        let is_final = text.lines().next() == Some(OF_FINAL);
        let unmarked = if is_final { text.strip_suffix("final\n").unwrap_or_default() } else { text };
        let mut lines = Lines { lines: unmarked.lines(), line: 0 };
        lines.next("matchbook/receipt/1", |line| (is_final || line == FORMAT).then_some(()))?;
        let receipt = Receipt {
            origin: lines.parsed("the log's name")?,
            match_id: lines.parsed("a match id")?,
            decision: lines.parsed("a decision's id")?,
            asked: lines.parsed("the leaf hash of the entry that asked, in hex")?,
            seat: lines.parsed("p1, p2 or host")?,
            ordinal: lines.parsed("the submission's number")?,
            at: lines.parsed("a time")?,
            previous: lines.parsed("the hash of the receipt before, in hex")?,
            commitments: lines.rest("a commitment, in hex")?,
            is_final,
        };
        // One receipt has one text: no other notation of a number, no blank line.
        if receipt.text()? == *note.text() {
            Ok(Self { receipt, note })
        } else {
            Err(ReceiptError::Line { line: 7, expected: "the submission's number" })
        }
    }

    /// Checks that the host signed it. The key is the one in the match's first entry, under the log's name.
    pub fn check(&self, host: PublicKey) -> Result<(), ReceiptError> {
        let key = VerifierKey::ed25519((&self.receipt.origin).into(), host);
        self.note.verify([&key]).map(drop).map_err(|_| ReceiptError::NotSigned)
    }

    /// The receipt as the player stores it.
    #[must_use]
    pub fn text(&self) -> String {
        self.note.to_string()
    }

    /// SHA-256 of the whole note, signature included; the next receipt names it.
    #[must_use]
    pub fn hash(&self) -> Hash {
        Hash::new(Sha256::digest(self.text()).into())
    }
}

struct Lines<'t> {
    lines: std::str::Lines<'t>,
    line: usize,
}

impl<'t> Lines<'t> {
    fn next<T>(&mut self, expected: &'static str, read: impl FnOnce(&'t str) -> Option<T>) -> Result<T, ReceiptError> {
        self.line += 1;
        let refused = ReceiptError::Line { line: self.line, expected };
        self.lines.next().and_then(read).ok_or(refused)
    }

    fn parsed<T: FromStr>(&mut self, expected: &'static str) -> Result<T, ReceiptError> {
        self.next(expected, |line| line.parse().ok())
    }

    fn rest<T: FromStr>(&mut self, expected: &'static str) -> Result<Vec<T>, ReceiptError> {
        let mut rest = vec![self.parsed(expected)?];
        while self.lines.clone().next().is_some() {
            rest.push(self.parsed(expected)?);
        }
        Ok(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host() -> SignerKey {
        SignerKey::from_seed("localhost/matchbook-0123abcd".parse().unwrap(), &std::array::from_fn(|i| i as u8))
    }

    fn receipt() -> Receipt {
        Receipt {
            origin: "localhost/matchbook-0123abcd".parse().unwrap(),
            match_id: "0197c5a4-6f1e-7000-8000-000000000001".parse().unwrap(),
            decision: "d1".parse().unwrap(),
            asked: Hash::new([0x11; 32]),
            seat: Sealer::P1,
            ordinal: 3,
            at: "2026-11-20T20:41:48.381204Z".parse().unwrap(),
            previous: Hash::ZERO,
            commitments: vec![Commitment::new([0xaa; 32]), Commitment::new([0xbb; 32])],
            is_final: false,
        }
    }

    fn public(key: &SignerKey) -> PublicKey {
        PublicKey::read(key.verifier().public().try_into().unwrap()).unwrap()
    }

    #[test]
    fn golden_receipt() {
        let signed = receipt().sign(&host()).unwrap();
        let lines = [
            "matchbook/receipt/1",
            "localhost/matchbook-0123abcd",
            "0197c5a4-6f1e-7000-8000-000000000001",
            "d1",
            &"11".repeat(32),
            "p1",
            "3",
            "2026-11-20T20:41:48.381204Z",
            &"00".repeat(32),
            &"aa".repeat(32),
            &"bb".repeat(32),
            "",
            // The same by hand: the key id, then `openssl pkeyutl -sign -rawin` over the lines above the blank one.
            "— localhost/matchbook-0123abcd AU93u498vSFvr4dEwr5pedBs/RqzFRLME8/Wx6eNSQ2/NzUq89htJNUqYmBPvbf4MXyvEtRQ00Hzc81GOnnNW93UsQ4=",
            "",
        ];
        assert_eq!(signed.text(), lines.join("\n"));
        assert_eq!(signed.hash().to_string(), "8a2b759ad70384c3ea5460cf1d449db130be4a71694eb6030cb4c9cff4e26a2a");
        let read = SignedReceipt::read(signed.text().as_bytes()).unwrap();
        assert_eq!(read, signed);
        assert_eq!(read.check(public(&host())), Ok(()));
    }

    #[test]
    fn a_receipt_of_a_final_submission_says_so_in_its_first_and_last_line() {
        let signed = Receipt { is_final: true, ..receipt() }.sign(&host()).unwrap();
        let text = |receipt: &Receipt| receipt.text().unwrap().as_str().to_owned();
        let of_final = text(&receipt()).replacen("receipt/1", "receipt/2", 1);
        assert_eq!(text(&signed.receipt), format!("{of_final}final\n"));
        let read = SignedReceipt::read(signed.text().as_bytes()).unwrap();
        assert_eq!(read, signed);
        assert_eq!(read.check(public(&host())), Ok(()));
        let signs = |text: &str| Note::sign(text.parse().unwrap(), &host()).to_string();
        for other in [of_final.clone(), format!("{of_final}Final\n"), format!("{}final\n", text(&receipt()))] {
            let refused = SignedReceipt::read(signs(&other).as_bytes());
            assert!(matches!(refused, Err(ReceiptError::Line { .. })), "{other}");
        }
    }

    #[test]
    fn an_altered_receipt_is_refused() {
        let signed = receipt().sign(&host()).unwrap();
        let stranger = SignerKey::from_seed("localhost/matchbook-0123abcd".parse().unwrap(), &[9; 32]);
        assert_eq!(signed.check(public(&stranger)), Err(ReceiptError::NotSigned));
        let text = signed.text();
        for at in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            // A change that still reads as a receipt is not signed.
            if let Ok(read) = SignedReceipt::read(&bytes) {
                assert_eq!(read.check(public(&host())), Err(ReceiptError::NotSigned), "byte {at}");
            }
        }
    }

    #[test]
    fn what_is_no_receipt_is_said_by_line() {
        let whole = receipt().text().unwrap().as_str().to_owned();
        let lines: Vec<&str> = whole.lines().collect();
        let expected = [
            "matchbook/receipt/1",
            "the log's name",
            "a match id",
            "a decision's id",
            "the leaf hash of the entry that asked, in hex",
            "p1, p2 or host",
            "the submission's number",
            "a time",
            "the hash of the receipt before, in hex",
            "a commitment, in hex",
            "a commitment, in hex",
        ];
        for (n, expected) in expected.into_iter().enumerate() {
            let mut altered = lines.clone();
            altered[n] = " ";
            let note = Note::sign(format!("{}\n", altered.join("\n")).parse().unwrap(), &host());
            let refused = SignedReceipt::read(note.to_string().as_bytes());
            assert_eq!(refused, Err(ReceiptError::Line { line: n + 1, expected }));
        }
        let loose = Note::sign(whole.replace("\n3\n", "\n03\n").parse().unwrap(), &host());
        let refused = SignedReceipt::read(loose.to_string().as_bytes()).unwrap_err();
        assert_eq!(refused.to_string(), "line 7 of a receipt should be the submission's number");
        assert_eq!(
            SignedReceipt::read(b"").unwrap_err().to_string(),
            format!("this is no signed note: {}", NoteError::NoBlankLine)
        );
        assert_eq!(
            ReceiptError::NotSigned.to_string(),
            "this receipt was not signed by the host's key, or was altered afterwards"
        );
    }
}
