//! The answer to a challenge, and the check that it meets the challenge.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::card::{Card, Cards};
use super::clauses::number;
use super::hands::{Hand, HandPlace, Hands, HandsFault};
use crate::{Refusal, Seat};

/// Three groups of cards, as they were written. They need not be a valid set, nor of the right size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Cards for the front hand.
    pub front: Vec<Card>,
    /// Cards for the middle hand.
    pub middle: Vec<Card>,
    /// Cards for the back hand.
    pub back: Vec<Card>,
}

/// The reason why an answer does not meet the challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerFault {
    /// A hand has more or fewer cards than it must have.
    Number(HandPlace),
    /// A card that was claimed for a hand is missing in it.
    Lacks(HandPlace, Card),
    /// A card is there twice.
    Twice(Card),
    /// A card neither claimed to its hand nor available.
    NotAvailable(HandPlace, Card),
    /// Three hands that are not a valid set.
    NoSet(HandsFault, Hands),
}

impl Answer {
    /// One of the three groups.
    #[must_use]
    pub fn at(&self, place: HandPlace) -> &[Card] {
        match place {
            HandPlace::Front => &self.front,
            HandPlace::Middle => &self.middle,
            HandPlace::Back => &self.back,
        }
    }

    /// The valid set that this answer makes of a seat's cards and the available ones.
    ///
    /// # Errors
    /// The first fault, from the front.
    pub fn completes(&self, held: &Hands, available: Cards) -> Result<Hands, AnswerFault> {
        if let Some(place) = HandPlace::ALL.into_iter().find(|place| self.at(*place).len() != usize::from(place.size()))
        {
            return Err(AnswerFault::Number(place));
        }
        let (mut hands, mut used) = (Hands::default(), Cards::NONE);
        for place in HandPlace::ALL {
            let claimed = held.at(place).cards();
            let shown: Cards = self.at(place).iter().copied().collect();
            if let Some(lacking) = claimed.without(shown).iter().next() {
                return Err(AnswerFault::Lacks(place, lacking));
            }
            for card in self.at(place) {
                if used.has(*card) {
                    return Err(AnswerFault::Twice(*card));
                }
                if !claimed.has(*card) && !available.has(*card) {
                    return Err(AnswerFault::NotAvailable(place, *card));
                }
                used.add(*card);
            }
            *hands.at_mut(place) = filled(self.at(place));
        }
        match hands.fault() {
            None => Ok(hands),
            Some(fault) => Err(AnswerFault::NoSet(fault, hands)),
        }
    }

    fn written(&self, place: HandPlace) -> String {
        self.at(place).iter().map(|card| card.word()).collect::<Vec<_>>().join(" ")
    }
}

fn filled(cards: &[Card]) -> Hand {
    let mut hand = Hand::default();
    cards.iter().for_each(|card| hand.push(*card));
    hand
}

impl AnswerFault {
    pub(super) const fn rule(&self) -> &'static str {
        match self {
            Self::Number(_) => number::VALID_SET,
            Self::Lacks(..) | Self::Twice(_) | Self::NotAvailable(..) => number::ANSWER,
            Self::NoSet(fault, _) => fault.rule(),
        }
    }

    pub(super) fn describe(&self, answer: &Answer) -> String {
        match self {
            Self::Number(place) => {
                let (due, are) = (place.size(), answer.at(*place).len());
                format!(
                    "the {} hand takes {due} cards, and {are} {} named",
                    place.word(),
                    if are == 1 { "is" } else { "are" }
                )
            }
            Self::Lacks(place, card) => {
                format!("the {} was claimed to the {} hand and must stay in it", card.name(), place.word())
            }
            Self::Twice(card) => format!("the {} is used twice", card.name()),
            Self::NotAvailable(place, card) => {
                format!("the {} is not available to fill the {} hand", card.name(), place.word())
            }
            Self::NoSet(fault, hands) => fault.describe(hands),
        }
    }

    pub(super) fn refusal(&self, seat: Seat, answer: &Answer) -> Refusal {
        let found = match self {
            Self::Number(place) | Self::Lacks(place, _) => answer.written(*place),
            Self::Twice(card) | Self::NotAvailable(_, card) => card.word().into(),
            Self::NoSet(HandsFault::Short(place) | HandsFault::NotWeaker(place, _), _) => answer.written(*place),
        };
        Refusal::by_rule(Some(seat), self.rule(), self.describe(answer)).naming(found)
    }
}
