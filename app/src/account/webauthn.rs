//! A browser's answers for passkeys, checked as Web Authentication asks (level 3, sections 7.1 and 7.2).
//!
//! The page sends a public key as the browser gives it, as SubjectPublicKeyInfo. Keys and signatures are for `webpki`
//! alone, which checks certificates as well. Nobody asks who made the device (the attestation "none").

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rustls::pki_types::{SignatureVerificationAlgorithm, SubjectPublicKeyInfoDer};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use url::Url;
use webpki::RawPublicKeyEntity;
use webpki::ring::{ECDSA_P256_SHA256, ED25519, RSA_PKCS1_2048_8192_SHA256};

use WebauthnError as Error;

const USER_PRESENT_AND_VERIFIED: u8 = 0b101;
const BACKED_UP: u8 = 0b1_0000;
const BACKUP: u8 = 0b1_1000;
const HAS_CREDENTIAL: u8 = 0b100_0000;
const ID_MAX: usize = 1023;
/// By COSE's numbers, best first: ES256, EdDSA and RS256, which is all that older Windows has.
pub(super) const ALGORITHMS: [(i64, &dyn SignatureVerificationAlgorithm); 3] =
    [(-7, ECDSA_P256_SHA256), (-8, ED25519), (-257, RSA_PKCS1_2048_8192_SHA256)];

#[derive(Debug)]
pub struct Passkeys {
    pub(super) name: String,
    origin: String,
}

/// Bytes as pages and browsers write them: base64url without padding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Encoded(pub(super) Vec<u8>);

/// The answer to a challenge. A new passkey comes with its key, and a known one with a signature and its owner.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Answered<T> {
    pub(super) id: Encoded,
    client_data: Encoded,
    authenticator_data: Encoded,
    #[serde(flatten)]
    pub(super) rest: T,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Key {
    key: Encoded,
    algorithm: i64,
    /// How often the device had signed; zero for devices that do not count.
    #[serde(default)]
    counter: u32,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct Proof {
    signature: Encoded,
    pub(super) user: Encoded,
}

/// What the browser says itself; the device signs its hash.
#[derive(Deserialize)]
struct ClientData {
    r#type: String,
    challenge: String,
    origin: String,
    #[serde(default, rename = "crossOrigin")]
    cross_origin: bool,
}

/// What the device says: the hash of the site's name, flags, its counter, and more for a new passkey.
struct AuthenticatorData<'d> {
    flags: u8,
    counter: u32,
    rest: &'d [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WebauthnError {
    Unreadable,
    OtherPurpose,
    OtherChallenge,
    OtherOrigin,
    OtherName,
    OtherId,
    /// Backed up, by a device that cannot be.
    Contradiction,
    /// Nobody was asked for a fingerprint, a face or a PIN.
    Unverified,
    WrongKey,
    WrongSignature,
    /// The device has counted no further, so somebody has a copy of it.
    Copied,
}

impl TryFrom<String> for Encoded {
    type Error = base64::DecodeError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        URL_SAFE_NO_PAD.decode(text).map(Self)
    }
}

impl From<Encoded> for String {
    fn from(encoded: Encoded) -> Self {
        URL_SAFE_NO_PAD.encode(encoded.0)
    }
}

impl Passkeys {
    #[must_use]
    pub fn at(site: &str) -> Option<Self> {
        let url = Url::parse(site).ok()?;
        Some(Self { name: url.domain()?.to_owned(), origin: url.origin().ascii_serialization() })
    }

    pub(super) fn register(&self, challenge: &str, answered: Answered<Key>) -> Result<Key, Error> {
        let data = self.check("webauthn.create", challenge, &answered)?;
        let id = data.credential_id().filter(|id| (1..=ID_MAX).contains(&id.len()));
        if data.flags & HAS_CREDENTIAL == 0 || id != Some(&answered.id.0) {
            return Err(Error::OtherId);
        }
        let key = Key { counter: data.counter, ..answered.rest };
        // Nothing is signed yet, but the key must be one of its algorithm.
        match key.verify(&[], &[]) {
            Err(Error::WrongSignature) => Ok(key),
            _ => Err(Error::WrongKey),
        }
    }

    /// Checks that a known passkey signed; returns what is to be stored now. Whose it is, the caller has checked.
    pub(super) fn prove(&self, challenge: &str, answered: &Answered<Proof>, known: Key) -> Result<Key, Error> {
        let data = self.check("webauthn.get", challenge, answered)?;
        let client_hash = Sha256::digest(&answered.client_data.0);
        let signed = [answered.authenticator_data.0.as_slice(), &client_hash].concat();
        known.verify(&signed, &answered.rest.signature.0)?;
        let counts = data.counter > 0 || known.counter > 0;
        if counts && data.counter <= known.counter {
            return Err(Error::Copied);
        }
        Ok(Key { counter: data.counter, ..known })
    }

    fn check<'a, T>(
        &self,
        purpose: &str,
        challenge: &str,
        answered: &'a Answered<T>,
    ) -> Result<AuthenticatorData<'a>, Error> {
        let client: ClientData = serde_json::from_slice(&answered.client_data.0).map_err(|_| Error::Unreadable)?;
        let (name_hash, data) = AuthenticatorData::read(&answered.authenticator_data.0).ok_or(Error::Unreadable)?;
        let checks = [
            (client.r#type == purpose, Error::OtherPurpose),
            (client.challenge == challenge, Error::OtherChallenge),
            (client.origin == self.origin && !client.cross_origin, Error::OtherOrigin),
            (*name_hash == *Sha256::digest(&self.name), Error::OtherName),
            (data.flags & USER_PRESENT_AND_VERIFIED == USER_PRESENT_AND_VERIFIED, Error::Unverified),
            (data.flags & BACKUP != BACKED_UP, Error::Contradiction),
        ];
        match checks.into_iter().find(|(holds, _)| !holds) {
            Some((_, error)) => Err(error),
            None => Ok(data),
        }
    }
}

impl<'d> AuthenticatorData<'d> {
    fn read(bytes: &'d [u8]) -> Option<(&'d [u8; 32], Self)> {
        let (name_hash, rest) = bytes.split_first_chunk()?;
        let (flags, rest) = rest.split_first()?;
        let (counter, rest) = rest.split_first_chunk()?;
        Some((name_hash, Self { flags: *flags, counter: u32::from_be_bytes(*counter), rest }))
    }

    /// The id of a new passkey, which follows the number of the device's model.
    fn credential_id(&self) -> Option<&'d [u8]> {
        let (length, rest) = self.rest.get(16..)?.split_first_chunk()?;
        rest.get(..u16::from_be_bytes(*length).into())
    }
}

impl Key {
    fn verify(&self, signed: &[u8], signature: &[u8]) -> Result<(), Error> {
        let (_, algorithm) = ALGORITHMS.iter().find(|(number, _)| *number == self.algorithm).ok_or(Error::WrongKey)?;
        let key = SubjectPublicKeyInfoDer::from(self.key.0.as_slice());
        let key = RawPublicKeyEntity::try_from(&key).map_err(|_| Error::WrongKey)?;
        key.verify_signature(*algorithm, signed, signature).map_err(|error| match error {
            webpki::Error::InvalidSignatureForPublicKey => Error::WrongSignature,
            _ => Error::WrongKey,
        })
    }
}

#[cfg(test)]
mod tests;
