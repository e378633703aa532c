//! Swiss rounds: everybody meets somebody with about as many points, and nobody twice while that can be avoided.
//!
//! The best-placed player gets the most suitable partner with whom the others can still be paired. If they can is answered
//! exactly: a graph has a perfect matching if and only if its Tutte matrix has full rank, and with random numbers for its
//! unknowns, modulo a large prime, the rank is as good as never too low.

use super::Seed;
use super::pools::Standing;

const PRIME: u64 = (1 << 31) - 1;

/// Two who meet, or one with a bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub(super) one: Seed,
    pub(super) other: Option<Seed>,
}

/// The next round, from the table and the rounds before it. If the number is odd, the lowest who has had no bye gets one.
#[must_use]
pub(super) fn next_round(table: &[Standing], before: &[Vec<Pair>]) -> Vec<Pair> {
    let earlier: Vec<Pair> = before.iter().flatten().copied().collect();
    let met = |one: Seed, other: Seed| earlier.iter().any(|pair| pair.is_of(one, other));
    let mut left: Vec<&Standing> = table.iter().collect();
    let mut pairs = Vec::new();
    let mut again = rematches(&left, &met);
    if left.len() % 2 == 1 {
        let had = |seed: Seed| earlier.iter().filter(|pair| pair.one == seed && pair.other.is_none()).count();
        let fewest = left.iter().map(|standing| had(standing.seed)).min();
        let without = |place: usize| {
            let mut rest = left.clone();
            let bye = rest.remove(place);
            (rematches(&rest, &met), rest, bye.seed)
        };
        let places = (0..left.len())
            .rev()
            .filter(|place| left.get(*place).is_some_and(|standing| Some(had(standing.seed)) == fewest));
        // The first of the least: the lowest.
        let Some((least, rest, bye)) = places.map(without).min_by_key(|(rematches, ..)| *rematches) else {
            return pairs;
        };
        pairs.push(Pair { one: bye, other: None });
        (left, again) = (rest, least);
    }
    let mut paired = Vec::new();
    while let Some((first, others)) = left.split_first() {
        let equal = 1 + others.iter().take_while(|other| other.half_points() == first.half_points()).count();
        // The upper half of those with as many points meets the lower half.
        let mut wanted: Vec<usize> = (0..others.len()).collect();
        wanted.sort_by_key(|place| {
            let behind = others.get(*place).map_or(0, |other| first.half_points().abs_diff(other.half_points()));
            (behind, (place + 1).abs_diff(equal / 2))
        });
        let partner = wanted.into_iter().find_map(|place| {
            let mut rest = others.to_vec();
            let partner = rest.remove(place);
            let cost = usize::from(met(first.seed, partner.seed));
            let allowed = again.checked_sub(cost)?;
            (rematches(&rest, &met) <= allowed).then_some((partner.seed, rest, allowed))
        });
        let Some((partner, rest, allowed)) = partner else { break };
        paired.push(Pair { one: first.seed, other: Some(partner) });
        (left, again) = (rest, allowed);
    }
    paired.extend(pairs);
    paired
}

impl Pair {
    fn is_of(&self, one: Seed, other: Seed) -> bool {
        (self.one == one && self.other == Some(other)) || (self.one == other && self.other == Some(one))
    }
}

/// How many pairs of these must meet again, at the least.
fn rematches(players: &[&Standing], met: &impl Fn(Seed, Seed) -> bool) -> usize {
    let unknown = |one: &Standing, other: &Standing| {
        let (low, high) = (one.seed.0.min(other.seed.0) as u64, one.seed.0.max(other.seed.0) as u64);
        let mixed = (low << 32 | high).wrapping_add(0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let number = 1 + ((mixed ^ (mixed >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) >> 33) % (PRIME - 1);
        if one.seed < other.seed { number } else { PRIME - number }
    };
    let cell = |one: &Standing, other: &Standing| {
        if one.seed == other.seed || met(one.seed, other.seed) { 0 } else { unknown(one, other) }
    };
    let matrix = players.iter().map(|one| players.iter().map(|other| cell(one, other)).collect()).collect();
    players.len() / 2 - rank(matrix) / 2
}

fn rank(mut rows: Vec<Vec<u64>>) -> usize {
    let (columns, mut rank) = (rows.len(), 0);
    for column in 0..columns {
        let value = |row: &Vec<u64>| row.get(column).copied().unwrap_or(0);
        let Some(at) = rows.iter().skip(rank).position(|row| value(row) != 0) else { continue };
        rows.swap(rank, rank + at);
        let Some((pivot, below)) = rows.get_mut(rank..).and_then(|rows| rows.split_first_mut()) else { break };
        let inverse = power(value(pivot), PRIME - 2);
        for row in below.iter_mut().filter(|row| value(row) != 0) {
            let factor = value(row) * inverse % PRIME;
            row.iter_mut()
                .zip(pivot.iter())
                .for_each(|(cell, above)| *cell = (*cell + PRIME - factor * above % PRIME) % PRIME);
        }
        rank += 1;
    }
    rank
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * base % PRIME;
        }
        (base, exponent) = (base * base % PRIME, exponent / 2);
    }
    result
}
