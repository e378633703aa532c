//! Decides exactly if the groups that still need cards can all be filled from the rest of a deck.
//!
//! A group takes either cards of one fruit, of which only the count matters, or one card each of two or three fruits
//! with different numbers. Counts alone decide as long as a fruit has six or more cards left: it can give its cards to
//! the mixed groups last, whatever numbers the others gave. In each such group, the other cards take at most two
//! numbers, and each number is taken in this way in at most four groups. So any four groups or fewer still have four
//! numbers between them, any five or more have all, and by Hall's theorem each gets one of its own. Numbers need a
//! search only among fruits with five cards or fewer.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::{Cards, Fruit, Want};

/// With this many cards left or more, a fruit never lacks a number.
const ENOUGH: u32 = 6;

/// True if all these groups can be filled from the supply.
#[must_use]
pub fn completes(supply: Cards, wants: &[Want]) -> bool {
    Search::new(supply, wants, |left| left < ENOUGH).completes()
}

/// True if the counts alone allow it. If they do not, no choice of numbers helps.
#[must_use]
pub(super) fn counts_suffice(supply: Cards, wants: &[Want]) -> bool {
    Search::new(supply, wants, |_| false).completes()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Counts(u32);

impl Counts {
    fn of(supply: Cards) -> Self {
        Self(Fruit::ALL.into_iter().fold(0, |all, fruit| all | supply.numbers(fruit).count_ones() << Self::at(fruit)))
    }

    const fn at(fruit: Fruit) -> u32 {
        fruit as u32 * 4
    }

    const fn take(self, fruit: Fruit, count: u8) -> Option<Self> {
        let left = self.0 >> Self::at(fruit) & 0xf;
        if left < count as u32 { None } else { Some(Self(self.0 - ((count as u32) << Self::at(fruit)))) }
    }

    fn take_each(self, fruits: u8) -> Option<Self> {
        each(fruits).try_fold(self, |left, fruit| left.take(fruit, 1))
    }
}

/// The number of groups that mix each set of scarce fruits, four bits for each of the 32 sets. No set is mixed more
/// than five times, since a scarce fruit has at most five cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Mixed(u128);

impl Mixed {
    const fn with(self, fruits: u8) -> Self {
        Self(self.0 + (1 << (fruits as u32 * 4)))
    }

    const fn without(self, fruits: u8) -> Self {
        Self(self.0 - (1 << (fruits as u32 * 4)))
    }

    const fn any(self) -> Option<u8> {
        if self.0 == 0 { None } else { Some((self.0.trailing_zeros() / 4) as u8) }
    }
}

fn each(fruits: u8) -> impl Iterator<Item = Fruit> {
    Fruit::ALL.into_iter().filter(move |fruit| fruits & fruit.bit() != 0)
}

struct Search {
    supply: Cards,
    wants: Vec<Want>,
    scarce: u8,
    /// Dead ends: the number of groups filled, the cards left, and the mixtures.
    failed: BTreeSet<(usize, Counts, Mixed)>,
}

impl Search {
    fn new(supply: Cards, wants: &[Want], scarce: impl Fn(u32) -> bool) -> Self {
        let mut wants = wants.to_vec();
        // The large groups have the fewest ways.
        wants.sort_by_key(|want| core::cmp::Reverse(want.size));
        let scarce = Fruit::ALL.into_iter().filter(|fruit| scarce(supply.numbers(*fruit).count_ones()));
        Self { supply, wants, scarce: scarce.fold(0, |all, fruit| all | fruit.bit()), failed: BTreeSet::new() }
    }

    fn completes(&mut self) -> bool {
        let due: u32 = self.wants.iter().map(|want| u32::from(want.size)).sum();
        due <= self.supply.count() && self.from(0, Counts::of(self.supply), Mixed::default())
    }

    fn from(&mut self, at: usize, left: Counts, mixed: Mixed) -> bool {
        let Some(want) = self.wants.get(at).copied() else { return true };
        if self.failed.contains(&(at, left, mixed)) {
            return false;
        }
        for fruit in Fruit::of_board(want.board) {
            if let Some(left) = left.take(fruit, want.size)
                && self.from(at + 1, left, mixed)
            {
                return true;
            }
        }
        for fruits in want.mixtures() {
            let Some(left) = left.take_each(fruits) else { continue };
            let scarce = fruits & self.scarce;
            // With at most one scarce fruit there is no other number to differ from.
            let mixed = if scarce.count_ones() < 2 { mixed } else { mixed.with(scarce) };
            if (scarce.count_ones() < 2 || numbers(self.supply, mixed, &mut BTreeSet::new()))
                && self.from(at + 1, left, mixed)
            {
                return true;
            }
        }
        self.failed.insert((at, left, mixed));
        false
    }
}

/// True if each of these mixtures can have one card of each of its fruits with different numbers, and no card twice.
fn numbers(supply: Cards, mixed: Mixed, failed: &mut BTreeSet<(Cards, Mixed)>) -> bool {
    let Some(fruits) = mixed.any() else { return true };
    if failed.contains(&(supply, mixed)) {
        return false;
    }
    let mut ways = Vec::new();
    super::group::mix(supply, fruits, 0, Cards::default(), &mut |taken| ways.push(taken));
    let found = ways.into_iter().any(|taken| numbers(supply.without(taken), mixed.without(fruits), failed));
    if !found {
        failed.insert((supply, mixed));
    }
    found
}
