//! The message that a player signs when it opens its share of coming draws.
//!
//! `docs/record-format.md`, "Draws". It names the list of commitments by its leaf hash, and the tree that covered it: so
//! a player that signed it had seen every share fixed, its own among them, before anybody else could know it.

use crate::ed25519::SecretKey;
use crate::hash::Hash;
use crate::id::{MatchId, TreeSize};
use crate::seal::Sealer;
use crate::submit::{PlayerKey, PlayerSignature, SubmitError};
use crate::word::{DecisionId, Origin};

/// The content of a signature of an opening.
#[derive(Debug, Clone, Copy)]
pub struct OpenMessage<'a> {
    /// The log's name.
    pub origin: &'a Origin,
    /// The match.
    pub match_id: MatchId,
    /// The decision for which the share was sealed.
    pub decision: &'a DecisionId,
    /// The seat that opens.
    pub seat: Sealer,
    /// The leaf hash of the list of commitments.
    pub listed: Hash,
    /// The value of the share.
    pub value: &'a str,
    /// The size of a tree that covers the list and that the player verified, and its root.
    pub seen: (TreeSize, Hash),
}

impl OpenMessage<'_> {
    /// The lines that are signed, joined by `\n`, without a final line break.
    #[must_use]
    pub fn text(&self) -> String {
        let Self { origin, match_id, decision, seat, listed, value, seen: (size, root) } = self;
        let root = root.to_base64();
        format!("matchbook/open/1\n{origin}\n{match_id}\n{decision}\n{seat}\n{listed}\n{value}\n{size}\n{root}")
    }

    /// Signs it.
    #[must_use]
    pub fn sign(&self, key: &SecretKey) -> PlayerSignature {
        PlayerSignature::new(key.sign(self.text().as_bytes()))
    }

    /// Checks a signature.
    pub fn check(&self, key: &PlayerKey, signature: &PlayerSignature) -> Result<(), SubmitError> {
        if key.signed(self.text().as_bytes(), signature) { Ok(()) } else { Err(SubmitError::NotOpened) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> SecretKey {
        SecretKey::from_seed(&std::array::from_fn(|i| i as u8))
    }

    /// A fresh message for every test that changes one part of it.
    fn with_message<T>(test: impl FnOnce(OpenMessage<'_>) -> T) -> T {
        test(OpenMessage {
            origin: &"localhost/matchbook-0123abcd".parse().unwrap(),
            match_id: "0197c5a4-6f1e-7000-8000-000000000001".parse().unwrap(),
            decision: &"d1".parse().unwrap(),
            seat: Sealer::P1,
            listed: Hash::new([0x11; 32]),
            value: &"ab".repeat(32),
            seen: (TreeSize(7), Hash::new([0x22; 32])),
        })
    }

    #[test]
    fn golden_message_and_signature() {
        let (text, signature) = with_message(|message| (message.text(), message.sign(&key())));
        let lines = [
            "matchbook/open/1",
            "localhost/matchbook-0123abcd",
            "0197c5a4-6f1e-7000-8000-000000000001",
            "d1",
            "p1",
            &"11".repeat(32),
            &"ab".repeat(32),
            "7",
            "IiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiIiI=",
        ];
        assert_eq!(text, lines.join("\n"));
        // The same by hand, with the private key 000102...1f in PEM:
        // openssl pkeyutl -sign -rawin -inkey key.pem -in message | base64
        let golden = "TKBTPFubH1ZEytGoUFMTQcwLSXZaTRPDBJ/hq8j/M7S2OU0MFkKXBcfAb82poEDqBP9afQyoQPMSWIxuxRmHCA==";
        assert_eq!(signature.to_string(), golden);
    }

    #[test]
    fn a_signature_fits_its_list_and_no_other() {
        let public = PlayerKey::new(key().public().bytes()).unwrap();
        with_message(|message| {
            let signature = message.sign(&key());
            assert_eq!(message.check(&public, &signature), Ok(()));
            let refused = Err(SubmitError::NotOpened);
            let origin = "elsewhere.example/log".parse().unwrap();
            let other = "0197c5a4-6f1e-7000-8000-000000000002".parse().unwrap();
            let decision = "d2".parse().unwrap();
            for changed in [
                OpenMessage { origin: &origin, ..message },
                OpenMessage { match_id: other, ..message },
                OpenMessage { decision: &decision, ..message },
                OpenMessage { seat: Sealer::P2, ..message },
                OpenMessage { listed: Hash::ZERO, ..message },
                OpenMessage { value: &"ac".repeat(32), ..message },
                OpenMessage { seen: (TreeSize(8), message.seen.1), ..message },
                OpenMessage { seen: (message.seen.0, Hash::ZERO), ..message },
            ] {
                assert_eq!(changed.check(&public, &signature), refused, "{}", changed.text());
            }
            let stranger = SecretKey::from_seed(&[7; 32]);
            assert_eq!(message.check(&public, &message.sign(&stranger)), refused);
        });
        let why = "this signature was not made with the seat's key for this opening of a listed share";
        assert_eq!(SubmitError::NotOpened.to_string(), why);
    }
}
