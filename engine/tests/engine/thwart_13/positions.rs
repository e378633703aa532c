//! Positions to search: random ones, those of whole matches, and kinds that are easy to get wrong.

use engine::SplitMix64;
use engine::Stream;
use engine::games::thwart_13::{Card, Cards, HandPlace, Hands, Rank, Suit};

/// A seat's hands, and the available cards.
pub(crate) type Position = (Hands, Cards);

/// The part of a deck that is used, so that hands meet.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DeckPart {
    /// All cards.
    Whole,
    /// Six ranks in a row, around the ace too: straights, and the wheel.
    Row,
    /// Three ranks: full houses, four of a kind, equal hands.
    Ranks,
    /// Two suits: flushes, straight flushes.
    Suits,
    /// One suit and a few others: two flushes from the same cards.
    Suit,
}

impl DeckPart {
    pub(crate) const ALL: [Self; 5] = [Self::Whole, Self::Row, Self::Ranks, Self::Suits, Self::Suit];

    fn deck(self, chance: &mut SplitMix64) -> Vec<Card> {
        let ranks: Vec<Rank> = Rank::all().collect();
        let any = |n: u64, chance: &mut SplitMix64| usize::try_from(chance.below(n)).unwrap();
        let from = any(13, chance);
        let keep: Box<dyn Fn(&Card) -> bool> = match self {
            Self::Whole => Box::new(|_| true),
            Self::Row => {
                let row: Vec<Rank> = (0..6).map(|n| ranks[(from + n) % 13]).collect();
                Box::new(move |card| row.contains(&card.rank()))
            }
            Self::Ranks => {
                let few: Vec<Rank> = (0..4).map(|n| ranks[(from + 3 * n) % 13]).collect();
                Box::new(move |card| few.contains(&card.rank()))
            }
            Self::Suits => Box::new(|card| matches!(card.suit(), Suit::Hearts | Suit::Spades)),
            Self::Suit => Box::new(move |card| card.suit() == Suit::Hearts || card.rank() == ranks[from]),
        };
        let mut deck: Vec<Card> = Cards::DECK.iter().filter(|card| keep(card)).collect();
        chance.shuffle(&mut deck);
        deck
    }
}

/// Hands with this many open places in all, laid as by a seat that tries to complete them, or at random, and this many
/// available cards.
pub(crate) fn position(part: DeckPart, open: usize, available: usize, chance: &mut SplitMix64) -> Position {
    let deck = part.deck(chance);
    let mut places: Vec<HandPlace> =
        HandPlace::ALL.into_iter().flat_map(|place| std::iter::repeat_n(place, usize::from(place.size()))).collect();
    chance.shuffle(&mut places);
    let mut claimed: Vec<Card> = deck.iter().take(13 - open).copied().collect();
    let mut taken: Vec<HandPlace> = places.into_iter().take(claimed.len()).collect();
    if chance.below(3) > 0 {
        // Pairs and flushes form when similar cards are together.
        if chance.below(2) == 0 {
            claimed.sort_by_key(|card| card.rank());
        } else {
            claimed.sort_by_key(|card| (card.suit() as u8, card.rank()));
        }
        taken.sort_by_key(|place| *place as u8);
    }
    let mut hands = Hands::default();
    for (card, place) in claimed.iter().zip(&taken) {
        push(&mut hands, *place, *card);
    }
    (hands, deck.iter().skip(claimed.len()).take(available).copied().collect())
}

pub(crate) fn push(hands: &mut Hands, place: HandPlace, card: Card) {
    match place {
        HandPlace::Front => hands.front.push(card),
        HandPlace::Middle => hands.middle.push(card),
        HandPlace::Back => hands.back.push(card),
    }
}

/// A position from its text: front, middle, back and the available cards, with | between them.
pub(crate) fn written(text: &str) -> Position {
    let card = |word: &str| Cards::DECK.iter().find(|card| card.word() == word).unwrap();
    let mut parts = text.split('|').map(|part| part.split_whitespace().map(card).collect::<Vec<_>>());
    let mut hands = Hands::default();
    for place in HandPlace::ALL {
        parts.next().unwrap().into_iter().for_each(|card| push(&mut hands, place, card));
    }
    (hands, parts.next().unwrap().into_iter().collect())
}
