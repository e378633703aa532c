//! The body of `struck`: steps that no longer count, and what counts instead.

use ledger::{Commitment, Field, Hash};
use serde::{Deserialize, Serialize};

use super::{Opening, Whose};

/// `struck`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Struck {
    /// The first step that no longer counts.
    pub from: u32,
    /// Commitment to the reason.
    pub reason: Commitment,
    /// The steps that count instead; empty where the match goes on from there.
    pub steps: Vec<Instead>,
    /// Openings that the new course of the match makes public.
    pub openings: Vec<Opening>,
}

/// A step that counts instead of a struck one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Instead {
    /// Its line, `?` where a value stays sealed.
    pub dmn: String,
    /// SHA-256 of the public state after it.
    pub digest: Hash,
    /// Where each sealed value of it can be opened.
    pub seals: Vec<Resealed>,
}

/// The seal of a value that stays secret in a corrected step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resealed {
    /// Whose.
    pub seat: Whose,
    /// The field.
    pub field: Field,
    /// The entry that holds its seal: `sealed`, or `struck` and then perhaps this one.
    pub entry: u32,
    /// The name of the seal in that entry.
    pub name: Field,
    /// The seal, where this entry holds it.
    pub commitment: Option<Commitment>,
}
