//! Cards with copies: a pool, which is refilled from many decks.

use super::Card;

/// Up to 15 copies of each card, four bits a card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pool(u128);

/// The lower half of every byte.
const LOW: u128 = u128::MAX / 0xff * 0x0f;

impl Pool {
    /// No cards.
    pub const EMPTY: Self = Self(0);

    const fn shift(card: Card) -> u32 {
        card.index() as u32 * 4
    }

    /// The number of copies of this card.
    #[must_use]
    pub const fn copies(self, card: Card) -> u8 {
        (self.0 >> Self::shift(card)) as u8 & 0x0f
    }

    /// True if there is at least one copy.
    #[must_use]
    pub const fn has(self, card: Card) -> bool {
        self.copies(card) > 0
    }

    /// The number of cards, with copies.
    #[must_use]
    pub fn count(self) -> u8 {
        // Two cards in each byte. Then the bytes of each half are summed into its highest one.
        let pairs = (self.0 & LOW) + (self.0 >> 4 & LOW);
        let sum = |half: u64| half.wrapping_mul(u64::MAX / 0xff) >> 56;
        (sum(pairs as u64) + sum((pairs >> 64) as u64)) as u8
    }

    /// True if there are no cards.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds one copy. More than 15 do not fit, and cannot occur in the game.
    pub const fn add(&mut self, card: Card) {
        if self.copies(card) < 15 {
            self.0 += 1 << Self::shift(card);
        }
    }

    /// Removes one copy; false if there was none.
    pub const fn remove(&mut self, card: Card) -> bool {
        let had = self.has(card);
        if had {
            self.0 -= 1 << Self::shift(card);
        }
        had
    }

    /// The cards in order, with their copies.
    pub fn each(self) -> impl Iterator<Item = Card> {
        self.kinds().flat_map(move |card| (0..self.copies(card)).map(move |_| card))
    }

    /// The cards in order, without their copies.
    pub fn kinds(self) -> impl Iterator<Item = Card> {
        Card::ALL.into_iter().filter(move |card| self.has(*card))
    }

    /// The cards with their copies, lowest numbers first, then R, G, B.
    pub fn lowest_first(self) -> impl Iterator<Item = Card> {
        Card::LOWEST_FIRST.into_iter().flat_map(move |card| (0..self.copies(card)).map(move |_| card))
    }
}

impl FromIterator<Card> for Pool {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut pool = Self::EMPTY;
        cards.into_iter().for_each(|card| pool.add(card));
        pool
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_counts_copies() {
        let [r1, .., b9] = Card::ALL;
        let mut pool: Pool = [b9, r1, b9].into_iter().collect();
        assert_eq!((pool.count(), pool.copies(b9), pool.has(r1)), (3, 2, true));
        assert!(pool.each().eq([r1, b9, b9]) && pool.kinds().eq([r1, b9]));
        assert!(pool.remove(b9) && pool.remove(b9) && !pool.remove(b9));
        assert!(pool.each().eq([r1]) && !pool.is_empty());
        let full: Pool = Card::ALL.into_iter().chain(Card::ALL).collect();
        assert_eq!(full.count(), 54);
    }
}
