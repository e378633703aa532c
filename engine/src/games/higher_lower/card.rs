//! The backs: a fruit and a number from 1 to 10.

use alloc::format;
use alloc::string::String;

use super::Board;
use crate::bit_set::bit_set;

/// The fruit of a card's back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fruit {
    /// Written A.
    Apple,
    /// Written B.
    Blueberry,
    /// Written C.
    Clementine,
    /// Written D.
    Durian,
    /// Written E.
    Elderberry,
}

impl Fruit {
    /// All five, in order.
    pub const ALL: [Self; 5] = [Self::Apple, Self::Blueberry, Self::Clementine, Self::Durian, Self::Elderberry];

    /// The notation's letter.
    #[must_use]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::Apple => "A",
            Self::Blueberry => "B",
            Self::Clementine => "C",
            Self::Durian => "D",
            Self::Elderberry => "E",
        }
    }

    /// The name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Apple => "Apple",
            Self::Blueberry => "Blueberry",
            Self::Clementine => "Clementine",
            Self::Durian => "Durian",
            Self::Elderberry => "Elderberry",
        }
    }

    /// The fruit that a word abbreviates, in any case; their first letters differ.
    fn of_prefix(word: &str) -> Option<Self> {
        let begins =
            |fruit: &Self| fruit.name().get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
        if word.is_empty() { None } else { Self::ALL.into_iter().find(begins) }
    }

    /// The fruits that the seats may put on a board.
    #[must_use]
    pub const fn of_board(board: Board) -> [Self; 3] {
        match board {
            Board::A => [Self::Apple, Self::Blueberry, Self::Elderberry],
            Board::B => [Self::Apple, Self::Blueberry, Self::Clementine],
            Board::C => [Self::Blueberry, Self::Clementine, Self::Durian],
            Board::D => [Self::Clementine, Self::Durian, Self::Elderberry],
            Board::E => [Self::Apple, Self::Durian, Self::Elderberry],
        }
    }

    /// The fruit of a board's grey cards.
    #[must_use]
    pub const fn of_grey(board: Board) -> Self {
        match board {
            Board::A => Self::Apple,
            Board::B => Self::Blueberry,
            Board::C => Self::Clementine,
            Board::D => Self::Durian,
            Board::E => Self::Elderberry,
        }
    }

    pub(super) const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Card(u8);

impl Card {
    /// The card of this fruit and number; none outside 1 to 10.
    #[must_use]
    pub const fn new(fruit: Fruit, number: u8) -> Option<Self> {
        if number >= 1 && number <= 10 { Some(Self(fruit as u8 * 10 + number - 1)) } else { None }
    }

    /// All fifty, fruit by fruit.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..50).map(Self)
    }

    /// Its fruit.
    #[must_use]
    pub const fn fruit(self) -> Fruit {
        match self.0 / 10 {
            0 => Fruit::Apple,
            1 => Fruit::Blueberry,
            2 => Fruit::Clementine,
            3 => Fruit::Durian,
            _ => Fruit::Elderberry,
        }
    }

    /// Its number, 1 to 10.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0 % 10 + 1
    }

    /// For people, such as "Apple 7".
    #[must_use]
    pub fn name(self) -> String {
        format!("{} {}", self.fruit().name(), self.number())
    }

    /// As the notation writes it, such as `A7`.
    #[must_use]
    pub fn text(self) -> String {
        format!("{}{}", self.fruit().letter(), self.number())
    }

    /// The card of a word in which the fruit and the number are joined, in either order, such as `a7`, `7A`, `AT` or
    /// `apple7`.
    pub(super) fn read(word: &str) -> Option<Self> {
        let digit = |symbol: char| symbol.is_ascii_digit();
        let (fruit, number) = match word.find(digit) {
            Some(0) => {
                let (number, fruit) = word.split_at(word.find(|symbol| !digit(symbol))?);
                (fruit, number)
            }
            Some(at) => word.split_at(at),
            // T is ten, as on playing cards.
            None if word.len() == 2 => word.split_at_checked(1).filter(|(_, ten)| ten.eq_ignore_ascii_case("t"))?,
            None => return None,
        };
        Self::of_parts(fruit, number)
    }

    pub(super) fn of_parts(fruit: &str, number: &str) -> Option<Self> {
        let number = if number.eq_ignore_ascii_case("t") { 10 } else { number.parse().ok()? };
        Self::new(Fruit::of_prefix(fruit)?, number)
    }
}

bit_set! {
    /// A set of a deck's fifty cards, listed fruit by fruit, each from 1 on.
    Cards(u64) of Card
}

/// Every number, one bit each: 1 is the lowest.
pub(super) const NUMBERS: u16 = 0x3ff;

impl Cards {
    /// A whole deck.
    pub const DECK: Self = Self((1 << 50) - 1);

    pub(super) const fn of(fruit: Fruit, numbers: u16) -> Self {
        Self((numbers as u64 & NUMBERS as u64) << (fruit as u8 * 10))
    }

    pub(super) const fn numbers(self, fruit: Fruit) -> u16 {
        (self.0 >> (fruit as u8 * 10)) as u16 & NUMBERS
    }
}
