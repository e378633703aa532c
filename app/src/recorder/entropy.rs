//! Keys for seals and texts, derived from a match's head and a secret key of this installation.

use ledger::{Author, Head, MatchId};
use store::Submit;

use crate::vault::Vault;

/// A stream of keys. Nobody without the keys of this installation can tell them from random ones.
#[derive(Debug)]
pub(super) struct Entropy<'v> {
    vault: &'v Vault,
    place: Vec<Vec<u8>>,
    drawn: u64,
}

impl<'v> Entropy<'v> {
    pub(super) fn at(vault: &'v Vault, (match_id, head): (MatchId, Head), by: &Author, submit: Option<Submit>) -> Self {
        let mut place = vec![
            b"entropy".to_vec(),
            match_id.to_string().into_bytes(),
            head.next.0.to_be_bytes().to_vec(),
            head.leaf.bytes().to_vec(),
            by.to_string().into_bytes(),
        ];
        place.extend(submit.map(|submit| submit.id.0.to_vec()));
        Self { vault, place, drawn: 0 }
    }

    /// The next 32 bytes.
    pub(super) fn next(&mut self) -> [u8; 32] {
        self.drawn += 1;
        let drawn = self.drawn.to_be_bytes();
        let parts: Vec<&[u8]> = self.place.iter().map(Vec::as_slice).chain([drawn.as_slice()]).collect();
        *self.vault.digest(&parts).bytes()
    }
}
