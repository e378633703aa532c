//! The grey cards of one board: the numbers that each of its shape groups may have.

use core::ops::ControlFlow;

use super::layout::{ByShape, SHAPES};
use crate::Stream;

pub(super) type Sizes = ByShape<u8>;
/// The numbers of each shape, the bit of 1 lowest.
pub(super) type Numbers = ByShape<u16>;

/// The number of shapes with grey cells. The rule for a group depends on it.
fn groups(sizes: &Sizes) -> usize {
    SHAPES.into_iter().filter(|shape| sizes[*shape] > 0).count()
}

/// True if a number may be added to those of its group, all of them lower.
const fn joins(groups: usize, group: u16, number: u16) -> bool {
    const ODD: u16 = 0b01_0101_0101;
    match groups {
        2 => group == 0 || (group & ODD != 0) == (number & ODD != 0),
        3 => group & (number >> 1) == 0,
        _ => true,
    }
}

/// True if the grey cards of a board may have these numbers.
pub(super) fn fits(numbers: &Numbers) -> bool {
    let sizes = Sizes::from_fn(|shape| numbers[shape].count_ones() as u8);
    let groups = groups(&sizes);
    SHAPES.into_iter().all(|shape| {
        let bits = (0..10).map(|at| 1 << at).filter(|bit| numbers[shape] & bit != 0);
        let lower = |bit: u16| numbers[shape] & (bit - 1);
        bits.into_iter().all(|bit| joins(groups, lower(bit), bit))
    })
}

/// Visits every way to give each shape its numbers, no number twice, until `visit` stops it.
fn walk(sizes: &Sizes, visit: &mut impl FnMut(Numbers) -> ControlFlow<()>) -> ControlFlow<()> {
    step(groups(sizes), 1, *sizes, Numbers::default(), visit)
}

fn step(
    groups: usize,
    number: u16,
    due: Sizes,
    taken: Numbers,
    visit: &mut impl FnMut(Numbers) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let total: u32 = SHAPES.into_iter().map(|shape| u32::from(due[shape])).sum();
    if total == 0 {
        return visit(taken);
    }
    // The numbers end with the tenth bit.
    if total > 10_u32.saturating_sub(number.trailing_zeros()) {
        return ControlFlow::Continue(());
    }
    for shape in SHAPES {
        if due[shape] > 0 && joins(groups, taken[shape], number) {
            let (mut due, mut taken) = (due, taken);
            due[shape] -= 1;
            taken[shape] |= number;
            step(groups, number << 1, due, taken, visit)?;
        }
    }
    step(groups, number << 1, due, taken, visit)
}

/// True if a board with these numbers of grey cells can have its grey cards.
pub(super) fn possible(sizes: &Sizes) -> bool {
    walk(sizes, &mut |_| ControlFlow::Break(())).is_break()
}

/// The numbers of each shape, every way equally likely; none if there is no way.
pub(super) fn draw(sizes: &Sizes, stream: &mut impl Stream) -> Option<Numbers> {
    let mut ways: u64 = 0;
    let _ = walk(sizes, &mut |_| {
        ways += 1;
        ControlFlow::Continue(())
    });
    let mut before = stream.below(ways);
    let mut drawn = None;
    let _ = walk(sizes, &mut |numbers| {
        drawn = Some(numbers);
        before = match before.checked_sub(1) {
            Some(before) => before,
            None => return ControlFlow::Break(()),
        };
        ControlFlow::Continue(())
    });
    drawn
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::vec::Vec;

    use super::*;

    struct Counting(u64);

    impl Stream for Counting {
        fn word(&mut self) -> u64 {
            self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (self.0 >> 32) ^ (self.0 << 32)
        }
    }

    fn sizes(circles: u8, triangles: u8, squares: u8) -> Sizes {
        let mut sizes = Sizes::default();
        (sizes[SHAPES[0]], sizes[SHAPES[1]], sizes[SHAPES[2]]) = (circles, triangles, squares);
        sizes
    }

    /// Every way for each of these, from the text of the rules, out of all 4^10.
    fn by_hand(cases: &[Sizes]) -> Vec<Vec<[u16; 3]>> {
        let mut ways: Vec<Vec<[u16; 3]>> = cases.iter().map(|_| Vec::new()).collect();
        for code in 0..1_u32 << 20 {
            let mut taken = [0_u16; 4];
            (0..10).for_each(|at| taken[(code >> (2 * at)) as usize & 3] |= 1 << at);
            let [a, b, c, _] = taken;
            let counts = sizes(a.count_ones() as u8, b.count_ones() as u8, c.count_ones() as u8);
            let Some(case) = cases.iter().position(|sizes| *sizes == counts) else { continue };
            let kept = |numbers: u16| match groups(&counts) {
                2 => numbers & 0b01_0101_0101 == 0 || numbers & 0b10_1010_1010 == 0,
                3 => numbers & numbers << 1 == 0,
                _ => true,
            };
            if [a, b, c].into_iter().all(kept) {
                ways[case].push([a, b, c]);
            }
        }
        ways.iter_mut().for_each(|ways| ways.sort_unstable());
        ways
    }

    #[test]
    fn the_ways_are_those_of_the_rules() {
        let cases = [
            (sizes(5, 0, 0), Some(252)),
            (sizes(3, 2, 0), Some(220)),
            (sizes(0, 2, 3), Some(220)),
            (sizes(2, 2, 1), None),
            (sizes(3, 3, 3), None),
            (sizes(5, 5, 0), Some(2)),
            (sizes(6, 1, 0), Some(0)),
            (sizes(5, 4, 1), None),
            (sizes(6, 1, 1), Some(0)),
            (sizes(10, 0, 0), Some(1)),
        ];
        let by_hand = by_hand(&cases.map(|(sizes, _)| sizes));
        for ((sizes, count), by_hand) in cases.into_iter().zip(by_hand) {
            let mut ways = Vec::new();
            let _ = walk(&sizes, &mut |numbers| {
                assert!(fits(&numbers));
                ways.push(SHAPES.map(|shape| numbers[shape]));
                ControlFlow::Continue(())
            });
            ways.sort_unstable();
            assert_eq!(ways, by_hand, "{sizes:?}");
            assert!(count.is_none_or(|count| ways.len() == count), "{sizes:?}: {}", ways.len());
            assert_eq!(possible(&sizes), !ways.is_empty());
        }
        assert!(!possible(&sizes(4, 4, 3)), "eleven numbers");
    }

    #[test]
    fn every_way_is_equally_likely() {
        let mut stream = Counting(7);
        for (sizes, ways) in [(sizes(3, 2, 0), 220), (sizes(5, 0, 0), 252)] {
            let mut counts = BTreeMap::<[u16; 3], u32>::new();
            for _ in 0..ways * 20 {
                let drawn = draw(&sizes, &mut stream).unwrap();
                *counts.entry(SHAPES.map(|shape| drawn[shape])).or_default() += 1;
            }
            assert_eq!(counts.len(), ways);
            // Pearson's sum: its mean is one less than the number of classes, and six standard deviations are allowed.
            let sum: f64 = counts.values().map(|count| (f64::from(*count) - 20.0).powi(2) / 20.0).sum();
            let free = ways as f64 - 1.0;
            assert!(sum < free + 6.0 * (2.0 * free).sqrt(), "{sum} with {free} degrees of freedom");
        }
        assert!(draw(&sizes(6, 1, 0), &mut stream).is_none());
    }
}
