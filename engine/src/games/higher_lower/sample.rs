//! Random answers that reach every kind of answer.

use alloc::vec::Vec;

use super::state::Phase;
use super::submission::{Call, Move, Order};
use super::{Card, Cards, Direction, Group, HigherLower, Want, assignment, placing};
use crate::{Colour, Seat, Stream};

pub(super) fn of(game: &HigherLower, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Move> {
    let asked = game.asked() == Some(seat);
    let sent = match (what, game.phase) {
        ("colour", Phase::Layout | Phase::Colour) if seat == game.dmo && game.fillable => {
            Move::Colour(if stream.below(2) == 0 { Colour::Cyan } else { Colour::Pink })
        }
        ("assign", Phase::Assign) => assign(game, seat, stream)?,
        ("board", Phase::Board) if asked => {
            let boards: Vec<_> = game.played.others().collect();
            Move::Board(*pick(&boards, stream)?, if stream.below(2) == 0 { Order::First } else { Order::Second })
        }
        ("turn", Phase::Turn) if asked => {
            let cells: Vec<_> = game.openers().iter().collect();
            Move::Turn(*pick(&cells, stream)?)
        }
        ("guess", Phase::Guess) if asked => guess(game, stream)?,
        _ => return None,
    };
    // The match does not wait for an assignment, so none can be missed.
    let missed = stream.below(16) == 0 && what != "assign";
    Some(if missed { Move::Missing } else { sent })
}

fn pick<'l, T>(list: &'l [T], stream: &mut impl Stream) -> Option<&'l T> {
    list.get(usize::try_from(stream.below(list.len() as u64)).ok()?)
}

fn guess(game: &HigherLower, stream: &mut impl Stream) -> Option<Move> {
    if game.turned > 1 && stream.below(4) == 0 {
        return Some(Move::Stop);
    }
    let directions: Vec<Direction> =
        Direction::ALL.into_iter().filter(|direction| game.neighbour(*direction).is_some()).collect();
    let direction = *pick(&directions, stream)?;
    let known = game.back(game.last?)?.number();
    let call = if u64::from(known) <= stream.below(10) { Call::Higher } else { Call::Lower };
    Some(Move::Guess(direction, call))
}

/// Most groups, filled as the host would fill them; now and then a group that cannot count.
fn assign<S: Stream>(game: &HigherLower, seat: Seat, stream: &mut S) -> Option<Move> {
    let mut groups = groups(game, seat, stream, |stream, is_only| stream.below(4) > 0 || is_only)?;
    if stream.below(4) == 0
        && let Some((_, cards)) = groups.first_mut()
        && cards.len() > 1
    {
        cards.pop();
    }
    Some(Move::Assign(groups))
}

/// Every group, filled as the host would fill it.
pub(super) fn whole(game: &HigherLower, seat: Seat, stream: &mut impl Stream) -> Option<Move> {
    Some(Move::Assign(groups(game, seat, stream, |_, _| true)?))
}

/// The groups that are listed: the last argument says which, and is told if a group would be the only one.
fn groups<S: Stream>(
    game: &HigherLower,
    seat: Seat,
    stream: &mut S,
    lists: impl Fn(&mut S, bool) -> bool,
) -> Option<Vec<(Group, Vec<Card>)>> {
    let colour = game.colour(seat)?;
    let wants: Vec<(Group, Want)> =
        Group::all().filter_map(|group| Some((group, assignment::want(&game.layout, colour, group)?))).collect();
    let mut supply = Cards::DECK;
    let mut groups: Vec<(Group, Vec<Card>)> = Vec::new();
    for (at, (group, want)) in wants.iter().enumerate() {
        let others: Vec<Want> = wants.iter().skip(at + 1).map(|(_, want)| *want).collect();
        let filled = placing::fill(*want, supply, &others, stream)?;
        supply = supply.without(filled);
        if lists(stream, others.is_empty() && groups.is_empty()) {
            let mut cards: Vec<Card> = filled.iter().collect();
            stream.shuffle(&mut cards);
            groups.push((*group, cards));
        }
    }
    Some(groups)
}
