//! Random answers, and draws as the rules want them.

use super::ask::{self, what};
use super::hand::Hand;
use super::moves::{DEALT, OFFERED};
use super::spread::{Division, Spread};
use super::{Card, DevilsDeal, Draw, Move, Phase, Pool};
use crate::{BySeat, Seat, Stream, To};

/// The next draw of the host. Every draw but the community card's shuffles the 27 cards, in their order R G B and then
/// by number, and uses them from the first on: p1's five, then p2's five; or the twelve of an offer. The community card
/// is one number below 27, the place in that order.
pub(super) fn draw(game: &DevilsDeal, stream: &mut impl Stream) -> Option<Draw> {
    match game.phase {
        Phase::Deal => {
            let [p1, p2] = *shuffled(stream).first_chunk::<{ 2 * DEALT }>()?.as_chunks::<DEALT>().0 else {
                return None;
            };
            Some(Draw::Deal(BySeat { p1, p2 }))
        }
        Phase::Offer => shuffled(stream).first_chunk::<OFFERED>().copied().map(Draw::Offer),
        Phase::Community => one(&Card::ALL, stream).map(Draw::Community),
        _ => None,
    }
}

fn shuffled(stream: &mut impl Stream) -> [Card; Card::COUNT] {
    let mut cards = Card::ALL;
    stream.shuffle(&mut cards);
    cards
}

fn one<T: Copy>(list: &[T], stream: &mut impl Stream) -> Option<T> {
    let at = usize::try_from(stream.below(list.len() as u64)).ok()?;
    list.get(at).copied()
}

fn once_in(times: u64, stream: &mut impl Stream) -> bool {
    stream.below(times) == 0
}

pub(super) fn answer(game: &DevilsDeal, seat: Seat, asked: &str, stream: &mut impl Stream) -> Option<Move> {
    let ask = ask::of(game).filter(|ask| ask.what == asked)?;
    if ask.to != To::Both && ask.to != To::One(seat) {
        return None;
    }
    if once_in(32, stream) {
        return Some(Move::Missing);
    }
    match asked {
        what::START => one(&Seat::BOTH, stream).map(Move::Start),
        what::REFILL => Some(refill(game, seat, stream)),
        what::DIVIDE => Some(Move::Divide(division(game, stream))),
        what::DISCARD => Some(Move::Discard(discards(game, seat, stream))),
        what::TAKE => {
            let mut left = Spread::default();
            game.offer.iter().flat_map(|offer| offer.left()).for_each(|card| {
                left.push(card);
            });
            let some = !once_in(4, stream);
            Some(Move::Take(one(left.cards(), stream).filter(|_| some)))
        }
        what::PRIVATE => private(game, seat, stream),
        what::BET => Some(bet(game, stream)),
        _ => None,
    }
}

fn refill(game: &DevilsDeal, seat: Seat, stream: &mut impl Stream) -> Move {
    let cards = u64::from(game.pools[seat].count());
    if stream.below(12) >= cards + 2 { Move::Refill } else { Move::Stand }
}

/// Disjoint piles with a sum that some cards have; now and then none, or a single one.
fn division(game: &DevilsDeal, stream: &mut impl Stream) -> Division {
    let mut division = Division::default();
    let Some(offer) = game.offer.filter(|_| !once_in(16, stream)) else { return division };
    let most = if once_in(16, stream) { 1 } else { OFFERED };
    let target = 9 + stream.below(13);
    let (mut free, mut piles) = (offer.cards.map(Some), 0);
    // Every subset of the twelve cards is a number below 4096. They are tried from a random one on.
    let from = stream.below(1 << OFFERED);
    for subset in (from..1 << OFFERED).chain(0..from) {
        let cards = || free.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1).map(|(_, card)| *card);
        let fits = cards().all(|card| card.is_some())
            && cards().flatten().map(|card| u64::from(card.number())).sum::<u64>() == target;
        if subset > 0 && fits && piles < most {
            let pile: Spread = cards().flatten().collect();
            division.push(pile.cards());
            piles += 1;
            free.iter_mut().enumerate().filter(|(at, _)| subset >> at & 1 == 1).for_each(|(_, card)| *card = None);
        }
    }
    division
}

fn discards(game: &DevilsDeal, seat: Seat, stream: &mut impl Stream) -> Spread {
    let mut pool: Pool = game.pools[seat];
    let mut discards = Spread::default();
    for _ in 0..game.excess(seat) {
        let left: Spread = pool.each().collect();
        let Some(card) = one(left.cards(), stream) else { break };
        pool.remove(card);
        discards.push(card);
    }
    discards
}

/// Any two cards that can be chosen together; every second time the best hand among a few of them.
fn private(game: &DevilsDeal, seat: Seat, stream: &mut impl Stream) -> Option<Move> {
    let community = game.community?;
    let cards: Spread = game.eligible(seat).collect();
    let mut two = || {
        let mut cards = cards;
        let first = one(cards.cards(), stream)?;
        cards = cards.cards().iter().copied().filter(|card| *card != first).collect();
        Some((first, one(cards.cards(), stream)?))
    };
    let some = [two()?, two()?, two()?, two()?];
    let best = some.into_iter().max_by_key(|(first, second)| Hand::of([*first, *second, community]));
    let [any, ..] = some;
    let (first, second) = if once_in(2, stream) { any } else { best? };
    Some(Move::Private(first, second))
}

fn bet(game: &DevilsDeal, stream: &mut impl Stream) -> Move {
    let (highest, cap) = (game.betting.highest(), game.betting.cap);
    let opens = game.betting.is_fresh();
    if once_in(if opens { 12 } else { 5 }, stream) {
        return Move::Fold;
    }
    let room = u64::from(cap - highest);
    if room == 0 || !opens && !once_in(3, stream) {
        return Move::Call;
    }
    let more = match stream.below(8) {
        0 => room,
        1 => 1 + stream.below(room),
        _ => 1 + stream.below(room.min(5)),
    };
    Move::Raise(u16::from(highest) + u16::try_from(more).unwrap_or(1))
}
