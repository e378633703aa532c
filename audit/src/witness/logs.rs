//! The logs that a witness watches, and the keys that verify their checkpoints.

use std::collections::BTreeMap;
use std::str::FromStr;

use ledger::note::SignatureType;
use ledger::{Hash, OriginLine, VerifierKey};
use thiserror::Error;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogKey {
    pub origin: OriginLine,
    pub key: VerifierKey,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum LogKeyError {
    #[error("a log is named by its verifier key, or by origin=key: write name+id+key as the log publishes it")]
    NoKey,
    #[error("this program verifies keys of type 0x01 and 0x04 (Ed25519), and this one is of another type")]
    Type,
}

#[derive(Debug, Clone, Default)]
pub struct Logs(BTreeMap<OriginLine, Vec<VerifierKey>>);

impl FromStr for LogKey {
    type Err = LogKeyError;

    /// An origin may contain `=`, and so may the base64 of a key. The id, a hash over name and key, shows the right
    /// place to split.
    fn from_str(text: &str) -> Result<Self, LogKeyError> {
        let named = text.match_indices('=').filter_map(|(at, _)| {
            let (origin, key) = text.split_at_checked(at)?;
            Some(Self { origin: origin.parse().ok()?, key: key.strip_prefix('=')?.parse().ok()? })
        });
        let plain = || text.parse().ok().map(|key: VerifierKey| Self { origin: OriginLine::from(key.name()), key });
        let log = named.into_iter().next().or_else(plain).ok_or(LogKeyError::NoKey)?;
        match log.key.signature_type() {
            SignatureType::Ed25519 | SignatureType::CosignatureV1 => Ok(log),
            SignatureType::Other(_) => Err(LogKeyError::Type),
        }
    }
}

impl Logs {
    #[must_use]
    pub fn keys(&self, origin: &OriginLine) -> &[VerifierKey] {
        self.0.get(origin).map_or(&[], Vec::as_slice)
    }

    #[must_use]
    pub fn by_hash(&self, hash: &Hash) -> Option<&OriginLine> {
        self.0.keys().find(|origin| origin.hash() == *hash)
    }

    pub fn iter(&self) -> impl Iterator<Item = (&OriginLine, &[VerifierKey])> {
        self.0.iter().map(|(origin, keys)| (origin, keys.as_slice()))
    }
}

impl FromIterator<LogKey> for Logs {
    /// A log that is named twice has two keys, as during a change of its key.
    fn from_iter<I: IntoIterator<Item = LogKey>>(logs: I) -> Self {
        let mut all: BTreeMap<OriginLine, Vec<VerifierKey>> = BTreeMap::new();
        for LogKey { origin, key } in logs {
            let keys = all.entry(origin).or_default();
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
        Self(all)
    }
}

#[cfg(test)]
mod tests {
    use ledger::SignerKey;

    use super::*;

    fn vkey(name: &str) -> String {
        SignerKey::from_seed(name.parse().unwrap(), &[7; 32]).verifier().to_string()
    }

    #[test]
    fn both_notations_name_a_log() {
        let key = vkey("example.com/log");
        let plain: LogKey = key.parse().unwrap();
        assert_eq!(plain.origin.as_str(), "example.com/log");
        let named: LogKey = format!("Behind the sofa = 1={key}").parse().unwrap();
        assert_eq!(named.origin.as_str(), "Behind the sofa = 1");
        assert_eq!(named.key, plain.key);
        // A name with = in it is not mistaken for an origin: the id covers the whole name.
        let odd: LogKey = vkey("a=b").parse().unwrap();
        assert_eq!(odd.origin.as_str(), "a=b");
    }

    #[test]
    fn what_names_no_log_is_refused() {
        let altered = vkey("example.com/log").replace("example", "exemple");
        for text in ["", "example.com/log", "example.com/log=", "=", &altered, &format!("={}", vkey("x"))] {
            assert_eq!(text.parse::<LogKey>(), Err(LogKeyError::NoKey), "{text}");
        }
    }

    #[test]
    fn a_log_may_have_two_keys() {
        let second = SignerKey::from_seed("example.com/log".parse().unwrap(), &[8; 32]).verifier().to_string();
        let texts = [vkey("example.com/log"), second, vkey("example.com/log")];
        let logs: Logs = texts.iter().map(|text| text.parse::<LogKey>().unwrap()).collect();
        let origin: OriginLine = "example.com/log".parse().unwrap();
        assert_eq!(logs.keys(&origin).len(), 2);
        assert_eq!(logs.by_hash(&origin.hash()), Some(&origin));
        assert_eq!(logs.keys(&"example.com/other".parse().unwrap()), []);
    }
}
