//! The cards of the 52-card deck, and sets of them.

use crate::Sign;
use crate::bit_set::bit_set;

const RANKS: u8 = 13;

/// The cards in notation: by suit, then by rank.
static WORDS: [&str; 52] = [
    "2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "TC", "JC", "QC", "KC", "AC", //
    "2D", "3D", "4D", "5D", "6D", "7D", "8D", "9D", "TD", "JD", "QD", "KD", "AD", //
    "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH", //
    "2S", "3S", "4S", "5S", "6S", "7S", "8S", "9S", "TS", "JS", "QS", "KS", "AS",
];

macro_rules! named {
    ($suit:literal) => {
        [
            concat!("two of ", $suit),
            concat!("three of ", $suit),
            concat!("four of ", $suit),
            concat!("five of ", $suit),
            concat!("six of ", $suit),
            concat!("seven of ", $suit),
            concat!("eight of ", $suit),
            concat!("nine of ", $suit),
            concat!("ten of ", $suit),
            concat!("jack of ", $suit),
            concat!("queen of ", $suit),
            concat!("king of ", $suit),
            concat!("ace of ", $suit),
        ]
    };
}

static NAMES: [[&str; 13]; 4] = [named!("clubs"), named!("diamonds"), named!("hearts"), named!("spades")];

/// A card, stored as its place in the order of the notation: by suit, then by rank.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Card(u8);

/// A card's rank. The ace is the highest; only in a straight can it also come below the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rank(u8);

/// A suit. None is better than another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suit {
    /// C.
    Clubs,
    /// D.
    Diamonds,
    /// H.
    Hearts,
    /// S.
    Spades,
}

impl Suit {
    /// All four, in the notation's order.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    const fn index(self) -> u8 {
        match self {
            Self::Clubs => 0,
            Self::Diamonds => 1,
            Self::Hearts => 2,
            Self::Spades => 3,
        }
    }

    pub(super) const fn sign(self) -> Sign {
        match self {
            Self::Clubs => Sign::Clubs,
            Self::Diamonds => Sign::Diamonds,
            Self::Hearts => Sign::Hearts,
            Self::Spades => Sign::Spades,
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Clubs => "Clubs",
            Self::Diamonds => "Diamonds",
            Self::Hearts => "Hearts",
            Self::Spades => "Spades",
        }
    }
}

impl Rank {
    /// The ranks from the two to the ace.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> {
        (0..RANKS).map(Self)
    }

    /// The rank of this index, where 0 is the two and 12 the ace.
    pub(super) const fn of_index(index: u8) -> Option<Self> {
        if index < RANKS { Some(Self(index)) } else { None }
    }

    pub(super) const fn index(self) -> u8 {
        self.0
    }

    pub(super) const fn face(self) -> &'static str {
        match self.0 {
            0 => "2",
            1 => "3",
            2 => "4",
            3 => "5",
            4 => "6",
            5 => "7",
            6 => "8",
            7 => "9",
            8 => "10",
            9 => "J",
            10 => "Q",
            11 => "K",
            _ => "A",
        }
    }
}

impl Card {
    /// The card of this rank and suit.
    #[must_use]
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Self(suit.index() * RANKS + rank.0)
    }

    /// Its rank.
    #[must_use]
    pub const fn rank(self) -> Rank {
        Rank(self.0 % RANKS)
    }

    /// Its suit.
    #[must_use]
    pub const fn suit(self) -> Suit {
        match self.0 / RANKS {
            0 => Suit::Clubs,
            1 => Suit::Diamonds,
            2 => Suit::Hearts,
            _ => Suit::Spades,
        }
    }

    /// As the notation writes it, such as `TH`.
    #[must_use]
    pub fn word(self) -> &'static str {
        WORDS.get(usize::from(self.0)).copied().unwrap_or_default()
    }

    /// In full words, such as "ten of hearts".
    #[must_use]
    pub fn name(self) -> &'static str {
        let suit = NAMES.get(usize::from(self.suit().index()));
        suit.and_then(|suit| suit.get(usize::from(self.rank().0))).copied().unwrap_or_default()
    }
}

bit_set! {
    /// A set of cards, listed by suit, then by rank.
    Cards(u64) of Card
}

impl Cards {
    /// The whole deck.
    pub const DECK: Self = Self((1 << 52) - 1);

    /// Removes it.
    pub const fn remove(&mut self, card: Card) {
        self.0 &= !(1 << card.0);
    }

    /// True if the sets share a card.
    #[must_use]
    pub const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The cards of a suit.
    #[must_use]
    pub const fn of_suit(self, suit: Suit) -> Self {
        Self(self.0 & (0x1fff << (suit.index() * RANKS)))
    }

    /// The cards of a rank.
    #[must_use]
    pub const fn of_rank(self, rank: Rank) -> Self {
        Self(self.0 & (0x80_0400_2001 << rank.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_is_in_its_suit_and_its_rank() {
        let mut seen = 0;
        for suit in Suit::ALL {
            for rank in Rank::all() {
                let card = Card::new(rank, suit);
                assert_eq!((card.rank(), card.suit(), usize::from(card.0)), (rank, suit, seen));
                assert!(Cards::DECK.of_suit(suit).has(card) && Cards::DECK.of_rank(rank).has(card));
                let face = rank.face().replace("10", "T");
                assert_eq!(card.word(), std::format!("{face}{}", &suit.title()[..1]));
                assert!(card.name().ends_with(&suit.title().to_lowercase()));
                seen += 1;
            }
        }
        assert_eq!(Cards::DECK.iter().count(), 52);
        assert!(Rank::all().all(|rank| Cards::DECK.of_rank(rank).count() == 4));
        assert!(Suit::ALL.into_iter().all(|suit| Cards::DECK.of_suit(suit).count() == 13));
    }
}
