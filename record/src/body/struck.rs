//! The body of `struck`: steps that no longer count, and their replacements.

use ledger::{Commitment, Field, Hash};
use serde::{Deserialize, Serialize};

use super::{Opening, PartyWord};

/// `struck`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Struck {
    /// The first step that no longer counts.
    pub from: u32,
    /// Commitment to the reason.
    pub reason: Commitment,
    /// The steps that count instead; empty if the match goes on from there.
    pub steps: Vec<CorrectedStep>,
    /// Openings that the match in its new form makes public.
    pub openings: Vec<Opening>,
}

/// A step that counts instead of a struck one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectedStep {
    /// Its line, with `?` for a value that stays sealed.
    pub dmn: String,
    /// SHA-256 of the public state after it.
    pub digest: Hash,
    /// The seals of its values that stay secret.
    pub seals: Vec<CorrectedSeal>,
    /// Commitments to the texts of a changed line, one for each `*`, none where a text was withdrawn before. Left out where
    /// the texts are those of the step that it repeats.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "super::key::present")]
    pub words: Option<Vec<Option<Commitment>>>,
}

/// The seal of a value that stays secret in a corrected step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorrectedSeal {
    /// The seat or the host.
    pub seat: PartyWord,
    /// The field.
    pub field: Field,
    /// The entry that contains its seal: `sealed`, or `struck`, possibly this one.
    pub entry: u32,
    /// The name of the seal in that entry.
    pub name: Field,
    /// The seal, if this entry contains it.
    #[serde(deserialize_with = "super::key::required")]
    pub commitment: Option<Commitment>,
}
