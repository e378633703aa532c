//! Ed25519 (RFC 8032), in one module, so that every signature is judged by the same rule.
//!
//! The rule is the permissive one of section 5.1.7 without the cofactor, which dalek's `verify`, Go and OpenSSL share:
//! s below the group's order, R compared byte for byte. A stricter rule here would refuse signatures that a log or a
//! witness elsewhere has accepted, and such a split looks like a second history. Keys of small order are different:
//! anyone can sign for them, so no configured key may be one.

use std::fmt;

use ed25519_dalek::{Signature as Inner, Signer as _, SigningKey, Verifier as _, VerifyingKey};
use thiserror::Error;

/// The length of a signature in bytes: R, then s.
pub const SIGNATURE_BYTES: usize = 64;

/// A public key that a signature can be checked with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PublicKey(VerifyingKey);

/// A private key. Its `Debug` shows nothing, and it has no `Display`.
#[derive(Clone)]
pub struct SecretKey(SigningKey);

/// The reason why bytes are not a key, or a signature is not valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum Ed25519Error {
    /// The bytes are not a point of the curve.
    #[error("these 32 bytes are no Ed25519 public key")]
    NotAKey,
    /// The point is of small order: anyone can sign for it.
    #[error("this Ed25519 public key is weak: everybody can make signatures that it accepts")]
    Weak,
    /// Another key, another message, or an altered signature.
    #[error("the signature does not belong to this key and these bytes")]
    BadSignature,
}

impl PublicKey {
    /// Reads the 32 bytes of RFC 8032, section 5.1.2.
    ///
    /// # Errors
    /// [`Ed25519Error::NotAKey`] for bytes that are no point, [`Ed25519Error::Weak`] for a point of small order.
    pub fn read(bytes: &[u8; 32]) -> Result<Self, Ed25519Error> {
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| Ed25519Error::NotAKey)?;
        if key.is_weak() { Err(Ed25519Error::Weak) } else { Ok(Self(key)) }
    }

    /// The 32 bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// Checks a signature over a message.
    ///
    /// # Errors
    /// [`Ed25519Error::BadSignature`], also for a signature that is not 64 bytes long.
    pub fn verify(&self, message: &[u8], signature: &[u8]) -> Result<(), Ed25519Error> {
        let signature = Inner::from_slice(signature).map_err(|_| Ed25519Error::BadSignature)?;
        self.0.verify(message, &signature).map_err(|_| Ed25519Error::BadSignature)
    }
}

impl SecretKey {
    /// Takes 32 fresh random bytes, the seed of RFC 8032, section 5.1.5.
    #[must_use]
    pub fn from_seed(seed: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(seed))
    }

    /// The seed, for storage.
    #[must_use]
    pub fn seed(&self) -> &[u8; 32] {
        self.0.as_bytes()
    }

    /// The public half.
    #[must_use]
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// Signs a message. The same message gives the same bytes every time.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; SIGNATURE_BYTES] {
        self.0.sign(message).to_bytes()
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_and_verifies() {
        let secret = SecretKey::from_seed(&[7; 32]);
        let signature = secret.sign(b"message");
        let public = PublicKey::read(secret.public().bytes()).unwrap();
        assert_eq!(public.verify(b"message", &signature), Ok(()));
        assert_eq!(public.verify(b"massage", &signature), Err(Ed25519Error::BadSignature));
        assert_eq!(public.verify(b"message", &signature[..63]), Err(Ed25519Error::BadSignature));
        assert_eq!(SecretKey::from_seed(secret.seed()).public(), public);
        assert_eq!(format!("{secret:?}"), "SecretKey(..)");
    }

    #[test]
    fn what_is_no_key_is_refused() {
        let mut identity = [0; 32];
        identity[0] = 1;
        assert_eq!(PublicKey::read(&identity), Err(Ed25519Error::Weak));
        assert_eq!(PublicKey::read(&[2; 32]), Err(Ed25519Error::NotAKey));
        let said = [Ed25519Error::NotAKey, Ed25519Error::Weak, Ed25519Error::BadSignature].map(|e| e.to_string());
        assert_eq!(
            said,
            [
                "these 32 bytes are no Ed25519 public key",
                "this Ed25519 public key is weak: everybody can make signatures that it accepts",
                "the signature does not belong to this key and these bytes",
            ]
        );
    }
}
