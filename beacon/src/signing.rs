//! A network of a test's own.

use bls12_381::hash_to_curve::{ExpandMsgXmd, HashToCurve};
use bls12_381::{G1Affine, G1Projective, G2Affine, Scalar};
use ledger::{Hash, Network, NetworkHash, NetworkKey, Round, RoundSignature};
use sha2_of_bls12_381::{Digest, Sha256};

/// The tag of the scheme `bls-unchained-g1-rfc9380` (RFC 9380).
const TAG: &[u8] = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";

/// The secret key of a network with a single member.
#[derive(Clone, Copy, Debug)]
pub struct NetworkSecret(Scalar);

/// The wrong things that somebody could hand in for a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundLie {
    /// The signature of the round before it.
    OtherRound,
    /// That of another network.
    OtherNetwork,
}

impl NetworkSecret {
    /// The key of a number; not 0.
    #[must_use]
    pub fn of(number: u64) -> Self {
        Self(Scalar::from(number))
    }

    /// The network of this key.
    #[must_use]
    pub fn network(&self, genesis: u32, period: u32) -> Network {
        let key = G2Affine::from(G2Affine::generator() * self.0).to_compressed();
        let hash = NetworkHash(Hash::new(Sha256::digest(&key).into()));
        Network { name: "test-net".to_owned(), hash, key: NetworkKey::new(key), genesis, period }
    }

    /// Signs a round.
    #[must_use]
    pub fn sign(&self, round: Round) -> RoundSignature {
        let message = Sha256::digest(&round.number().to_be_bytes());
        let point = <G1Projective as HashToCurve<ExpandMsgXmd<Sha256>>>::hash_to_curve(message, TAG);
        RoundSignature::new(G1Affine::from(point * self.0).to_compressed())
    }

    /// A signature of another round or network.
    #[must_use]
    pub fn lie(&self, round: Round, lie: RoundLie) -> RoundSignature {
        match lie {
            RoundLie::OtherRound => self.sign(Round::new(round.number() - 1).unwrap_or(Round::FIRST)),
            RoundLie::OtherNetwork => Self(self.0 + Scalar::one()).sign(round),
        }
    }
}
