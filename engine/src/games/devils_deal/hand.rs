//! The worth of three different cards.

use super::Card;

/// The kinds of hand, from the worst to the best.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// None of the others.
    HighCard,
    /// Two of a number.
    Pair,
    /// One colour.
    Flush,
    /// Three numbers in a row; 9 and 1 are not neighbours.
    Straight,
    /// A straight and a flush.
    StraightFlush,
    /// One number.
    ThreeOfAKind,
}

impl Category {
    /// All kinds, from the best to the worst.
    pub const BEST_FIRST: [Self; 6] =
        [Self::ThreeOfAKind, Self::StraightFlush, Self::Straight, Self::Flush, Self::Pair, Self::HighCard];

    /// The name for people, with its article.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::HighCard => "a high card",
            Self::Pair => "a pair",
            Self::Flush => "a flush",
            Self::Straight => "a straight",
            Self::StraightFlush => "a straight flush",
            Self::ThreeOfAKind => "three of a kind",
        }
    }
}

/// A hand's worth: the greater one wins, equal ones tie.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hand {
    /// Its kind decides first.
    pub category: Category,
    /// Then these numbers, in this order: from the highest down, or the pair before the third card.
    numbers: [u8; 3],
}

impl Hand {
    /// The hand of three different cards.
    #[must_use]
    pub fn of(cards: [Card; 3]) -> Self {
        let mut numbers = cards.map(Card::number);
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        let [high, middle, low] = numbers;
        let [a, b, c] = cards.map(Card::colour);
        let one_colour = a == b && b == c;
        let in_a_row = high == middle + 1 && middle == low + 1;
        let category = match (in_a_row, one_colour) {
            _ if high == low => Category::ThreeOfAKind,
            (true, true) => Category::StraightFlush,
            (true, false) => Category::Straight,
            (false, true) => Category::Flush,
            _ if high == middle || middle == low => Category::Pair,
            _ => Category::HighCard,
        };
        if category == Category::Pair && middle == low {
            numbers = [middle, low, high];
        }
        Self { category, numbers }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rarity gives the order that the post leaves open (ruling DD-12).
    #[test]
    fn all_2925_hands_fall_into_their_kinds() {
        let mut counts = [0; 6];
        for (at, a) in Card::ALL.into_iter().enumerate() {
            for (next, b) in Card::ALL.into_iter().enumerate().skip(at + 1) {
                for c in Card::ALL.into_iter().skip(next + 1) {
                    let hand = Hand::of([a, b, c]);
                    assert!([[b, a, c], [c, b, a], [b, c, a]].into_iter().all(|turned| Hand::of(turned) == hand));
                    counts[hand.category as usize] += 1;
                }
            }
        }
        let best_first = Category::BEST_FIRST.map(|category| counts[category as usize]);
        assert_eq!(best_first, [9, 21, 168, 231, 648, 1848]);
        assert_eq!(counts.iter().sum::<u32>(), 2925);
    }
}
