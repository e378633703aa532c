//! A running match of any game, played in the notation.

use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::Deref;

use crate::{
    BySeat, DynGame, Effect, Form, Party, PlayedStep, Readback, Refusal, Ruleset, Setup, SetupError, Shared, Sight,
    View, Word,
};

/// A text of 250 letters is 1,000 bytes in the longest letters, and an answer may hold two.
const VALUES_MAX_BYTES: usize = 2_600;

/// A match that is being folded: its state, and the only way to change it. It can do whatever a [`DynGame`] can.
#[derive(Clone, Debug)]
pub struct Duel {
    ruleset: Shared<dyn Ruleset>,
    game: Box<dyn DynGame>,
}

impl Deref for Duel {
    type Target = dyn DynGame;

    fn deref(&self) -> &Self::Target {
        &*self.game
    }
}

impl Duel {
    /// Opens a match.
    ///
    /// # Errors
    /// The part of the setup that does not fit the ruleset.
    pub fn open(setup: &Setup) -> Result<Self, SetupError> {
        Self::start(setup.rules()?, setup)
    }

    /// Opens a match by these rules.
    ///
    /// # Errors
    /// The part of the setup that does not fit the ruleset.
    pub fn start(ruleset: Shared<dyn Ruleset>, setup: &Setup) -> Result<Self, SetupError> {
        Ok(Self { game: ruleset.start(setup)?, ruleset })
    }

    /// The rules of this match.
    #[must_use]
    pub fn ruleset(&self) -> &dyn Ruleset {
        &*self.ruleset
    }

    /// As [`DynGame::play`].
    pub fn play(&mut self, line: &str, effects: Option<&mut Vec<Effect>>) -> Result<PlayedStep, Refusal> {
        self.game.play(line, effects)
    }

    /// As [`DynGame::read`], of a seat or the host.
    pub fn read(&self, party: impl Into<Party>, what: &str, text: &str) -> Result<Readback, Refusal> {
        self.game.read(party.into(), what, text)
    }

    /// As [`DynGame::split`], of a seat or the host.
    pub fn split(&self, party: impl Into<Party>, what: &str, text: &str) -> Result<Vec<(Word, String)>, Refusal> {
        self.game.split(party.into(), what, text)
    }

    /// As [`DynGame::form`], of a seat or the host.
    #[must_use]
    pub fn form(&self, party: impl Into<Party>, what: &str) -> Option<Form> {
        self.game.form(party.into(), what)
    }

    /// As [`DynGame::join`]. Values longer than any move are only joined with spaces, and read as no move; otherwise a
    /// game could multiply them.
    #[must_use]
    pub fn join(&self, what: &str, values: &[&str]) -> String {
        let bytes: usize = values.iter().map(|value| value.len()).sum();
        if bytes > VALUES_MAX_BYTES { values.join(" ") } else { self.game.join(what, values) }
    }

    /// The line in which these moves answer the question `what`.
    #[must_use]
    pub fn line(&self, moves: &BySeat<Option<String>>) -> String {
        let missing = || "-".to_string();
        match (&moves.p1, &moves.p2) {
            (Some(sent), None) => alloc::format!("p1: {sent}"),
            (None, Some(sent)) => alloc::format!("p2: {sent}"),
            (p1, p2) => {
                let (p1, p2) = (p1.clone().unwrap_or_else(missing), p2.clone().unwrap_or_else(missing));
                match self.coming_round() {
                    Some(round) => alloc::format!("{round}. {p1} / {p2}"),
                    None => alloc::format!("{p1} / {p2}"),
                }
            }
        }
    }

    /// The state for a page.
    #[must_use]
    pub fn view(&self, sight: Sight) -> View {
        View { figures: self.figures(), panels: self.panels(sight) }
    }
}
