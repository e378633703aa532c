//! Higher or Lower.

use crate::ruleset::Ruleset;

/// The rulesets of this game.
pub static RULESETS: &[&dyn Ruleset] = &[];
