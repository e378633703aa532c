//! One request to one witness (C2SP tlog-witness, "add-checkpoint"), and the meaning of its answer. An answer needs the
//! witness's signature to be believed. The exception is the size that it reports, which only chooses the next request.

use std::time::Duration;

use http::{StatusCode, header};
use ledger::checkpoint::Checkpoint;
use ledger::note::{NoteError, VerifyError};
use ledger::witness::{AddCheckpoint, RequestError};
use ledger::{ConsistencyProof, CosignedAt, Note, OriginLine, Signature, TreeSize, VerifierKey};
use thiserror::Error;

use crate::fetch::{Fetch, FetchError, Fetched, Limits};

const LIMITS: Limits = Limits { time: Duration::from_secs(10), bytes: 64 * 1024 };
const SAID_MAX: usize = 200;

#[derive(Debug, Clone)]
pub struct Witness {
    pub name: String,
    pub key: VerifierKey,
    pub prefix: String,
}

#[derive(Debug, Clone)]
pub(super) struct WitnessClient(Fetch);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WitnessAnswer {
    Cosigned(Signature, CosignedAt),
    Has(TreeSize),
    Contradicted(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(super) enum WitnessError {
    /// The stored note is not a checkpoint, or its proof is too long.
    #[error("there is nothing to ask: {0}")]
    Request(#[from] RequestError),
    /// There was no answer.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// A refusal.
    #[error("it refused with {status}{said}")]
    Refused {
        /// The status.
        status: StatusCode,
        /// A colon and its text, or nothing.
        said: String,
    },
    /// The body is not UTF-8 or does not consist of signature lines.
    #[error("its answer is no signature: {0}")]
    NoLines(#[from] NoteError),
    /// A line with its name and id that is not its signature of this checkpoint.
    #[error("its cosignature is false")]
    False,
    /// There are only lines of other keys.
    #[error("it answered without a signature of the key that the policy gives it")]
    OtherKey,
    /// The cosignature has no time.
    #[error("its cosignature leaves out the time")]
    NoTime,
}

impl WitnessClient {
    pub(super) fn new() -> Self {
        Self(Fetch::new(LIMITS))
    }

    pub(super) async fn add_checkpoint(
        &self,
        witness: &Witness,
        old: TreeSize,
        proof: &ConsistencyProof,
        checkpoint: &Note,
    ) -> Result<WitnessAnswer, WitnessError> {
        let request = AddCheckpoint::new(old, proof.clone(), checkpoint.clone())?.to_string();
        let answer = self.0.post(&format!("{}/add-checkpoint", witness.prefix.trim_end_matches('/')), request).await?;
        match answer.status {
            StatusCode::OK => {
                let body = std::str::from_utf8(&answer.body).map_err(|_| NoteError::NotUtf8)?;
                let (line, at) = cosignature(witness, checkpoint, body)?;
                Ok(WitnessAnswer::Cosigned(line, at))
            }
            StatusCode::CONFLICT => match size(&answer) {
                Some(size) => Ok(WitnessAnswer::Has(size)),
                None => Ok(WitnessAnswer::Contradicted(said(&answer))),
            },
            StatusCode::UNPROCESSABLE_ENTITY => Ok(WitnessAnswer::Contradicted(said(&answer))),
            status => Err(WitnessError::Refused { status, said: said(&answer) }),
        }
    }

    /// The witness's published checkpoint (C2SP tlog-witness, "Monitor Retrieval Mechanism"), if both the log and the
    /// witness have signed it. Only such a one proves anything: neither can make it alone.
    pub(super) async fn published(
        &self,
        witness: &Witness,
        origin: &OriginLine,
        log: &VerifierKey,
    ) -> Option<(Checkpoint, Note)> {
        let address = format!("{}/{}/checkpoint", witness.prefix.trim_end_matches('/'), origin.hash());
        let answer = self.0.get(&address).await.ok().filter(|answer| answer.status == StatusCode::OK)?;
        let note = Note::read(&answer.body).ok()?;
        note.verify([&witness.key]).ok()?;
        Some((Checkpoint::open(&note, origin, [log]).ok()?, note))
    }
}

/// Finds and verifies the witness's own line. Lines of other keys are ignored, as the specification requires.
fn cosignature(witness: &Witness, checkpoint: &Note, body: &str) -> Result<(Signature, CosignedAt), WitnessError> {
    for line in Signature::read_lines(body)? {
        if !witness.key.is_named_by(&line) {
            continue;
        }
        let note = Note::with_signature(checkpoint.text().clone(), line.clone());
        let verified = note.verify([&witness.key]).map_err(|error| match error {
            VerifyError::BadSignature(_) => WitnessError::False,
            VerifyError::NoKnownKey => WitnessError::OtherKey,
        })?;
        let time = verified.first().and_then(|signed| signed.time).filter(|time| time.seconds() > 0);
        return Ok((line, time.ok_or(WitnessError::NoTime)?));
    }
    Err(WitnessError::OtherKey)
}

fn size(answer: &Fetched) -> Option<TreeSize> {
    let content_type = answer.headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    if content_type.split(';').next()?.trim() != "text/x.tlog.size" {
        return None;
    }
    let digits = std::str::from_utf8(&answer.body).ok()?.strip_suffix('\n')?;
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
    digits.parse().ok().filter(|_| plain).map(TreeSize)
}

fn said(answer: &Fetched) -> String {
    let text = String::from_utf8_lossy(&answer.body);
    let line: String =
        text.lines().next().unwrap_or_default().chars().filter(|c| !c.is_control()).take(SAID_MAX).collect();
    if line.is_empty() { line } else { format!(": {line}") }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use http::HeaderMap;
    use ledger::{CosignerKey, SignerKey, Tree};

    use super::*;

    fn answered(content_type: &'static str, body: &'static str) -> Fetched {
        let mut headers = HeaderMap::new();
        headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static(content_type));
        Fetched { status: StatusCode::CONFLICT, headers, body: Bytes::from_static(body.as_bytes()) }
    }

    #[test]
    fn a_size_has_one_notation() {
        let of = |body| size(&answered("text/x.tlog.size", body));
        assert_eq!(of("0\n"), Some(TreeSize(0)));
        assert_eq!(of("50\n"), Some(TreeSize(50)));
        for body in ["", "\n", "50", "050\n", "+5\n", "5\n\n", "-1\n", "18446744073709551616\n"] {
            assert_eq!(of(body), None, "{body:?}");
        }
        assert_eq!(size(&answered("text/plain", "50\n")), None);
        assert_eq!(size(&answered("text/x.tlog.size; charset=utf-8", "50\n")), Some(TreeSize(50)));
    }

    #[test]
    fn only_its_own_true_line_counts() {
        let log = SignerKey::from_seed("example.com/log".parse().unwrap(), &[1; 32]);
        let origin: OriginLine = "example.com/log".parse().unwrap();
        let note = Checkpoint::new(origin, Tree::empty()).sign(&log);
        let key = |name: &str, seed| CosignerKey::from_seed(name.parse().unwrap(), &[seed; 32]);
        let (mine, other) = (key("w1", 2), key("w2", 3));
        let witness = Witness { name: "w".into(), key: mine.verifier().clone(), prefix: String::new() };
        let time = CosignedAt::from_seconds(1_795_207_308).unwrap();
        let line = |key: &CosignerKey| key.cosign(note.text(), time).to_string();
        let read = |body: &str| cosignature(&witness, &note, body);
        assert_eq!(read(&format!("{}\n{}\n", line(&other), line(&mine))).unwrap().1, time);
        assert_eq!(read(&format!("{}\n", line(&other))), Err(WitnessError::OtherKey));
        let elsewhere = mine.cosign(&"another text\n".parse().unwrap(), time);
        assert_eq!(read(&format!("{elsewhere}\n")), Err(WitnessError::False));
        let timeless = mine.cosign(note.text(), CosignedAt::from_seconds(0).unwrap());
        assert_eq!(read(&format!("{timeless}\n")), Err(WitnessError::NoTime));
        assert!(matches!(read("<html>"), Err(WitnessError::NoLines(_))));
    }
}
