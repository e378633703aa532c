//! The result of an assignment: the groups that bind, and why the others do not.

use alloc::vec::Vec;

use super::group::{ByGroup, Misfit};
use super::{Card, Cards, Group, Layout, Want, completion};
use crate::Colour;

/// The cards that a seat listed for each of its groups; none for a group that it left out, or that lists a card twice.
pub(super) type Listed = ByGroup<Cards>;

/// Turns the groups of a submission into sets. A group that names a card twice can never count.
pub(super) fn listed(groups: &[(Group, Vec<Card>)]) -> Listed {
    let mut listed = Listed::default();
    for (group, cards) in groups {
        let set: Cards = cards.iter().copied().collect();
        if set.count() as usize == cards.len() {
            listed[*group] = set;
        }
    }
    listed
}

/// The status of a listed group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// No cards are listed for it, or a card twice.
    Unlisted,
    /// It holds exactly these cards.
    Binds,
    /// The seat has no cells there.
    NoCells,
    /// Its cards cannot fill it.
    Misfit(Misfit),
    /// This card is in an earlier group already.
    Taken(Card),
    /// It fits by itself, but leaves no way to fill the rest.
    Dropped,
}

/// The size of a colour's group, if it has cells.
pub(super) fn want(layout: &Layout, colour: Colour, group: Group) -> Option<Want> {
    // A board has 25 cells.
    let size = layout[group.board].group(colour, group.shape).count() as u8;
    (size > 0).then_some(Want { board: group.board, size })
}

/// The status of every group of a seat's assignment in this layout. The groups are checked in their order. If those
/// that fit leave no way to fill the rest, the last of them are dropped until there is one.
pub(super) fn standings(layout: &Layout, colour: Colour, listed: &Listed) -> ByGroup<Standing> {
    let mut taken = Cards::default();
    let mut standings = ByGroup::from_fn(|group| {
        let cards = listed[group];
        if cards.is_empty() {
            return Standing::Unlisted;
        }
        let Some(want) = want(layout, colour, group) else { return Standing::NoCells };
        if let Err(misfit) = want.fits(cards) {
            return Standing::Misfit(misfit);
        }
        if let Some(card) = cards.within(taken).iter().next() {
            return Standing::Taken(card);
        }
        taken = taken.with(cards);
        Standing::Binds
    });
    let binding: Vec<Group> = Group::all().filter(|group| standings[*group] == Standing::Binds).collect();
    for last in binding.into_iter().rev() {
        let open = Group::all().filter(|group| standings[*group] != Standing::Binds);
        let wants: Vec<Want> = open.filter_map(|group| want(layout, colour, group)).collect();
        if completion::completes(Cards::DECK.without(taken), &wants) {
            break;
        }
        standings[last] = Standing::Dropped;
        taken = taken.without(listed[last]);
    }
    standings
}

/// The cards of the groups that bind, by group.
pub(super) fn binding(layout: &Layout, colour: Colour, listed: &Listed) -> Listed {
    let standings = standings(layout, colour, listed);
    Listed::from_fn(|group| if standings[group] == Standing::Binds { listed[group] } else { Cards::default() })
}
