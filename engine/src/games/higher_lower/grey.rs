//! The grey cards of one board: which numbers each of its shape groups may have.

use core::ops::ControlFlow;

use super::layout::{ByShape, SHAPES};
use crate::Stream;

/// How many grey cells of each shape a board has.
pub(super) type Sizes = ByShape<u8>;
/// The numbers of each shape, the bit of 1 lowest.
pub(super) type Numbers = ByShape<u16>;

/// How many shapes have grey cells: what binds a group depends on it.
fn groups(sizes: &Sizes) -> usize {
    SHAPES.into_iter().filter(|shape| sizes[*shape] > 0).count()
}

/// Whether a number may join those that its group has, all of them lower.
const fn joins(groups: usize, group: u16, number: u16) -> bool {
    const ODD: u16 = 0b01_0101_0101;
    match groups {
        2 => group == 0 || (group & ODD != 0) == (number & ODD != 0),
        3 => group & (number >> 1) == 0,
        _ => true,
    }
}

/// Whether the grey cards of a board may have these numbers.
pub(super) fn fits(numbers: &Numbers) -> bool {
    let sizes = Sizes::from_fn(|shape| numbers[shape].count_ones() as u8);
    let groups = groups(&sizes);
    SHAPES.into_iter().all(|shape| {
        let bits = (0..10).map(|at| 1 << at).filter(|bit| numbers[shape] & bit != 0);
        let lower = |bit: u16| numbers[shape] & (bit - 1);
        bits.into_iter().all(|bit| joins(groups, lower(bit), bit))
    })
}

/// Goes through every way to give each shape its numbers, no number twice, until `visit` breaks it off.
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

/// Whether a board with so many grey cells of each shape can have its grey cards.
pub(super) fn possible(sizes: &Sizes) -> bool {
    walk(sizes, &mut |_| ControlFlow::Break(())).is_break()
}

/// The numbers of each shape, every way equally likely; none where there is no way.
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
