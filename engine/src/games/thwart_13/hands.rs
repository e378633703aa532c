//! The three hands of a seat, and the conditions of a valid set.

use alloc::format;
use alloc::string::String;

use super::card::{Card, Cards};
use super::clauses::number;
use super::ranking::Strength;

/// One of a seat's three hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandPlace {
    /// Three cards, the weakest hand.
    Front,
    /// Five cards.
    Middle,
    /// Five cards, the strongest hand.
    Back,
}

impl HandPlace {
    /// All three, from the front.
    pub const ALL: [Self; 3] = [Self::Front, Self::Middle, Self::Back];

    /// The notation's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Front => "front",
            Self::Middle => "middle",
            Self::Back => "back",
        }
    }

    /// The name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Front => "Front",
            Self::Middle => "Middle",
            Self::Back => "Back",
        }
    }

    /// The number of cards in the full hand.
    #[must_use]
    pub const fn size(self) -> u8 {
        match self {
            Self::Front => 3,
            Self::Middle | Self::Back => 5,
        }
    }
}

/// The cards of one hand, in the order claimed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hand {
    cards: [Card; 5],
    count: u8,
}

impl Hand {
    /// The number of cards.
    #[must_use]
    pub const fn count(&self) -> u8 {
        self.count
    }

    /// The cards in the order claimed.
    pub fn iter(&self) -> impl Iterator<Item = Card> + Clone + '_ {
        self.cards.iter().copied().take(usize::from(self.count))
    }

    /// The cards as a set.
    #[must_use]
    pub fn cards(&self) -> Cards {
        self.iter().collect()
    }

    /// Adds a card behind the others; a sixth is ignored.
    pub fn push(&mut self, card: Card) {
        if let Some(place) = self.cards.get_mut(usize::from(self.count)) {
            *place = card;
            self.count += 1;
        }
    }

    /// Its strength; only meaningful for a full hand.
    #[must_use]
    pub fn strength(&self) -> Strength {
        Strength::of(self.iter())
    }
}

/// The three hands of a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hands {
    /// The front hand.
    pub front: Hand,
    /// The middle hand.
    pub middle: Hand,
    /// The back hand.
    pub back: Hand,
}

/// The reason why three hands are not a valid set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandsFault {
    /// A hand is not full.
    Short(HandPlace),
    /// A hand is not weaker than the one behind it.
    NotWeaker(HandPlace, HandPlace),
}

impl Hands {
    /// The hand at this place.
    #[must_use]
    pub const fn at(&self, place: HandPlace) -> &Hand {
        match place {
            HandPlace::Front => &self.front,
            HandPlace::Middle => &self.middle,
            HandPlace::Back => &self.back,
        }
    }

    pub(super) const fn at_mut(&mut self, place: HandPlace) -> &mut Hand {
        match place {
            HandPlace::Front => &mut self.front,
            HandPlace::Middle => &mut self.middle,
            HandPlace::Back => &mut self.back,
        }
    }

    /// The number of empty places in a hand.
    #[must_use]
    pub const fn open(&self, place: HandPlace) -> u8 {
        place.size().saturating_sub(self.at(place).count)
    }

    /// True if all three are full.
    #[must_use]
    pub fn are_full(&self) -> bool {
        HandPlace::ALL.into_iter().all(|place| self.open(place) == 0)
    }

    /// All their cards.
    #[must_use]
    pub fn cards(&self) -> Cards {
        HandPlace::ALL.into_iter().flat_map(|place| self.at(place).iter()).collect()
    }

    /// The first fault, from the front, that keeps them from being a valid set; none if they are one.
    #[must_use]
    pub fn fault(&self) -> Option<HandsFault> {
        if let Some(short) = HandPlace::ALL.into_iter().find(|place| self.open(*place) > 0) {
            return Some(HandsFault::Short(short));
        }
        let pairs = [(HandPlace::Front, HandPlace::Middle), (HandPlace::Middle, HandPlace::Back)];
        let wrong = pairs.into_iter().find(|(weak, strong)| self.at(*weak).strength() >= self.at(*strong).strength());
        wrong.map(|(weak, strong)| HandsFault::NotWeaker(weak, strong))
    }
}

impl HandsFault {
    pub(super) const fn rule(self) -> &'static str {
        match self {
            Self::Short(_) => number::VALID_SET,
            Self::NotWeaker(HandPlace::Front, _) => number::FRONT,
            Self::NotWeaker(..) => number::ORDER,
        }
    }

    pub(super) fn describe(self, hands: &Hands) -> String {
        match self {
            Self::Short(place) => {
                format!("the {} hand holds {} of {} cards", place.word(), hands.at(place).count, place.size())
            }
            Self::NotWeaker(weak, strong) => {
                let (one, other) = (hands.at(weak).strength(), hands.at(strong).strength());
                format!(
                    "the {} hand, {}, is not weaker than the {} hand, {}",
                    weak.word(),
                    one.describe(),
                    strong.word(),
                    other.describe()
                )
            }
        }
    }
}
