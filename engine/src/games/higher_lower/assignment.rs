//! The result of an assignment: the groups that bind, and why the others do not.

use alloc::vec::Vec;

use super::group::{ByGroup, GroupFault};
use super::{Card, Cards, Group, Layout, Want, completion};
use crate::Colour;

/// The cards that a seat listed for each of its groups; none for a group that it left out, or that lists a card twice.
pub(super) type CardsByGroup = ByGroup<Cards>;

/// Turns the groups of a submission into sets. A group that names a card twice can never count.
pub(super) fn cards_by_group(groups: &[(Group, Vec<Card>)]) -> CardsByGroup {
    let mut listed = CardsByGroup::default();
    for (group, cards) in groups {
        let set: Cards = cards.iter().copied().collect();
        if set.count() as usize == cards.len() {
            listed[*group] = set;
        }
    }
    listed
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupStatus {
    /// No cards are listed for it, or a card twice.
    Unlisted,
    Binds,
    NoCells,
    /// Its cards cannot fill it.
    Unfit(GroupFault),
    Taken(Card),
    /// It fits by itself, but leaves no way to fill the rest.
    Dropped,
}

pub(super) fn want(layout: &Layout, colour: Colour, group: Group) -> Option<Want> {
    // A board has 25 cells.
    let size = layout[group.board].group(colour, group.shape).count() as u8;
    (size > 0).then_some(Want { board: group.board, size })
}

/// The status of every group of a seat's assignment in this layout. The groups are checked in their order. If those
/// that fit leave no way to fill the rest, the last of them are dropped until there is one.
pub(super) fn statuses(layout: &Layout, colour: Colour, listed: &CardsByGroup) -> ByGroup<GroupStatus> {
    let mut taken = Cards::default();
    let mut statuses = ByGroup::from_fn(|group| {
        let cards = listed[group];
        if cards.is_empty() {
            return GroupStatus::Unlisted;
        }
        let Some(want) = want(layout, colour, group) else { return GroupStatus::NoCells };
        if let Err(fault) = want.fits(cards) {
            return GroupStatus::Unfit(fault);
        }
        if let Some(card) = cards.within(taken).iter().next() {
            return GroupStatus::Taken(card);
        }
        taken = taken.with(cards);
        GroupStatus::Binds
    });
    let binding: Vec<Group> = Group::all().filter(|group| statuses[*group] == GroupStatus::Binds).collect();
    for last in binding.into_iter().rev() {
        let open = Group::all().filter(|group| statuses[*group] != GroupStatus::Binds);
        let wants: Vec<Want> = open.filter_map(|group| want(layout, colour, group)).collect();
        if completion::completes(Cards::DECK.without(taken), &wants) {
            break;
        }
        statuses[last] = GroupStatus::Dropped;
        taken = taken.without(listed[last]);
    }
    statuses
}

pub(super) fn binding(layout: &Layout, colour: Colour, listed: &CardsByGroup) -> CardsByGroup {
    let statuses = statuses(layout, colour, listed);
    CardsByGroup::from_fn(|group| if statuses[group] == GroupStatus::Binds { listed[group] } else { Cards::default() })
}
