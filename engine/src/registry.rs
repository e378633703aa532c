//! Every ruleset by its id.

use alloc::format;
use alloc::string::ToString;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::games::GAMES;
use crate::games::declared::{self, DECLARED};
use crate::{Ruleset, Setup, SetupError, Shared};

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

impl Setup {
    /// The ruleset that the match is to hold from now on.
    ///
    /// # Errors
    /// [`SetupError::UnknownRuleset`], or a declaration that is missing or has no place there.
    pub fn rules(&self) -> Result<Shared<dyn Ruleset>, SetupError> {
        match &self.declared {
            Some(game) if self.ruleset == DECLARED => {
                Ok(Shared::Counted(Arc::new(declared::ruleset(Arc::clone(game)))))
            }
            Some(_) => Err(SetupError::Declared(DECLARED)),
            None if self.ruleset == DECLARED => Err(SetupError::NoDeclaration(DECLARED)),
            None => ruleset(&self.ruleset).map(Shared::from),
        }
    }
}
