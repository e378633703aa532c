//! The form in which each question is offered.

use alloc::format;
use alloc::vec::Vec;

use super::ask::{self, what};
use super::state::REFILL_PRICE;
use super::{DevilsDeal, form_places, sentences};
use crate::{Choice, Form, Party, Refusal, Seat, To};

pub(super) fn of(game: &DevilsDeal, party: Party, asked: &str) -> Option<Form> {
    let ask = ask::of(game).filter(|ask| ask.what == asked)?;
    let laid = |hint: &str, example: &str, places| {
        Some(Form::Line { hint: hint.into(), example: example.into(), places, fields: Vec::new() })
    };
    let line = |hint: &str, example: &str| laid(hint, example, None);
    match (ask.to, party) {
        (To::Both, Party::Seat(seat)) => laid(
            "two cards of the pool, the one to be shown first in front",
            "G3 R2",
            Some(form_places::private(game, seat)),
        ),
        (To::Host, Party::Host) => match asked {
            what::DEAL => {
                line("5 cards of {p1}, a |, and 5 cards of {p2}, all different", "deal R2 G5 B1 B7 G9 | R1 G2 B3 R8 R9")
            }
            what::OFFER => line("12 different cards", "offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6"),
            _ => line("one card", "community R5"),
        },
        (To::One(turn), Party::Seat(seat)) if turn == seat => match asked {
            what::DIVIDE => laid(
                "piles of equal sum with | between them, one of them after aside; or none",
                "divide R2 R3 B9 | B3 G5 G6 | B6 G8 | aside G2 B5 R7",
                game.offer.as_ref().map(form_places::division),
            ),
            what::DISCARD => {
                let excess = game.excess(seat);
                let lowest: Vec<&str> = game.default_discards(seat).cards().iter().map(|card| card.word()).collect();
                laid(
                    &format!("{} of the pool", sentences::cards_counted(excess)),
                    &format!("discard {}", lowest.join(" ")),
                    Some(form_places::discards(game, seat)),
                )
            }
            what::START => Some(one_of(starts(seat))),
            what::REFILL => Some(one_of(refills(game, seat))),
            what::TAKE => Some(one_of(takes(game))),
            what::BET => Some(one_of(bets(game, seat))),
            _ => None,
        },
        _ => None,
    }
}

const fn one_of(choices: Vec<Choice>) -> Form {
    Form::Words { choices, least: 1, most: 1 }
}

fn starts(seat: Seat) -> Vec<Choice> {
    let start = |whom: Seat| match whom {
        Seat::P1 => "start p1",
        Seat::P2 => "start p2",
    };
    alloc::vec![
        Choice::new(start(seat), "Start yourself", "refill and bet first"),
        Choice::new(start(seat.other()), "Let the opponent start", "refill and bet second"),
    ]
}

fn refills(game: &DevilsDeal, seat: Seat) -> Vec<Choice> {
    let left = game.chips[seat].saturating_sub(REFILL_PRICE);
    alloc::vec![
        Choice::new("refill", "Refill", format!("pay {REFILL_PRICE} chips, keep {left}, and divide 12 cards")),
        Choice::new("stand", "Stand", "no refill, or no more"),
    ]
}

fn takes(game: &DevilsDeal) -> Vec<Choice> {
    let left = game.offer.iter().flat_map(|offer| offer.left().collect::<Vec<_>>());
    let mut choices: Vec<Choice> = left
        .map(|card| {
            let (word, label) = card.take();
            Choice::new(word, label, "into your pool")
        })
        .collect();
    choices.push(Choice::new("take none", "Take none", "leave all of them"));
    choices
}

fn bets(game: &DevilsDeal, seat: Seat) -> Vec<Choice> {
    let (highest, cap) = (game.betting.highest(), game.betting.cap);
    let least = highest.saturating_add(1);
    let refused = |refusal: Result<(), Refusal>| refusal.err();
    let raise =
        if least > cap { "nobody can bet more".into() } else { format!("your bet in this phase, {least} to {cap}") };
    alloc::vec![
        Choice {
            amounts: Some((least.into(), cap.max(least).into())),
            barred: refused(game.check_raise(seat, least.into())),
            ..Choice::new("raise", "Raise", raise)
        },
        Choice {
            barred: refused(game.check_call(seat)),
            ..Choice::new("call", "Call", format!("match the bet of {highest}; the phase ends"))
        },
        Choice::new("fold", "Fold", "give up the pot; with a high card it costs 2 more"),
    ]
}
