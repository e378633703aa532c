//! The groups of a seat, each all cells of one shape of its colour on one board, and the cards that fit one.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::{Index, IndexMut};

use super::card::NUMBERS;
use super::layout::{ByShape, SHAPES, shape_word};
use super::{Board, ByBoard, Cards, Fruit};
use crate::Shape;

/// The place of a group: a board and a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// The board.
    pub board: Board,
    /// The shape.
    pub shape: Shape,
}

impl Group {
    /// All fifteen, in the order in which they are filled: A to E, and circle, triangle, square on each.
    pub fn all() -> impl Iterator<Item = Self> {
        Board::ALL.into_iter().flat_map(|board| SHAPES.map(|shape| Self { board, shape }))
    }

    /// As the notation writes it, such as "A circle".
    #[must_use]
    pub fn text(self) -> String {
        format!("{} {}", self.board.letter(), shape_word(self.shape))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ByGroup<T>(ByBoard<ByShape<T>>);

impl<T> ByGroup<T> {
    pub(super) fn from_fn(mut make: impl FnMut(Group) -> T) -> Self {
        Self(ByBoard::from_fn(|board| ByShape::from_fn(|shape| make(Group { board, shape }))))
    }
}

impl<T> Index<Group> for ByGroup<T> {
    type Output = T;

    fn index(&self, group: Group) -> &T {
        &self.0[group.board][group.shape]
    }
}

impl<T> IndexMut<Group> for ByGroup<T> {
    fn index_mut(&mut self, group: Group) -> &mut T {
        &mut self.0[group.board][group.shape]
    }
}

/// A group that still needs its cards: its board and its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Want {
    /// The board, which limits the fruits.
    pub board: Board,
    /// The number of cells of the group; never 0.
    pub size: u8,
}

/// The reason why some cards cannot fill a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroupFault {
    /// There are more or fewer cards than cells.
    Count,
    /// This fruit is not allowed on the board.
    Fruit(Fruit),
    /// They are neither all of one fruit nor all of different fruits with different numbers.
    Pattern,
}

impl Want {
    /// Checks that these cards may fill the group.
    ///
    /// # Errors
    /// The first rule that they break.
    pub fn fits(self, cards: Cards) -> Result<(), GroupFault> {
        if cards.count() != u32::from(self.size) {
            return Err(GroupFault::Count);
        }
        let allowed = Fruit::of_board(self.board);
        let (mut fruits, mut most, mut numbers, mut repeated) = (0, 0, 0, false);
        for fruit in Fruit::ALL {
            let of_fruit = cards.numbers(fruit);
            if of_fruit == 0 {
                continue;
            }
            if !allowed.contains(&fruit) {
                return Err(GroupFault::Fruit(fruit));
            }
            fruits += 1;
            most = of_fruit.count_ones().max(most);
            repeated |= numbers & of_fruit != 0;
            numbers |= of_fruit;
        }
        if fruits == 1 || (most == 1 && !repeated) { Ok(()) } else { Err(GroupFault::Pattern) }
    }

    /// The sets of different fruits, as bits, of which the group may hold one card each. Cards of one fruit are always
    /// possible too; a single card is such a case.
    pub(super) fn mixtures(self) -> impl Iterator<Item = u8> {
        let [a, b, c] = Fruit::of_board(self.board).map(Fruit::bit);
        let (pairs, triple) = ([a | b, a | c, b | c], a | b | c);
        // A board allows three fruits, so four cards are never all different.
        let (pairs, triple) = match self.size {
            2 => (Some(pairs), None),
            3 => (None, Some(triple)),
            _ => (None, None),
        };
        pairs.into_iter().flatten().chain(triple)
    }

    /// Every set of cards from a supply that may fill the group.
    #[must_use]
    pub fn patterns(self, supply: Cards) -> Vec<Cards> {
        let mut patterns = Vec::new();
        for fruit in Fruit::of_board(self.board) {
            let left = supply.numbers(fruit);
            let alike = (1..=NUMBERS).filter(|set| set & left == *set && set.count_ones() == u32::from(self.size));
            patterns.extend(alike.map(|set| Cards::of(fruit, set)));
        }
        for mixture in self.mixtures() {
            mix(supply, mixture, 0, Cards::default(), &mut |pattern| patterns.push(pattern));
        }
        patterns
    }
}

pub(super) fn mix(supply: Cards, fruits: u8, numbers: u16, taken: Cards, found: &mut impl FnMut(Cards)) {
    let Some(fruit) = Fruit::ALL.into_iter().find(|fruit| fruits & fruit.bit() != 0) else { return found(taken) };
    let mut left = supply.numbers(fruit) & !numbers;
    while left != 0 {
        let number = left & left.wrapping_neg();
        left &= !number;
        mix(supply, fruits & !fruit.bit(), numbers | number, taken.with(Cards::of(fruit, number)), found);
    }
}
