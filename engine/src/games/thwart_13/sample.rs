//! Random answers that reach every kind of answer and every end. The seats mostly try to complete a valid set, and now
//! and then slip, pass, burn and challenge.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::card::{Card, Cards};
use super::challenge_answer::Answer;
use super::hands::{HandPlace, Hands};
use super::set_completion;
use super::state::{Phase, Thwart};
use super::submission::Move;
use super::view::{ACTION, ANSWER, CHALLENGE, SELECT};
use crate::{Seat, Stream};

/// One answer in this many is of each rare kind.
const RARE: u64 = 64;
/// A seat looks ahead once each hand has at most this many open places.
const FORESIGHT: u8 = 3;

pub(super) fn of(game: &Thwart, seat: Seat, what: &str, stream: &mut impl Stream) -> Option<Move> {
    match (game.phase, what) {
        (Phase::Select, SELECT) => Some(selection(game, seat, stream)),
        (Phase::Select, CHALLENGE) => Some(Move::Challenge),
        (Phase::Action, ACTION) => Some(action(game, seat, game.picked[seat]?, stream)),
        (Phase::Answer(asked), ANSWER) if asked == seat => Some(answer(game, seat)),
        _ => None,
    }
}

fn one_of<T: Copy>(list: &[T], stream: &mut impl Stream) -> Option<T> {
    let at = stream.below(list.len() as u64);
    list.get(usize::try_from(at).ok()?).copied()
}

/// True if the hands are full enough to look ahead. Earlier, a search would be slow and of little use.
fn looks_ahead(hands: &Hands) -> bool {
    !hands.are_full() && HandPlace::ALL.into_iter().all(|place| hands.open(place) <= FORESIGHT)
}

fn selection(game: &Thwart, seat: Seat, stream: &mut impl Stream) -> Move {
    let available: Vec<Card> = game.available.iter().collect();
    // A seat that has just passed often waits for the other to pass again.
    if game.passes > 0 && stream.below(4) > 0 {
        return Move::Pass;
    }
    let card = match stream.below(RARE) {
        0 => return Move::Missing,
        1 | 2 => return Move::Pass,
        3 if game.rules.passes_unavailable() => {
            let gone: Vec<Card> = Cards::DECK.without(game.available).iter().collect();
            one_of(&gone, stream)
        }
        // A card that the other seat may pick, too.
        4..8 => available.first().copied(),
        8..20 => one_of(&available, stream),
        _ if looks_ahead(&game.hands[seat]) => {
            let wanted = set_completion::complete(&game.hands[seat], game.available);
            let wanted = wanted.map(|all| all.cards().without(game.hands[seat].cards()).iter().collect::<Vec<_>>());
            one_of(&wanted.unwrap_or_default(), stream).or_else(|| one_of(&available, stream))
        }
        _ => one_of(&available, stream),
    };
    card.map_or(Move::Pass, Move::Select)
}

fn action(game: &Thwart, seat: Seat, card: Card, stream: &mut impl Stream) -> Move {
    let hands = &game.hands[seat];
    let open: Vec<HandPlace> = HandPlace::ALL.into_iter().filter(|place| hands.open(*place) > 0).collect();
    let place = match stream.below(RARE) {
        0 => return Move::Missing,
        1..4 => return Move::Discard,
        4..6 if game.rules.discards_into_full() => one_of(&HandPlace::ALL, stream),
        4..8 => one_of(&open, stream),
        _ if looks_ahead(hands) => {
            let completes = |place: &HandPlace| {
                let mut with = *hands;
                with.at_mut(*place).push(card);
                set_completion::complete(&with, game.available).is_some()
            };
            let good: Vec<HandPlace> = open.iter().copied().filter(completes).collect();
            one_of(&good, stream)
        }
        _ => by_rank(hands, card, &open, stream),
    };
    place.map_or(Move::Discard, Move::Claim)
}

/// Next to a card of its rank in the middle or back hand; else, higher cards go further back.
fn by_rank(hands: &Hands, card: Card, open: &[HandPlace], stream: &mut impl Stream) -> Option<HandPlace> {
    let beside = |place: &HandPlace| hands.at(*place).iter().any(|held| held.rank() == card.rank());
    let wanted = match card.rank().index() {
        _ if beside(&HandPlace::Back) => HandPlace::Back,
        _ if beside(&HandPlace::Middle) => HandPlace::Middle,
        0..4 => HandPlace::Front,
        4..8 => HandPlace::Middle,
        _ => HandPlace::Back,
    };
    if open.contains(&wanted) { Some(wanted) } else { one_of(open, stream) }
}

/// A valid set if there is one, else nothing: any other answer would be refused.
fn answer(game: &Thwart, seat: Seat) -> Move {
    set_completion::complete(&game.hands[seat], game.available).map_or(Move::Missing, |hands| {
        let cards = |place| hands.at(place).iter().collect();
        let (front, middle, back) = (cards(HandPlace::Front), cards(HandPlace::Middle), cards(HandPlace::Back));
        Move::Hands(Box::new(Answer { front, middle, back }))
    })
}
