//! Cosignatures (C2SP tlog-cosignature, `cosignature/v1`): another party states that, at a given time, this checkpoint
//! was the largest consistent one of its log that it had seen.
//!
//! The ML-DSA-44 type is read and stored as a [signature](Signature) like any other, and ignored in verification.

use std::fmt;
use std::time::Duration;

use crate::ed25519::{Ed25519Error, PublicKey, SecretKey};
use crate::moment::Moment;
use crate::note::{KeyName, NoteText, Signature, SignatureType, SignerError, VerifierKey, read_private, write_private};

/// A cosigner's own time of signing: whole seconds since 1970-01-01T00:00:00Z, at most 2^63 - 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CosignedAt(u64);

/// A cosigner's private key (type 0x04). Secret; `Debug` shows only its name. The message that it signs does not
/// contain its name, so no two cosigners may share a key.
#[derive(Clone)]
pub struct CosignerKey {
    secret: SecretKey,
    verifier: VerifierKey,
}

impl CosignedAt {
    /// How far a cosigner's clock may be off, in seconds. A cosignature whose time is 0, or earlier by more than this
    /// than an entry that its tree holds, does not count.
    pub const TOLERANCE_SECONDS: u64 = 10;

    /// The time for a number of seconds since 1970; none above 2^63 - 1.
    #[must_use]
    pub const fn from_seconds(seconds: u64) -> Option<Self> {
        if seconds <= i64::MAX as u64 { Some(Self(seconds)) } else { None }
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    #[must_use]
    pub const fn seconds(self) -> u64 {
        self.0
    }
}

impl From<Moment> for CosignedAt {
    /// Drops fractions of a second.
    fn from(moment: Moment) -> Self {
        // A moment is never before 1970.
        Self(Duration::from_micros(moment.micros().unsigned_abs()).as_secs())
    }
}

impl TryFrom<CosignedAt> for Moment {
    type Error = crate::moment::MomentError;

    fn try_from(time: CosignedAt) -> Result<Self, Self::Error> {
        let seconds = i64::try_from(time.0).unwrap_or(i64::MAX);
        Self::from_micros(seconds.saturating_mul(1_000_000))
    }
}

impl fmt::Display for CosignedAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl CosignerKey {
    /// Makes a key of 32 fresh random bytes.
    #[must_use]
    pub fn from_seed(name: KeyName, seed: &[u8; 32]) -> Self {
        let secret = SecretKey::from_seed(seed);
        let verifier = VerifierKey::cosignature_v1(name, secret.public());
        Self { secret, verifier }
    }

    /// Reads `PRIVATE+KEY+name+id+base64(0x04 || seed)`.
    ///
    /// # Errors
    /// [`SignerError`], which never repeats what it read.
    pub fn read(text: &str) -> Result<Self, SignerError> {
        let (name, seed) = read_private(text, SignatureType::CosignatureV1)?;
        Ok(Self::from_seed(name, &seed))
    }

    /// Reads a key of either type. Other programs write a cosigner's private key as that of a plain signer, with 0x01,
    /// although its verifier key has 0x04. Such a key must not sign notes as well.
    pub fn read_either(text: &str) -> Result<Self, SignerError> {
        match Self::read(text) {
            Err(SignerError::WrongType { .. }) => {
                let (name, seed) = read_private(text, SignatureType::Ed25519)?;
                Ok(Self::from_seed(name, &seed))
            }
            read => read,
        }
    }

    /// Writes the text that [`CosignerKey::read`] reads. Not `Display`, so that a key never slips into a message.
    #[must_use]
    pub fn to_private_text(&self) -> String {
        write_private(&self.verifier, &self.secret)
    }

    /// The public half.
    #[must_use]
    pub const fn verifier(&self) -> &VerifierKey {
        &self.verifier
    }

    /// Cosigns the text of a checkpoint. First, [`AddCheckpoint::decide`](crate::AddCheckpoint::decide) must find that
    /// it extends the trees cosigned before.
    #[must_use]
    pub fn cosign(&self, checkpoint: &NoteText, time: CosignedAt) -> Signature {
        let made = self.secret.sign(message(checkpoint, time).as_bytes());
        // struct { u64 timestamp; opaque ed25519_signature[64]; }, the time in big-endian order.
        let bytes = [time.0.to_be_bytes().as_slice(), &made].concat();
        Signature::new(self.verifier.name().clone(), self.verifier.id(), &bytes)
    }
}

impl fmt::Debug for CosignerKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CosignerKey({}+{}, ..)", self.verifier.name(), self.verifier.id())
    }
}

pub(crate) fn verify(public: &PublicKey, text: &NoteText, bytes: &[u8]) -> Result<CosignedAt, Ed25519Error> {
    let (seconds, signature) = bytes.split_first_chunk().ok_or(Ed25519Error::BadSignature)?;
    let time = CosignedAt::from_seconds(u64::from_be_bytes(*seconds)).ok_or(Ed25519Error::BadSignature)?;
    public.verify(message(text, time).as_bytes(), signature)?;
    Ok(time)
}

/// `cosignature/v1`, the time, and the whole body of the note. C2SP tlog-cosignature, "Ed25519 signed message".
fn message(text: &NoteText, time: CosignedAt) -> String {
    format!("cosignature/v1\ntime {time}\n{text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note::{Note, VerifyError};

    const TEXT: &str = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n";

    fn key() -> CosignerKey {
        CosignerKey::from_seed("witness.example/w1".parse().unwrap(), &[3; 32])
    }

    #[test]
    fn covers_text_and_time() {
        let key = key();
        let text: NoteText = TEXT.parse().unwrap();
        let time = CosignedAt::from_seconds(1_679_315_147).unwrap();
        let line = key.cosign(&text, time);
        assert_eq!(message(&text, time), format!("cosignature/v1\ntime 1679315147\n{TEXT}"));
        let note = Note::with_signature(text, line.clone());
        let signed = note.verify([key.verifier()]).unwrap();
        assert_eq!(signed.len(), 1);
        assert_eq!(signed[0].time, Some(time));
        for at in 0..line.bytes().len() {
            let mut bytes = line.bytes().to_vec();
            bytes[at] ^= 1;
            let altered = Signature::new(line.name().clone(), line.id(), &bytes);
            let note = Note::with_signature(TEXT.parse().unwrap(), altered);
            let refused = note.verify([key.verifier()]);
            assert_eq!(refused, Err(VerifyError::BadSignature("witness.example/w1".parse().unwrap())), "byte {at}");
        }
    }

    #[test]
    fn a_key_is_for_one_type() {
        let text = key().to_private_text();
        assert_eq!(CosignerKey::read(&text).unwrap().verifier(), key().verifier());
        let refused = crate::note::SignerKey::read(&text).unwrap_err();
        assert_eq!(refused.to_string(), "this private key makes signatures of type 0x04, and 0x01 is needed here");
        let plain =
            crate::note::SignerKey::from_seed("witness.example/w1".parse().unwrap(), &[3; 32]).to_private_text();
        assert!(CosignerKey::read(&plain).is_err());
        for written in [plain, text] {
            assert_eq!(CosignerKey::read_either(&written).unwrap().verifier(), key().verifier());
        }
        assert_eq!(format!("{:?}", key()), format!("CosignerKey(witness.example/w1+{}, ..)", key().verifier().id()));
    }

    #[test]
    fn times() {
        assert_eq!(CosignedAt::from_seconds(u64::MAX), None);
        let moment: Moment = "2026-11-20T20:41:48.381204Z".parse().unwrap();
        let time = CosignedAt::from(moment);
        assert_eq!(time.seconds(), 1_795_207_308);
        assert_eq!(Moment::try_from(time).unwrap().to_string(), "2026-11-20T20:41:48.000000Z");
        assert!(Moment::try_from(CosignedAt(i64::MAX as u64)).is_err());
    }
}
