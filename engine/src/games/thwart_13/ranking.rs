//! The order of poker hands, of three cards and of five. It is the standard one: no suit beats another, and the ace is
//! high except in the straight A-2-3-4-5, which is the lowest.

use alloc::format;
use alloc::string::String;

use super::Card;
use super::card::Rank;

/// One bit for each rank, four bits apart, so that each rank can count up to four cards.
const EACH: u64 = 0x1_1111_1111_1111;
/// The ranks of A-2-3-4-5.
const WHEEL: u64 = 0x1_0000_0000_1111;

/// The number of cards of each rank: four bits a rank, the two lowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ranks(pub(super) u64);

impl Ranks {
    pub(super) fn of(cards: impl Iterator<Item = Card>) -> Self {
        let mut ranks = Self::default();
        cards.for_each(|card| ranks.add(card.rank()));
        ranks
    }

    pub(super) const fn add(&mut self, rank: Rank) {
        self.0 += 1 << (4 * rank.index());
    }

    pub(super) const fn count(self, rank: Rank) -> u8 {
        (self.0 >> (4 * rank.index()) & 0xf) as u8
    }

    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// The difference; none if the other has more cards of some rank.
    pub(super) const fn less(self, other: Self) -> Option<Self> {
        // No count is above four. The spare bit on top of each shows a rank with too few.
        let spare = EACH << 3;
        let rest = (self.0 | spare) - other.0;
        if rest & spare == spare { Some(Self(rest & !spare)) } else { None }
    }
}

/// The worth of a hand of three or five cards: first its category, then its ranks. Of two hands that are equal so far,
/// the one without a further kicker is weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(u32);

/// The kind of a hand, the weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Nothing below.
    HighCard,
    /// Two of a rank.
    Pair,
    /// Two pairs.
    TwoPair,
    /// Three of a rank.
    ThreeOfAKind,
    /// Five ranks in a row.
    Straight,
    /// Five of a suit.
    Flush,
    /// Three of a rank and two of another.
    FullHouse,
    /// Four of a rank.
    FourOfAKind,
    /// A straight of one suit.
    StraightFlush,
}

impl Category {
    const fn base(self) -> u32 {
        (self as u32) << 20
    }

    /// Its name, such as "a pair".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HighCard => "a high card",
            Self::Pair => "a pair",
            Self::TwoPair => "two pairs",
            Self::ThreeOfAKind => "three of a kind",
            Self::Straight => "a straight",
            Self::Flush => "a flush",
            Self::FullHouse => "a full house",
            Self::FourOfAKind => "four of a kind",
            Self::StraightFlush => "a straight flush",
        }
    }
}

impl Strength {
    /// The worth of these cards, three or five. Three are never a straight or a flush.
    pub fn of(cards: impl Iterator<Item = Card> + Clone) -> Self {
        let mut suits = cards.clone().map(Card::suit);
        let suited = suits.next().is_some_and(|first| suits.all(|suit| suit == first));
        let five = cards.clone().count() == 5;
        let plain = Self::of_ranks(Ranks::of(cards));
        if suited && five { plain.suited() } else { plain }
    }

    /// The worth of cards of these ranks that are not all of one suit.
    pub(super) const fn of_ranks(Ranks(ranks): Ranks) -> Self {
        let (one, two, four) = (ranks & EACH, ranks >> 1 & EACH, ranks >> 2 & EACH);
        let (three, two, one) = (two & one, two & !one, one & !two);
        if one.count_ones() == 5
            && let Some(top) = straight(one)
        {
            return Self(Category::Straight.base() | top);
        }
        let category = if four != 0 {
            Category::FourOfAKind
        } else if three != 0 && two != 0 {
            Category::FullHouse
        } else if three != 0 {
            Category::ThreeOfAKind
        } else {
            match two.count_ones() {
                0 => Category::HighCard,
                1 => Category::Pair,
                _ => Category::TwoPair,
            }
        };
        // Ranks of which there are more cards come first, then higher ones. The places of missing kickers stay empty.
        let (mut kickers, mut places) = (0, 20);
        let sorted = [four, three, two, one];
        let mut rest: &[u64] = &sorted;
        while let Some((group, others)) = rest.split_first() {
            let mut group = *group;
            while group != 0 && places > 0 {
                let at = 63 - group.leading_zeros();
                places -= 4;
                kickers |= (at / 4 + 2) << places;
                group &= !(1 << at);
            }
            rest = others;
        }
        Self(category.base() | kickers)
    }

    pub(super) const fn suited(self) -> Self {
        let ranks = self.0 & 0xf_ffff;
        match self.category() {
            Category::Straight => Self(Category::StraightFlush.base() | ranks),
            _ => Self(Category::Flush.base() | ranks),
        }
    }

    /// The kind of the hand.
    #[must_use]
    pub const fn category(self) -> Category {
        match self.0 >> 20 {
            0 => Category::HighCard,
            1 => Category::Pair,
            2 => Category::TwoPair,
            3 => Category::ThreeOfAKind,
            4 => Category::Straight,
            5 => Category::Flush,
            6 => Category::FullHouse,
            7 => Category::FourOfAKind,
            _ => Category::StraightFlush,
        }
    }

    /// For people, such as "a pair (Q 9 4 2)", with the ranks in the order in which they are compared.
    #[must_use]
    pub fn describe(self) -> String {
        let ranks = (0..5).rev().filter_map(|place| match self.0 >> (4 * place) & 0xf {
            0 => None,
            rank => u8::try_from(rank - 2).ok().and_then(Rank::of_index).map(Rank::face),
        });
        let ranks = ranks.collect::<alloc::vec::Vec<_>>().join(" ");
        let high = matches!(self.category(), Category::Straight | Category::StraightFlush);
        format!("{} ({ranks}{})", self.category().name(), if high { " high" } else { "" })
    }
}

/// The highest rank of five in a row, shifted to its place in a worth. In A-2-3-4-5 it is the five.
const fn straight(one: u64) -> Option<u32> {
    if one == WHEEL {
        return Some(5 << 16);
    }
    let low = one.trailing_zeros();
    if one >> low == 0x1_1111 { Some((low / 4 + 6) << 16) } else { None }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::super::card::Cards;
    use super::*;

    fn strength(text: &str) -> Strength {
        let cards: Vec<Card> =
            text.split(' ').map(|word| Cards::DECK.iter().find(|card| card.word() == word).unwrap()).collect();
        Strength::of(cards.into_iter())
    }

    /// From the weakest to the strongest, with equal hands on a line.
    const ORDER: &[&[&str]] = &[
        &["2C 3C 4C", "2C 3D 4H"],
        &["2C 3D 5C"],
        &["2C 3D 4H 5S 7C", "2D 3H 4S 5C 7D"],
        &["AC KC QC", "AC KD QH"],
        &["AC KC QC 3D 2D"],
        &["AC KC QC JD 9D"],
        &["2C 2D 3H"],
        &["2C 2D 3H 4H 5H"],
        &["7D 7C 9H"],
        &["7S 7H 9D 4C 2C"],
        &["AC AD KH"],
        &["AC AD KH QH JH"],
        &["3C 3D 2C 2D 4H"],
        &["KC KD AC AD QH"],
        &["2C 2D 2H"],
        &["2C 2D 2H 3H 4H"],
        &["AC AD AH"],
        &["AC AD AH 2H 3H"],
        &["AC 2D 3D 4D 5D", "AD 2C 3C 4C 5C"],
        &["2C 3C 4C 5C 6D"],
        &["TC JC QC KC AD"],
        &["2C 3C 4C 5C 7C", "2H 3H 4H 5H 7H"],
        &["AC KC QC JC 9C"],
        &["2C 2D 2H 3H 3S"],
        &["3C 3D 3H 2H 2S"],
        &["AC AD AH KH KS"],
        &["2C 2D 2H 2S 3S"],
        &["4C 4D 4H 4S AS"],
        &["AC AD AH AS KS"],
        &["AS 2S 3S 4S 5S"],
        &["5S 6S 7S 8S 9S", "5H 6H 7H 8H 9H"],
        &["TS JS QS KS AS"],
    ];

    #[test]
    fn hands_stand_in_the_order_of_poker() {
        for (at, row) in ORDER.iter().enumerate() {
            for hand in *row {
                assert_eq!(strength(hand), strength(row[0]), "{hand}");
                for weaker in ORDER[..at].iter().copied().flatten() {
                    assert!(strength(weaker) < strength(hand), "{weaker} against {hand}");
                }
            }
        }
    }

    #[test]
    fn a_hand_is_described_with_its_ranks() {
        assert_eq!(strength("QC QD 9H 4S 2C").describe(), "a pair (Q 9 4 2)");
        assert_eq!(strength("AC 2D 3D 4D 5D").describe(), "a straight (5 high)");
        assert_eq!(strength("TC TD TH").describe(), "three of a kind (10)");
    }
}
