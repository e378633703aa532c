//! What the host draws from, and the cards that come from there.

use super::SetId;
use alloc::string::String;
use alloc::vec::Vec;

/// The words on a card or a die, by its place among all the words that a declaration has for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Face(pub(super) u16);

/// A card that lies somewhere, or a die that was rolled into a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Card {
    /// The deck or the dice that it returns to when these are shuffled; none if a hand began with it.
    pub deck: Option<SetId>,
    /// Its words.
    pub face: Face,
    /// The number of the seal under which it was dealt into a hidden hand; none for a card that everybody saw.
    pub seal: Option<u32>,
}

/// Declared dice or a declared deck.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CardSet {
    /// Its name.
    pub name: String,
    /// With replacement, or without.
    pub kind: SetKind,
    /// Its faces or cards, as declared.
    pub items: Vec<Face>,
}

/// The way in which the host draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetKind {
    /// With replacement.
    Dice,
    /// Without, until it is shuffled.
    Deck,
}

impl SetKind {
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Dice => "dice",
            Self::Deck => "deck",
        }
    }
}
