//! Thwart 13.

use crate::ruleset::Ruleset;

/// The rulesets of this game.
pub static RULESETS: &[&dyn Ruleset] = &[];
