//! The check that a request is from Discord: an Ed25519 signature over its timestamp and its raw body, by the
//! application's key
//! (<https://docs.discord.com/developers/interactions/overview#setting-up-an-endpoint-validating-security-request-headers>).
//!
//! Discord sends wrong signatures on purpose, and removes the address of an application that accepts one.

use std::str::FromStr;

use axum::http::HeaderMap;
use ledger::Moment;
use ledger::ed25519::{Ed25519Error, PublicKey};
use thiserror::Error;

/// The allowed difference between Discord's clock and ours, so that an old request cannot be replayed.
const APART_SECONDS: i64 = 300;

/// The application's public key, 64 hex digits as its page at Discord shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApplicationKey(PublicKey);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ApplicationKeyError {
    #[error("an application's public key has 64 hex digits; Discord shows it under General Information")]
    Digits,
    #[error(transparent)]
    Key(#[from] Ed25519Error),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum NotDiscord {
    #[error("invalid request signature: both headers are needed")]
    Unsigned,
    #[error("invalid request signature")]
    Forged,
    #[error("this was signed at another time")]
    Stale,
}

impl FromStr for ApplicationKey {
    type Err = ApplicationKeyError;

    fn from_str(text: &str) -> Result<Self, ApplicationKeyError> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text.trim(), &mut bytes).map_err(|_| ApplicationKeyError::Digits)?;
        Ok(Self(PublicKey::read(&bytes)?))
    }
}

impl ApplicationKey {
    pub(super) fn check(&self, headers: &HeaderMap, body: &[u8], now: Moment) -> Result<(), NotDiscord> {
        let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).ok_or(NotDiscord::Unsigned);
        let (signature, timestamp) = (header("x-signature-ed25519")?, header("x-signature-timestamp")?);
        let signature = hex::decode(signature).map_err(|_| NotDiscord::Unsigned)?;
        let message = [timestamp.as_bytes(), body].concat();
        self.0.verify(&message, &signature).map_err(|_| NotDiscord::Forged)?;
        let signed_at: i64 = timestamp.parse().map_err(|_| NotDiscord::Unsigned)?;
        let apart = signed_at.saturating_sub(now.micros() / 1_000_000).saturating_abs();
        if apart > APART_SECONDS { Err(NotDiscord::Stale) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use ledger::ed25519::SecretKey;

    use super::*;

    fn headers(signature: &[u8], timestamp: &str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert("x-signature-ed25519", hex::encode(signature).parse().unwrap());
        headers.insert("x-signature-timestamp", timestamp.parse().unwrap());
        headers
    }

    #[test]
    fn only_what_the_application_signed_now_is_taken() {
        let secret = SecretKey::from_seed(&[3; 32]);
        let key: ApplicationKey = hex::encode(secret.public().bytes()).parse().unwrap();
        let now = Moment::from_micros(1_700_000_000_000_000).unwrap();
        let sign = |timestamp: &str| headers(&secret.sign(format!("{timestamp}{{}}").as_bytes()), timestamp);
        assert_eq!(key.check(&sign("1700000000"), b"{}", now), Ok(()));
        assert_eq!(key.check(&sign("1700000000"), b"{ }", now), Err(NotDiscord::Forged));
        assert_eq!(key.check(&sign("1699999699"), b"{}", now), Err(NotDiscord::Stale));
        assert_eq!(key.check(&sign("1700000301"), b"{}", now), Err(NotDiscord::Stale));
        let moved = headers(&secret.sign(b"1700000000{}"), "1700000001");
        assert_eq!(key.check(&moved, b"{}", now), Err(NotDiscord::Forged));
        assert_eq!(key.check(&headers(&[0; 64], "1700000000"), b"{}", now), Err(NotDiscord::Forged));
        assert_eq!(key.check(&headers(&[], "1700000000"), b"{}", now), Err(NotDiscord::Forged));
        assert_eq!(key.check(&HeaderMap::new(), b"{}", now), Err(NotDiscord::Unsigned));
    }

    #[test]
    fn a_key_is_read_strictly() {
        assert_eq!("ab".parse::<ApplicationKey>(), Err(ApplicationKeyError::Digits));
        let weak = "0".repeat(64);
        assert_eq!(weak.parse::<ApplicationKey>(), Err(ApplicationKeyError::Key(Ed25519Error::Weak)));
    }
}
