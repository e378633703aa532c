//! The events of a round, in one sentence each, with its rule.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::clauses::number;
use super::state::{MORE_CHIPS, Resolution};
use super::{Action, Move, Set, ThreeCard};
use crate::effect::event;
use crate::{BySeat, Effect, EffectLog, Fate, Outcome, Seat};

pub(super) fn chips(count: u16) -> String {
    format!("{count} chip{}", if count == 1 { "" } else { "s" })
}

/// The fate of every action that was sent, before the state moves.
pub(super) fn fates(game: &ThreeCard, sent: &BySeat<Move>, resolution: &Resolution, log: &mut impl EffectLog) {
    if game.pot == 0 {
        log.note(|| event(None, number::POT, "The pot was empty and starts the round with 1 chip.".into()));
    }
    for (seat, sent) in sent.each() {
        match sent {
            Move::Missing => log.note(|| Effect {
                fate: Fate::Defaulted,
                ..event(Some(seat), number::CLOCK, format!("{} sent nothing in time and plays nothing.", seat.name()))
            }),
            Move::Set(set) if *set == Set::default() => {
                log.note(|| event(Some(seat), number::CHOOSING, format!("{} chose to play nothing.", seat.name())));
            }
            Move::Set(set) => {
                for action in set.each() {
                    log.note(|| fate(seat, action, resolution));
                }
            }
        }
    }
}

fn fate(seat: Seat, action: Action, resolution: &Resolution) -> Effect {
    let (name, me, you) = (action.name(), seat.name(), seat.other().name());
    let (fate, rule, text) = if !resolution.live[seat].has(action) {
        (Fate::Blocked, number::BLOCKING, format!("{me}'s {name} was blocked: {you} chose it too, and {me} chose two."))
    } else {
        match action {
            Action::Grow => (
                Fate::Resolved,
                number::GROW,
                format!("{me}'s Grow added 1 chip to the pot, making {}.", chips(resolution.pot)),
            ),
            Action::Claim => claim(seat, resolution),
            Action::Steal if resolution.stolen[seat] > 0 => {
                let taken = chips(resolution.stolen[seat]);
                (Fate::Resolved, number::STEAL, format!("{me}'s Steal took {taken} from {you}'s Claim."))
            }
            Action::Steal => {
                (Fate::Failed, number::STEAL, format!("{me}'s Steal failed: {you}'s Claim took nothing this round."))
            }
        }
    };
    Effect { seat: Some(seat), subject: name.into(), fate, rule, text }
}

fn claim(seat: Seat, resolution: &Resolution) -> (Fate, &'static str, String) {
    let (me, you) = (seat.name(), seat.other().name());
    let taken = chips(resolution.claimed[seat]);
    if resolution.stolen[seat.other()] > 0 {
        (Fate::Failed, number::CLAIM, format!("{me}'s Claim took {taken}, and {you}'s Steal took them away."))
    } else if resolution.live[seat.other()].has(Action::Claim) {
        let text = format!("{me}'s Claim took {taken}: both claimed, and shared a pot of {}.", chips(resolution.pot));
        (if resolution.claimed[seat] > 0 { Fate::Resolved } else { Fate::Failed }, number::CLAIM, text)
    } else {
        (Fate::Resolved, number::CLAIM, format!("{me}'s Claim took the pot of {taken}."))
    }
}

pub(super) fn all_lit(seat: Seat) -> Effect {
    event(
        Some(seat),
        number::LAMPS,
        format!("All three lamps of {} are on: 1 chip, and the lamps go off.", seat.name()),
    )
}

pub(super) fn extended() -> Effect {
    event(None, number::END, "The seats are level after round 20: five more rounds are played, once.".into())
}

pub(super) fn ended(outcome: Outcome) -> Effect {
    let (winner, phrase) = match outcome {
        Outcome::Over(ending) => (ending.verdict.winner(), ending.reason),
        Outcome::Running => (None, MORE_CHIPS),
    };
    let who = winner.map_or("Nobody", Seat::name);
    event(winner, number::END, format!("{who} wins: {}.", phrase.phrase))
}

/// A move in full words.
pub(super) fn describe(sent: Move) -> String {
    match sent {
        Move::Missing => "nothing came in time".into(),
        Move::Set(set) if set == Set::default() => "nothing, on purpose".into(),
        Move::Set(set) => set.each().map(Action::name).collect::<Vec<_>>().join(" and "),
    }
}
