//! The one hosting.

use super::state::{HigherLower, Rules};
use crate::Word;
use crate::ruleset::{Ruleset, RulesetCard, RulesetEntry};

/// The rulesets of this game.
pub static RULESETS: &[&dyn Ruleset] = &[&TEMPO_UP];

static TEMPO_UP: RulesetEntry<HigherLower> = RulesetEntry {
    card: RulesetCard {
        id: "higher-lower/tempo-up",
        title: Word::Static("Higher or Lower"),
        hosting: "The Genius: Tempo Up",
        designer: "Zero",
        source: Word::Static("rule post 003; its own title is lost, and this one is ours"),
        parent: None,
        about: "Both seats hide their cards on five boards; then neighbours are predicted, higher or lower, and three boards win.",
        needs_dmo: true,
        items: &[],
    },
    rules: Rules,
};
