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

/// Both submissions and the fates of their actions, in the order in which they happen: first what is blocked, then each
/// action of both seats in turn. `game` is the match before the round.
pub(super) fn fates(game: &ThreeCard, sent: &BySeat<Move>, resolution: &Resolution, log: &mut impl EffectLog) {
    for (seat, sent) in sent.each() {
        match sent {
            Move::Missing => log.note(|| Effect {
                fate: Fate::Defaulted,
                ..event(Some(seat), number::CLOCK, format!("{} sent nothing in time and plays nothing.", seat.name()))
            }),
            Move::Set(set) if *set == Set::default() => {
                log.note(|| event(Some(seat), number::CHOOSING, format!("{} chose to play nothing.", seat.name())));
            }
            Move::Set(_) => {}
        }
    }
    for turn in [None, Some(Action::Grow), Some(Action::Claim), Some(Action::Steal)] {
        for (seat, own) in sent.each() {
            let now = |action: &Action| turn == resolution.live[seat].has(*action).then_some(*action);
            for action in own.set().each().filter(now) {
                log.note(|| fate(game, seat, action, sent, resolution));
            }
        }
    }
}

fn fate(game: &ThreeCard, seat: Seat, action: Action, sent: &BySeat<Move>, resolution: &Resolution) -> Effect {
    let (name, me, you) = (action.name(), seat.name(), seat.other().name());
    let (fate, rule, text) = match action {
        _ if !resolution.live[seat].has(action) => (
            Fate::Blocked,
            number::BLOCKING,
            format!("{me}'s {name} was blocked: {you} chose it too, and {me} chose two."),
        ),
        Action::Grow => {
            let pot = chips(resolution.pot_after_grow(game, seat));
            (Fate::Resolved, number::GROW, format!("{me}'s Grow added 1 chip to the pot, making {pot}."))
        }
        Action::Claim => claim(seat, resolution),
        Action::Steal if resolution.stolen[seat] > 0 => {
            let taken = chips(resolution.stolen[seat]);
            (Fate::Resolved, number::STEAL, format!("{me}'s Steal took {taken} from {you}'s Claim."))
        }
        Action::Steal if sent[seat.other()].set().has(Action::Claim) => {
            (Fate::Failed, number::STEAL, format!("{me}'s Steal failed: {you}'s Claim was blocked."))
        }
        Action::Steal => (Fate::Failed, number::STEAL, format!("{me}'s Steal failed: {you} played no Claim.")),
    };
    Effect { seat: Some(seat), subject: name.into(), fate, rule, text, hand: None }
}

fn claim(seat: Seat, resolution: &Resolution) -> (Fate, &'static str, String) {
    let (me, you) = (seat.name(), seat.other().name());
    let (taken, pot) = (chips(resolution.claimed[seat]), chips(resolution.pot));
    if resolution.stolen[seat.other()] > 0 {
        (Fate::Failed, number::CLAIM, format!("{me}'s Claim took the pot of {taken}, but {you}'s Steal takes it away."))
    } else if !resolution.live[seat.other()].has(Action::Claim) {
        (Fate::Resolved, number::CLAIM, format!("{me}'s Claim took the pot of {taken}."))
    } else if resolution.claimed[seat] > 0 {
        (Fate::Resolved, number::CLAIM, format!("{me}'s Claim took {taken}: both claimed and shared the pot of {pot}."))
    } else {
        let text = format!("{me}'s Claim took nothing: both claimed, and {pot} cannot be shared.");
        (Fate::Failed, number::CLAIM, text)
    }
}

pub(super) fn all_lit(seat: Seat) -> Effect {
    event(
        Some(seat),
        number::LAMPS,
        format!("All three lamps of {} are on: {0} gains 1 chip, and the lamps go off.", seat.name()),
    )
}

pub(super) fn refilled() -> Effect {
    event(None, number::POT, "The pot is empty: the next round begins with 1 chip.".into())
}

pub(super) fn extended() -> Effect {
    event(None, number::END, "The score is tied after round 20: five more rounds follow, once.".into())
}

pub(super) fn ended(outcome: Outcome) -> Effect {
    let (winner, phrase) = match outcome {
        Outcome::Over(ending) => (ending.verdict.winner(), ending.reason),
        Outcome::Running => (None, MORE_CHIPS),
    };
    let who = winner.map_or("Nobody", Seat::name);
    event(winner, number::END, format!("{who} wins: {}.", phrase.phrase))
}

pub(super) fn same_set(set: Set) -> String {
    let names = set.each().map(Action::name).collect::<Vec<_>>().join(" with ");
    let alone = if set.count() == 1 { " alone" } else { "" };
    format!("{names}{alone} is out: it was the move of the last round")
}

pub(super) fn describe(sent: Move) -> String {
    match sent {
        Move::Missing => "no move".into(),
        Move::Set(set) if set == Set::default() => "nothing, on purpose".into(),
        Move::Set(set) => set.each().map(Action::name).collect::<Vec<_>>().join(" and "),
    }
}
