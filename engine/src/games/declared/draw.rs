//! What the host draws: how much of what, and what came.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::scanner::Scanner;
use super::{Declaration, Face, HandId, SetId, SetKind};
use crate::{Refusal, Seat};

const COUNT_MAX: i32 = 200;

/// A draw that somebody declared or announced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Draw {
    /// The dice or the deck.
    pub set: SetId,
    /// The number of faces or cards.
    pub count: u8,
}

/// A hand where cards lie: of this seat, or a shared one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The hand.
    pub hand: HandId,
    /// The seat that it belongs to; none if it is shared.
    pub seat: Option<Seat>,
}

/// A draw of the host that comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Due {
    /// How much of what.
    pub draw: Draw,
    /// The hand that the cards come into; none if they are shown and gone.
    pub to: Option<Place>,
}

/// The faces or cards that the host drew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The dice or the deck.
    pub set: SetId,
    /// In the order in which they came.
    pub faces: Vec<Face>,
}

impl Draw {
    pub(super) fn read(words: &mut Scanner<'_>, game: &Declaration) -> Result<Self, Refusal> {
        let set = SetId::read(words, &game.sets)?;
        let token = words.peek();
        let count = words.number(1..=COUNT_MAX)?;
        let draw = Self { set, count: u8::try_from(count).unwrap_or(u8::MAX) };
        let deck = set.of(&game.sets).filter(|set| set.kind == SetKind::Deck);
        match deck.filter(|deck| deck.items.len() < usize::from(draw.count)) {
            Some(deck) => Err(token.refuse(format!("expected at most {}, which is all of the deck", deck.items.len()))),
            None => Ok(draw),
        }
    }

    pub(super) fn written(self, game: &Declaration) -> String {
        format!("{} {}", self.set.name(&game.sets), self.count)
    }
}

impl Due {
    /// True if the cards come into a hidden hand.
    pub(super) fn is_hidden(self, game: &Declaration) -> bool {
        self.to.is_some_and(|place| place.hand.of(&game.hands).is_some_and(|hand| hand.hidden))
    }
}

impl Place {
    /// A hand's name, and behind one that each seat has, the seat.
    pub(super) fn read(words: &mut Scanner<'_>, game: &Declaration) -> Result<Self, Refusal> {
        let hand = HandId::read(words, &game.hands)?;
        let each = game.place(hand, Seat::P1).seat.is_some();
        Ok(game.place(hand, if each { words.seat()? } else { Seat::P1 }))
    }

    pub(super) fn written(self, game: &Declaration) -> String {
        let seat = self.seat.map_or_else(String::new, |seat| format!(" {seat}"));
        format!("{}{seat}", self.hand.name(&game.hands))
    }
}

impl Drawn {
    /// Reads what the host drew, such as `d6 3 1`.
    ///
    /// # Errors
    /// The word that is no dice, no deck, or not on them.
    pub fn read(text: &str, game: &Declaration) -> Result<Self, Refusal> {
        let mut words = Scanner::new(text);
        let set = SetId::read(&mut words, &game.sets)?;
        let items = set.of(&game.sets).map(|set| set.items.as_slice()).unwrap_or_default();
        let mut faces = Vec::new();
        while !words.is_done() {
            let token = words.next();
            if token.text == "?" {
                return Err(Refusal::of_sealed(token.at));
            }
            let face = game.find_face(token.text).filter(|face| items.contains(face));
            faces.push(face.ok_or_else(|| token.refuse(format!("expected a word of {}", set.name(&game.sets))))?);
        }
        if faces.is_empty() { Err(words.refuse("expected what was drawn")) } else { Ok(Self { set, faces }) }
    }

    /// Writes it, with `?` for each card if the draw is `hidden`.
    #[must_use]
    pub fn write(&self, game: &Declaration, hidden: bool) -> String {
        let mut out = String::from(self.set.name(&game.sets));
        for face in &self.faces {
            out.push(' ');
            out.push_str(if hidden { "?" } else { game.face(*face) });
        }
        out
    }
}
