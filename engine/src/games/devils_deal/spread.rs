//! Cards in a given order, and a division of an offer into piles.

use super::Card;

/// Up to 27 cards in the order in which they were given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spread {
    cards: [Card; Card::COUNT],
    count: u8,
}

impl Default for Spread {
    fn default() -> Self {
        Self { cards: Card::ALL, count: 0 }
    }
}

impl Spread {
    /// The cards, in order.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        self.cards.get(..usize::from(self.count)).unwrap_or_default()
    }

    /// The number of cards.
    #[must_use]
    pub const fn count(&self) -> u8 {
        self.count
    }

    /// Adds a card at the end; false if there was no room.
    pub fn push(&mut self, card: Card) -> bool {
        let Some(place) = self.cards.get_mut(usize::from(self.count)) else { return false };
        *place = card;
        self.count += 1;
        true
    }

    /// The first card that comes a second time.
    #[must_use]
    pub fn repeated(&self) -> Option<Card> {
        repeated(self.cards())
    }
}

impl FromIterator<Card> for Spread {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut spread = Self::default();
        for card in cards {
            spread.push(card);
        }
        spread
    }
}

/// The first card that is in the list a second time.
pub(super) fn repeated(cards: &[Card]) -> Option<Card> {
    let mut seen = 0_u32;
    cards.iter().copied().find(|card| {
        let bit = 1 << card.index();
        let again = seen & bit != 0;
        seen |= bit;
        again
    })
}

/// Piles of cards, the last of them set aside; no pile at all takes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Division {
    cards: Spread,
    /// A bit for each place where a pile begins.
    begins: u32,
}

impl Division {
    /// Adds a pile; the last one added is the one set aside. False if there was no room. An empty pile adds nothing.
    pub fn push(&mut self, pile: &[Card]) -> bool {
        if !pile.is_empty() {
            self.begins |= 1_u32.checked_shl(self.cards.count.into()).unwrap_or(0);
        }
        pile.iter().all(|card| self.cards.push(*card))
    }

    /// All cards of all piles.
    #[must_use]
    pub const fn cards(&self) -> &Spread {
        &self.cards
    }

    /// The number of piles, with the one set aside.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.begins.count_ones()
    }

    /// The piles in order; the last one is set aside.
    pub fn piles(&self) -> impl Iterator<Item = &[Card]> {
        let (mut rest, mut begins) = (self.cards.cards(), self.begins);
        core::iter::from_fn(move || {
            let next = ((begins >> 1).trailing_zeros() + 1).min(31);
            begins >>= next;
            let length = rest.len().min(usize::try_from(next).unwrap_or(usize::MAX));
            let (pile, others) = rest.split_at_checked(length)?;
            rest = others;
            (!pile.is_empty()).then_some(pile)
        })
    }

    /// The cards of all piles except the one set aside.
    pub fn taken(&self) -> impl Iterator<Item = Card> {
        let piles = usize::try_from(self.count()).unwrap_or(0);
        self.piles().take(piles.saturating_sub(1)).flatten().copied()
    }
}

pub(super) fn sum(pile: &[Card]) -> u16 {
    pile.iter().map(|card| u16::from(card.number())).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_pile_is_the_one_set_aside() {
        let [a, b, c, d, ..] = Card::ALL;
        let mut division = Division::default();
        assert_eq!((division.count(), division.piles().count(), division.taken().count()), (0, 0, 0));
        assert!(division.push(&[a, d]) && division.push(&[]) && division.push(&[c]) && division.push(&[b]));
        let piles: alloc::vec::Vec<_> = division.piles().collect();
        assert_eq!(piles, [&[a, d][..], &[c], &[b]]);
        assert!(division.taken().eq([a, d, c]));
        assert_eq!((sum(&[a, d]), division.cards().repeated()), (5, None));
        assert!(!division.push(&Card::ALL));
        assert_eq!(division.cards().repeated(), Some(a));
        assert_eq!(division.piles().map(<[Card]>::len).sum::<usize>(), 27);
    }
}
