//! Every ruleset by its id.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use crate::games::GAMES;
use crate::{Ruleset, SetupError};

/// Every ruleset, game by game.
pub fn rulesets() -> impl Iterator<Item = &'static dyn Ruleset> {
    GAMES.iter().flat_map(|game| game.iter().copied())
}

/// The ruleset of this id.
///
/// # Errors
/// [`SetupError::UnknownRuleset`], which lists the known ones.
pub fn ruleset(id: &str) -> Result<&'static dyn Ruleset, SetupError> {
    rulesets().find(|ruleset| ruleset.card().id == id).ok_or_else(|| {
        let ids: Vec<&str> = rulesets().map(|ruleset| ruleset.card().id).collect();
        SetupError::UnknownRuleset { id: id.to_string(), hint: format!("there are {}", ids.join(", ")) }
    })
}
