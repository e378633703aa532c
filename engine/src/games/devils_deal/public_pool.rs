//! Public knowledge of a pool. It is made of public facts only, so nothing derived from it can leak a secret.

use super::{Card, Pool};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PublicPool {
    pub(super) sure: Pool,
    pub(super) doubtful: Pool,
    pub(super) left: u8,
    /// A card has left face down at some time (ruling DD-18).
    pub(super) veiled: bool,
}

impl PublicPool {
    pub(super) const fn gain(&mut self, card: Card) {
        self.sure.add(card);
    }

    pub(super) fn lose(&mut self, card: Card) {
        if !self.sure.remove(card) {
            self.doubtful.remove(card);
            self.settle();
        }
    }

    /// This many different cards, none of them one of `barred`, leave the pool face down. Of each other card, one copy
    /// may be among them.
    pub(super) fn veil(&mut self, count: u8, barred: [Option<Card>; 2]) {
        if count == 0 {
            return;
        }
        for card in self.sure.kinds().filter(|card| !barred.contains(&Some(*card))) {
            self.sure.remove(card);
            self.doubtful.add(card);
        }
        self.left += count;
        self.veiled = true;
        self.settle();
    }

    /// Once as many cards have left as are doubtful, all of those are gone.
    fn settle(&mut self) {
        if self.left >= self.doubtful.count() {
            (self.doubtful, self.left) = (Pool::EMPTY, 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(cards: &[Card]) -> PublicPool {
        let mut known = PublicPool::default();
        cards.iter().for_each(|card| known.gain(*card));
        known
    }

    #[test]
    fn what_left_face_down_is_one_of_those_that_could() {
        let [a, b, c, d, e, ..] = Card::ALL;
        let mut known = of(&[a, a, b, c, d]);
        // Community card d, first card c shown: one of a and b has left, and one a is in the pool in any case.
        known.lose(c);
        known.veil(1, [Some(d), Some(c)]);
        assert!(known.sure.each().eq([a, d]) && known.doubtful.each().eq([a, b]));
        assert_eq!((known.left, known.veiled), (1, true));
        // A card that comes later is certain until the next veil.
        known.gain(e);
        assert!(known.sure.has(e));
        // Two copies of a are shown, so b is the card that left.
        known.lose(a);
        known.lose(a);
        assert!(known.sure.each().eq([d, e]) && known.doubtful.is_empty());
        assert_eq!((known.left, known.veiled), (0, true));
    }

    #[test]
    fn when_all_that_could_have_left_has_left_nothing_is_doubtful() {
        let [a, b, ..] = Card::ALL;
        let mut known = of(&[a, b]);
        known.veil(0, [None; 2]);
        assert!(!known.veiled);
        known.veil(2, [None; 2]);
        assert!(known.sure.is_empty() && known.doubtful.is_empty() && known.left == 0 && known.veiled);
    }
}
