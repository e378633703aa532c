//! The bodies of `drawn`: a draw, and the basis of the host's draws. The purpose tells which it is.

use ledger::{Commitment, DecisionId, Field, Hash, KeyPath, Moment, Round, RoundSignature};
use serde::{Deserialize, Serialize};

use super::{Body, OpenSignature, Opening, SeatPair, Tree, key};

/// A draw, and its step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Drawn {
    /// The purpose, as the question's word, such as `deal` or `offer`.
    pub purpose: String,
    /// The number of draws for the same purpose that count before it.
    pub ordinal: u32,
    /// The source of the cards.
    pub source: DrawSource,
    /// The key by which the host drew; none if the cards were typed in.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "key::present")]
    pub key: Option<DrawnKey>,
    /// The step.
    pub step: u32,
    /// The step's line in Death Match Notation, with `?` for a value that stays sealed.
    pub dmn: String,
    /// A commitment for each value that stays sealed, in the order of the line.
    pub seals: Vec<DrawnSeal>,
    /// Openings of earlier steps that this step makes public.
    pub openings: Vec<Opening>,
    /// SHA-256 of the public state after the step.
    pub digest: Hash,
}

/// The source of drawn cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DrawSource {
    /// They were drawn elsewhere, and the umpire typed them in.
    Umpire,
    /// The host drew them, by a key that is derived from three shares.
    Host,
}

/// The key of a draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnKey {
    /// Its number, which follows from purpose and ordinal.
    pub index: u32,
    /// The key, 64 hex digits; none if a part of the draw stays sealed.
    #[serde(deserialize_with = "key::required")]
    pub key: Option<String>,
    /// The hashes from the key to the root of its batch; empty without the key.
    pub path: KeyPath,
}

/// A hidden value of a draw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawnSeal {
    /// The field.
    pub field: Field,
    /// Its commitment.
    pub commitment: Commitment,
}

/// Purpose `share`: the host sealed its share.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HostShare {
    /// `share`.
    pub purpose: String,
    /// The number of shares that the host sealed before it.
    pub ordinal: u32,
    /// One seal, of the field `share`.
    pub seals: Vec<DrawnSeal>,
    /// The opening of the host's share before it, if that is still sealed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<Opening>,
}

/// Purpose `shares`: the list of the shares that count, all of them still sealed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareList {
    /// `shares`.
    pub purpose: String,
    /// The number of lists before it.
    pub ordinal: u32,
    /// The entry with the host's seal.
    pub host: u32,
    /// The decision that asked the seats.
    pub decision: DecisionId,
    /// The `sealed` entry of each seat; none if it has no share that counts.
    pub sealed: SeatPair<Option<u32>>,
    /// The commitments of those entries, so that a player finds its own here.
    pub commitments: SeatPair<Option<Commitment>>,
}

/// Purpose `openings`: the listed shares that were opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShareOpenings {
    /// `openings`.
    pub purpose: String,
    /// The number of lists of openings before it.
    pub ordinal: u32,
    /// The entry with the list of shares.
    pub listed: u32,
    /// The openings, in the order of the seats. A listed share without one counts as none.
    pub openings: Vec<Opening>,
    /// The time at which each seat's opening came; none where the server had it, and where there is none.
    pub came: SeatPair<Option<Moment>>,
    /// The signature of each seat that signed its opening.
    pub signatures: SeatPair<Option<OpenSignature>>,
    /// A tree that covers the list of shares.
    pub tree: Tree,
}

/// Purpose `seed`: the shares are open, and the first keys are fixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixedSeed {
    /// `seed`.
    pub purpose: String,
    /// The number of seeds before it.
    pub ordinal: u32,
    /// The entry with the list of the openings.
    pub listed: u32,
    /// None: the shares are open already.
    pub openings: Vec<Opening>,
    /// A tree that covers the list.
    pub tree: Tree,
    /// The root over the keys 0 to 255.
    pub root: Hash,
}

/// Purpose `keys`: the next keys are fixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyBatch {
    /// `keys`.
    pub purpose: String,
    /// The number of the batch of 256 keys; the seed's own batch is 0.
    pub ordinal: u32,
    /// Their root.
    pub root: Hash,
}

/// Purpose `round`: draws wait for a round of the beacon.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedRound {
    /// `round`.
    pub purpose: String,
    /// The number of rounds that were named before it.
    pub ordinal: u32,
    /// The numbers of the draws, ascending.
    pub indexes: Vec<u32>,
    /// The round.
    pub round: Round,
}

/// Purpose `signature`: the round that draws wait for is there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignedRound {
    /// `signature`.
    pub purpose: String,
    /// The number of signatures before it.
    pub ordinal: u32,
    /// The entry that named the round.
    pub named: u32,
    /// The network's signature of the round.
    pub signature: RoundSignature,
    /// A tree that covers the entry that named the round.
    pub tree: Tree,
}

/// The key of a hidden draw, opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenedKey {
    /// The draw's entry.
    pub entry: u32,
    /// The key, 64 hex digits.
    pub key: String,
    /// The hashes from the key to the root of its batch.
    pub path: KeyPath,
}

/// The purposes that are not draws of a game.
pub mod purpose {
    /// Of [`HostShare`](super::HostShare).
    pub const SHARE: &str = "share";
    /// Of [`ShareList`](super::ShareList).
    pub const SHARES: &str = "shares";
    /// Of [`ShareOpenings`](super::ShareOpenings).
    pub const OPENINGS: &str = "openings";
    /// Of [`FixedSeed`](super::FixedSeed).
    pub const SEED: &str = "seed";
    /// Of [`KeyBatch`](super::KeyBatch).
    pub const KEYS: &str = "keys";
    /// Of [`NamedRound`](super::NamedRound).
    pub const ROUND: &str = "round";
    /// Of [`SignedRound`](super::SignedRound).
    pub const SIGNATURE: &str = "signature";
}

#[derive(Deserialize)]
struct Purpose<'b> {
    #[serde(borrow)]
    purpose: std::borrow::Cow<'b, str>,
}

pub(super) fn read(body: &str) -> Result<Body, serde_json::Error> {
    let Purpose { purpose } = serde_json::from_str(body)?;
    Ok(match purpose.as_ref() {
        purpose::SHARE => Body::HostShare(serde_json::from_str(body)?),
        purpose::SHARES => Body::ShareList(serde_json::from_str(body)?),
        purpose::OPENINGS => Body::ShareOpenings(serde_json::from_str(body)?),
        purpose::SEED => Body::FixedSeed(serde_json::from_str(body)?),
        purpose::KEYS => Body::KeyBatch(serde_json::from_str(body)?),
        purpose::ROUND => Body::NamedRound(serde_json::from_str(body)?),
        purpose::SIGNATURE => Body::SignedRound(serde_json::from_str(body)?),
        _ => Body::Drawn(serde_json::from_str(body)?),
    })
}

#[cfg(test)]
mod tests {
    use super::purpose::{KEYS, OPENINGS, ROUND, SEED, SHARE, SHARES, SIGNATURE};

    #[test]
    fn no_game_draws_under_a_purpose_of_ours() {
        for ruleset in engine::rulesets() {
            let ours = [SHARE, SHARES, OPENINGS, SEED, KEYS, ROUND, SIGNATURE];
            assert!(!ruleset.draws().iter().any(|purpose| ours.contains(&&*purpose.word)));
        }
    }
}
