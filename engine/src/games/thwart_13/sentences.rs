//! The events of a round, in one sentence each, with its rule, and the warnings for a seat before it sends.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::card::Card;
use super::challenge_answer::{Answer, AnswerFault};
use super::clauses::number;
use super::hands::{HandPlace, Hands};
use super::state::{self, BOTH_INVALID, EQUAL_HANDS, FAILED, MET, OPPONENT_INVALID, Phase, Thwart};
use super::submission::{self, Move};
use crate::effect::event;
use crate::{BySeat, Effect, EffectLog, Fate, Outcome, Seat, Verdict};

fn fate(seat: Seat, subject: &str, fate: Fate, rule: &'static str, text: String) -> Effect {
    Effect { seat: Some(seat), subject: subject.into(), fate, rule, text, hand: None }
}

pub(super) fn selected(sent: &BySeat<Move>, picked: &BySeat<Option<Card>>, log: &mut impl EffectLog) {
    for (seat, sent) in sent.each() {
        log.note(|| selection(seat, sent, picked));
    }
    if let Some(card) = picked.p1.filter(|_| picked.p1 == picked.p2) {
        log.note(|| event(None, number::BURNED, format!("The {} is burned and gone for both.", card.name())));
    }
}

fn selection(seat: Seat, sent: &Move, picked: &BySeat<Option<Card>>) -> Effect {
    let me = seat.name();
    match sent {
        Move::Select(card) if picked[seat].is_none() => {
            let text = format!("{me} selected the {}, which was not available: that counts as a pass.", card.name());
            fate(seat, card.name(), Fate::LeftOut, number::UNAVAILABLE, text)
        }
        Move::Select(card) if picked.p1 == picked.p2 => {
            let text = format!("{me} does not get the {}: both seats selected it.", card.name());
            fate(seat, card.name(), Fate::Cancelled, number::BURNED, text)
        }
        Move::Select(card) => {
            fate(seat, card.name(), Fate::Resolved, number::SELECTION, format!("{me} takes the {}.", card.name()))
        }
        Move::Pass => fate(seat, "Pass", Fate::Event, number::PASS, format!("{me} passed.")),
        _ => fate(seat, "", Fate::Defaulted, number::CLOCK, format!("{me} sent nothing in time and passes.")),
    }
}

pub(super) fn acted(seat: Seat, card: Card, sent: &Move, hands: &Hands) -> Effect {
    let (me, name) = (seat.name(), card.name());
    match sent {
        Move::Claim(place) if hands.at(*place).iter().any(|held| held == card) => {
            let (count, size) = (hands.at(*place).count(), place.size());
            let text = format!("{me} claimed the {name} to the {} hand, {count} of {size}.", place.word());
            fate(seat, place.title(), Fate::Resolved, number::ACTION, text)
        }
        Move::Claim(place) => {
            let text = format!("{me}'s {} hand was full: the {name} counts as discarded.", place.word());
            fate(seat, place.title(), Fate::LeftOut, number::FULL_HAND, text)
        }
        Move::Discard => fate(seat, "Discard", Fate::Resolved, number::DISCARD, format!("{me} discarded the {name}.")),
        _ => {
            let text = format!("{me} sent nothing in time: the {name} is discarded.");
            fate(seat, "", Fate::Defaulted, number::CLOCK, text)
        }
    }
}

pub(super) fn challenged(seat: Seat) -> Effect {
    let (me, you) = (seat.name(), seat.other().name());
    let text = format!("{me} challenged {you} to show a valid set.");
    fate(seat, "Challenge", Fate::Resolved, number::CHALLENGE, text)
}

pub(super) fn answered(seat: Seat, answer: &Answer, completed: &Result<Hands, AnswerFault>) -> Effect {
    let me = seat.name();
    match completed {
        Ok(hands) => {
            let text = format!("{me} showed a valid set: {}.", strengths(hands));
            fate(seat, "Hands", Fate::Resolved, number::MET, text)
        }
        Err(fault) => {
            let text = format!("{me} showed no valid set: {} (rule {}).", fault.describe(answer), fault.rule());
            fate(seat, "Hands", Fate::Failed, number::FAILED, text)
        }
    }
}

pub(super) fn unanswered(seat: Seat) -> Effect {
    fate(seat, "", Fate::Defaulted, number::CLOCK, format!("{} showed nothing in time.", seat.name()))
}

fn strengths(hands: &Hands) -> String {
    let each = HandPlace::ALL.map(|place| format!("{} {}", place.word(), hands.at(place).strength().describe()));
    each.join(", ")
}

pub(super) fn stopped(left: Option<u32>, passed: bool) -> Effect {
    let text = match left {
        Some(0) => "No card is available any more.",
        Some(_) => "One card is left, and is not played.",
        None if passed => "Both seats passed for the third round in a row.",
        None => "All hands are full.",
    };
    event(None, number::END, text.into())
}

pub(super) fn judged(hands: &BySeat<Hands>, log: &mut impl EffectLog) {
    for (seat, hands) in hands.each() {
        log.note(|| {
            let me = seat.name();
            match hands.fault() {
                None => event(Some(seat), number::VALID_SET, format!("{me} has a valid set: {}.", strengths(hands))),
                Some(fault) => {
                    event(Some(seat), fault.rule(), format!("{me} has no valid set: {}.", fault.describe(hands)))
                }
            }
        });
    }
    if hands.p1.fault().is_some() || hands.p2.fault().is_some() {
        return;
    }
    for place in HandPlace::ALL {
        log.note(|| {
            let worth = |seat: Seat| hands[seat].at(place).strength().describe();
            let winner = state::winner(hands, place);
            let text = match winner {
                Some(seat) => {
                    let (me, mine, yours) = (seat.name(), worth(seat), worth(seat.other()));
                    format!("{}: {me} wins with {mine} against {yours}.", place.title())
                }
                None => format!("{}: nobody wins, with {} on both sides.", place.title(), worth(Seat::P1)),
            };
            event(winner, number::COMPARED, text)
        });
    }
}

pub(super) fn ended(outcome: Outcome) -> Effect {
    let Outcome::Over(ending) = outcome else {
        return event(None, number::END, "The match goes on.".into());
    };
    let reason = ending.reason;
    let rule = if reason == MET {
        number::MET
    } else if reason == FAILED {
        number::FAILED
    } else if reason == OPPONENT_INVALID {
        number::ONE_VALID
    } else if reason == BOTH_INVALID || reason == EQUAL_HANDS {
        number::NO_WINNER
    } else {
        number::COMPARED
    };
    let text = match ending.verdict {
        Verdict::Won(seat) => format!("{} wins: {}.", seat.name(), reason.naming(seat.other().name())),
        _ => format!("The rules name no winner: {}. The umpire decides.", reason.phrase),
    };
    event(ending.verdict.winner(), rule, text)
}

pub(super) fn describe(sent: &Move) -> String {
    match sent {
        Move::Missing => "no move".into(),
        Move::Pass => "passes this round".into(),
        Move::Select(card) => card.name().into(),
        Move::Claim(place) => format!("to the {} hand", place.word()),
        Move::Discard => "discarded".into(),
        Move::Challenge => "challenges the opponent to show a valid set".into(),
        Move::Hands(answer) => {
            let named = |place: HandPlace| {
                let cards = answer.at(place).iter().map(|card| card.name()).collect::<Vec<_>>();
                format!("{}: {}", place.word(), cards.join(", "))
            };
            HandPlace::ALL.map(named).join("; ")
        }
    }
}

pub(super) fn kind(kind: &str) -> String {
    match (submission::read_joint(kind), kind) {
        (_, "hands") => "shows three hands".into(),
        (_, "challenge") => "challenges the opponent".into(),
        (_, "discard") => "discards the card".into(),
        (_, "pass") => "passes the round".into(),
        (Ok(Move::Select(card)), _) => format!("selects the {}", card.name()),
        (Ok(Move::Claim(place)), _) => format!("claims the card to the {} hand", place.word()),
        _ => kind.into(),
    }
}

/// Warnings of parts that will not have the effect that the seat may expect. They do not tell what the cards still
/// allow: the seat must see that itself.
pub(super) fn forewarn(game: &Thwart, seat: Seat, sent: &Move) -> Vec<String> {
    let note = match sent {
        Move::Select(card) if game.phase == Phase::Select && !game.available.has(*card) => {
            Some(format!("The {} is not available: this counts as a pass (rule {}).", card.name(), number::UNAVAILABLE))
        }
        Move::Claim(place) if game.picked[seat].is_some() && game.hands[seat].open(*place) == 0 => {
            Some(format!("The {} hand is full: this counts as a discard (rule {}).", place.word(), number::FULL_HAND))
        }
        Move::Challenge => Some(format!(
            "{} wins by showing a valid set, and loses without one; this cannot be taken back (rule {}).",
            seat.other().name(),
            number::CHALLENGE
        )),
        _ => None,
    };
    note.into_iter().collect()
}

pub(super) fn insight(seat: Seat, found: Option<&Hands>, full: bool) -> String {
    let me = seat.name();
    match (found, full) {
        (Some(hands), true) => format!("{me} has a valid set: {}.", strengths(hands)),
        (Some(hands), false) => format!("{me} can still complete a valid set, such as {}.", strengths(hands)),
        (None, true) => format!("{me}'s hands are full, and no valid set."),
        (None, false) => {
            format!("{me} can no longer complete a valid set: every way of filling the hands has been ruled out.")
        }
    }
}
