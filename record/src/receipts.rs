//! A player's receipts as a file that anyone can check, later and without the server.
//!
//! One JSON object a line. The header is first: the seat, the host's key, the log's key, and the match's first entry,
//! which names the host's key, with its place in the log. Then each receipt, with its openings and, once it is in the
//! record, the entry that contains it, verbatim, with its place in the log (a C2SP tlog-proof as text).

mod entries;

use engine::Seat;
use ledger::ed25519::PublicKey;
use ledger::policy::Judgement;
use ledger::{
    Checkpoint, Commitment, Entry, Hash, MatchId, Origin, Policy, Receipt, SealKey, SealMessage, Sealer, SignedReceipt,
    TlogProof, VerifierKey, leaf_hash,
};
use serde::{Deserialize, Serialize};

pub use entries::{FileMismatch, NotYet, ReceiptPlace};

use crate::body::{Body, ReplacedOpening, SeatWord};
use crate::succession::successions;

/// Receipts of a seat.
#[derive(Clone, Debug)]
pub struct ReceiptFile {
    /// The seat, and the keys for the check.
    pub header: Header,
    /// The receipts, in order.
    pub receipts: Vec<Line>,
}

/// The first line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    matchbook: String,
    /// The log's name.
    pub origin: Origin,
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The seat.
    pub seat: SeatWord,
    /// The host's Ed25519 public key, base64.
    pub host_key: String,
    /// The log's verifier key, if the log signs.
    pub log: Option<VerifierKey>,
    /// The match's first entry, which names the host's key.
    pub opened: Option<EntryProof>,
}

/// One receipt.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The signed note.
    pub receipt: String,
    /// The openings of its commitments, if known.
    pub openings: Vec<ReplacedOpening>,
    /// The entry that contains it, if there is one.
    pub entry: Option<EntryProof>,
}

/// An entry and its place in the log.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EntryProof {
    /// The entry, verbatim.
    pub entry: String,
    /// Its tlog-proof, once a signed tree covers it.
    pub proof: Option<String>,
}

/// The result of checking one receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiptCheck {
    /// The name of the receipt, such as `d3/0`.
    pub name: String,
    /// The result.
    pub status: ReceiptStatus,
}

/// The result for a receipt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReceiptStatus {
    /// The host signed it, and a signed tree covers the entry that contains it.
    Proven {
        /// It counted; otherwise the entry shows it as one that did not.
        counted: bool,
        /// The witnesses of the policy that cosigned the tree.
        witnesses: Vec<String>,
    },
    /// The host signed it, and the entry is here, but this file does not prove that a signed tree covers it.
    Entered,
    /// The host signed it, and there is no entry here.
    Received,
    /// Two parts of the file contradict each other.
    Broken {
        /// The contradiction.
        why: String,
    },
}

impl std::fmt::Display for ReceiptStatus {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Proven { counted, witnesses } => {
                let what = if *counted { "it counted" } else { "it was replaced, and is shown in the record" };
                let seen = if witnesses.is_empty() {
                    String::new()
                } else {
                    format!("; the tree was seen by {}", witnesses.join(", "))
                };
                write!(f, "proven: the host signed that it received this, and a signed tree covers its entry; {what}{seen}")
            }
            Self::Entered => f.write_str(
                "in the record: the host signed that it received this, and its entry is here; no signed tree that covers it is",
            ),
            Self::Received => f.write_str(
                "received: the host signed that it received this; no entry is here. If the match has ended, this is \
                 evidence against the server",
            ),
            Self::Broken { why } => write!(f, "broken: {why}"),
        }
    }
}

/// An error in a file of receipts.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct ReceiptFileError {
    /// From 1.
    pub line: usize,
    /// The fault.
    pub why: String,
}

const FORMAT: &str = "receipts/1";

impl Header {
    /// The header for a seat's receipts.
    #[must_use]
    pub fn new(origin: Origin, match_id: MatchId, seat: Seat, host_key: String) -> Self {
        let (matchbook, seat) = (FORMAT.to_owned(), SeatWord(seat));
        Self { matchbook, origin, match_id, seat, host_key, log: None, opened: None }
    }

    fn host(&self) -> Result<PublicKey, String> {
        // A key is 32 bytes in base64, like a hash, and has the same notation.
        let bytes = Hash::from_base64(&self.host_key).map_err(|_| "the host's key is not 32 bytes in base64")?;
        PublicKey::read(bytes.bytes()).map_err(|error| error.to_string())
    }

    /// The keys under which the host may have signed: that of the opening, and those that a checkpoint of the log names for
    /// later. A running match keeps its key; where that is lost or stolen, a later one signs.
    fn hosts(&self, checkpoint: Option<&Checkpoint>) -> Result<Vec<PublicKey>, String> {
        let first = self.host()?;
        let later = match checkpoint {
            Some(checkpoint) => successions(checkpoint, Some(self.origin.as_str()))?,
            None => Vec::new(),
        };
        let later = later.iter().filter_map(|term| PublicKey::read(term.host.bytes()).ok());
        Ok(std::iter::once(first).chain(later).collect())
    }
}

impl ReceiptFile {
    /// Writes the file.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        // Strings and lists: all of it can become JSON.
        let mut out = serde_json::to_vec(&self.header).unwrap_or_default();
        out.push(b'\n');
        for line in &self.receipts {
            out.extend(serde_json::to_vec(line).unwrap_or_default());
            out.push(b'\n');
        }
        out
    }

    /// Reads a file. [`ReceiptFile::check`] judges its content.
    pub fn read(bytes: &[u8]) -> Result<Self, ReceiptFileError> {
        let error = |line: usize, why: &dyn ToString| ReceiptFileError { line, why: why.to_string() };
        let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let mut lines = body.split(|byte| *byte == b'\n').zip(1..);
        let (first, _) = lines.next().unwrap_or_default();
        let header: Header = serde_json::from_slice(first).map_err(|why| error(1, &why))?;
        if header.matchbook != FORMAT {
            return Err(error(1, &format!("this program reads {FORMAT}, and this is {:?}", header.matchbook)));
        }
        let line = |(line, number): (&[u8], usize)| serde_json::from_slice(line).map_err(|why| error(number, &why));
        Ok(Self { receipts: lines.map(line).collect::<Result<_, _>>()?, header })
    }

    /// True if every receipt comes with an entry and the signed tree that covers it.
    #[must_use]
    pub fn is_proven(&self) -> bool {
        self.receipts.iter().all(|line| line.entry.as_ref().is_some_and(|entry| entry.proof.is_some()))
    }

    /// True if the file proves the host's key: the match's first entry names it, and a signed tree covers that entry.
    /// Otherwise the key is only a claim of the file, and the maker of the file may have signed its receipts.
    #[must_use]
    pub fn shows_host(&self, policy: &Policy) -> bool {
        self.header.opened.as_ref().is_some_and(|opened| opened.proof.is_some()) && self.opened(policy).is_ok()
    }

    /// Checks every receipt: the host's signature, the chain of receipts, the openings, the entry that contains each,
    /// and its place in a tree that the log signed and enough witnesses of the policy saw.
    #[must_use]
    pub fn check(&self, policy: &Policy) -> Vec<ReceiptCheck> {
        let hosts = self.opened(policy).and_then(|checkpoint| self.header.hosts(checkpoint.as_ref()));
        let mut before: Option<SignedReceipt> = None;
        let mut checked = Vec::new();
        for line in &self.receipts {
            let read = SignedReceipt::read(line.receipt.as_bytes());
            let name = match &read {
                Ok(signed) => format!("{}/{}", signed.receipt.decision, signed.receipt.ordinal),
                Err(_) => "?".to_owned(),
            };
            let status = read.map_err(|error| error.to_string()).and_then(|signed| {
                let status =
                    self.line(line, &signed, hosts.as_deref().map_err(String::clone)?, before.as_ref(), policy)?;
                before = Some(signed);
                Ok(status)
            });
            checked.push(ReceiptCheck { name, status: status.unwrap_or_else(|why| ReceiptStatus::Broken { why }) });
        }
        checked
    }

    fn opened(&self, policy: &Policy) -> Result<Option<Checkpoint>, String> {
        let Some(opened) = &self.header.opened else { return Ok(None) };
        let entry = Entry::read(opened.entry.as_bytes()).map_err(|error| format!("the first entry: {error}"))?;
        let names = match Body::read(&entry) {
            Ok(Body::Opened(body)) => body.host_key == self.header.host_key,
            _ => false,
        };
        if entry.match_id != self.header.match_id || !names {
            return Err("the match's first entry names another key of the host".to_owned());
        }
        Ok(self.placed(opened, policy)?.map(|judged| judged.checkpoint))
    }

    fn line(
        &self,
        line: &Line,
        signed: &SignedReceipt,
        hosts: &[PublicKey],
        before: Option<&SignedReceipt>,
        policy: &Policy,
    ) -> Result<ReceiptStatus, String> {
        let (header, receipt) = (&self.header, &signed.receipt);
        if (&receipt.origin, receipt.match_id, receipt.seat) != (&header.origin, header.match_id, header.seat.sealer())
        {
            return Err("the receipt is of another log, match or seat than the file says".to_owned());
        }
        signed_by_any(signed, hosts)?;
        match (receipt.ordinal, before.filter(|before| before.receipt.decision == receipt.decision)) {
            (0, _) if receipt.previous != Hash::ZERO => {
                return Err("the first receipt for a decision names one before it".to_owned());
            }
            (ordinal, Some(before)) if before.receipt.ordinal + 1 == ordinal && before.hash() != receipt.previous => {
                return Err("the receipt names another one before it than the one in this file".to_owned());
            }
            _ => {}
        }
        for (opening, commitment) in line.openings.iter().zip(&receipt.commitments) {
            opens(receipt, opening, commitment)?;
        }
        let Some(placed) = &line.entry else { return Ok(ReceiptStatus::Received) };
        let counted = holds(receipt, placed)?;
        match self.placed(placed, policy)? {
            Some(judged) => {
                let witnesses = judged.cosigned.iter().map(|cosigned| cosigned.witness.name.to_string()).collect();
                Ok(ReceiptStatus::Proven { counted, witnesses })
            }
            None => Ok(ReceiptStatus::Entered),
        }
    }

    fn placed<'p>(&self, placed: &EntryProof, policy: &'p Policy) -> Result<Option<Judgement<'p>>, String> {
        let Some(proof) = &placed.proof else { return Ok(None) };
        let log = self.header.log.as_ref().ok_or("a proof came along, and no key of the log")?;
        let proof = TlogProof::read(proof.as_bytes()).map_err(|error| error.to_string())?;
        let leaf = leaf_hash(placed.entry.as_bytes());
        let judged =
            if policy.logs().is_empty() { proof.check_as_of(leaf, log, policy) } else { proof.check(leaf, policy) };
        let judged = judged.map_err(|error| error.to_string())?;
        // An entry does not name its log. A policy may know several logs, and one must not pass for another.
        if !is_name_of(&self.header.origin, judged.checkpoint.origin().as_str()) {
            return Err("the proof is of another log than the receipt".to_owned());
        }
        Ok(Some(judged))
    }
}

fn signed_by_any(signed: &SignedReceipt, hosts: &[PublicKey]) -> Result<(), String> {
    let mut why = String::new();
    for host in hosts {
        match signed.check(*host) {
            Ok(()) => return Ok(()),
            Err(error) => why = error.to_string(),
        }
    }
    Err(why)
}

fn is_name_of(origin: &Origin, name: &str) -> bool {
    name.strip_prefix(origin.as_str()).is_some_and(|rest| {
        let term = rest.strip_prefix('/').and_then(|term| Some((term, term.parse::<u32>().ok()?)));
        rest.is_empty() || term.is_some_and(|(text, term)| term >= 2 && text == term.to_string())
    })
}

fn opens(receipt: &Receipt, opening: &ReplacedOpening, commitment: &Commitment) -> Result<(), String> {
    let key = SealKey::from_hex(&opening.key).map_err(|error| error.to_string())?;
    let message = SealMessage {
        origin: &receipt.origin,
        match_id: receipt.match_id,
        decision: &receipt.decision,
        seat: receipt.seat,
        field: &opening.field,
        asked: receipt.asked,
        value: &opening.value,
    };
    message.open(&key, commitment).map_err(|error| format!("{}: {error}", opening.field))
}

fn holds(receipt: &Receipt, placed: &EntryProof) -> Result<bool, String> {
    let entry = Entry::read(placed.entry.as_bytes()).map_err(|error| format!("the entry: {error}"))?;
    let other = || "the entry holds another submission than the receipt".to_owned();
    if entry.match_id != receipt.match_id {
        return Err(other());
    }
    let (decision, ordinal) = (&receipt.decision, receipt.ordinal);
    match Body::read(&entry)? {
        Body::Sealed(sealed) => {
            let same = (&sealed.decision, sealed.seat.sealer(), sealed.ordinal) == (decision, receipt.seat, ordinal)
                && sealed.came == receipt.at
                && sealed.commitments == receipt.commitments
                && sealed.is_final == receipt.is_final;
            if same { Ok(true) } else { Err(other()) }
        }
        Body::Unsealed(body) => {
            let same = |one: &crate::body::ReplacedSubmission| {
                (&one.decision, one.seat.sealer(), one.ordinal) == (decision, receipt.seat, ordinal)
                    && one.came == receipt.at
                    && one.commitments == receipt.commitments
                    && one.is_final == receipt.is_final
            };
            if body.replaced.iter().any(same) { Ok(false) } else { Err(other()) }
        }
        // What it opens stands in the list of shares, whose leaf hash the receipt names.
        Body::ShareOpenings(body) => {
            let came = match receipt.seat {
                Sealer::P1 => body.came.p1,
                Sealer::P2 => body.came.p2,
                Sealer::Host => None,
            };
            let opens = decision.as_str().starts_with("open-") && came == Some(receipt.at);
            if opens { Ok(true) } else { Err(other()) }
        }
        _ => Err(other()),
    }
}

#[cfg(test)]
mod tests;
