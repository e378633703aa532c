//! The events of a round, in one sentence each, with its rule. All of them are public: no card is named here before it
//! is shown.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::clauses::number;
use super::spread::{Division, Spread, sum};
use super::state::{ANTE, PENALTY, Private, REFILL_PRICE, REMOVED};
use super::{Card, Category, Street, view};
use crate::effect::event;
use crate::{BySeat, Effect, Fate, Reason, Seat};

fn choice(seat: Seat, subject: &str, rule: &'static str, text: String) -> Effect {
    Effect { seat: Some(seat), subject: subject.into(), fate: Fate::Resolved, rule, text, hand: None }
}

fn default(seat: Seat, then: &str) -> Effect {
    let text = format!("{} sent nothing in time{then}", seat.name());
    Effect { fate: Fate::Defaulted, ..event(Some(seat), number::MISSING, text) }
}

/// "1 chip", "3 chips".
pub(super) fn chips(count: u8) -> String {
    format!("{count} chip{}", if count == 1 { "" } else { "s" })
}

pub(super) fn cards_counted(count: u8) -> String {
    format!("{count} card{}", if count == 1 { "" } else { "s" })
}

/// "R2 G3 B9".
pub(super) fn listed(cards: impl IntoIterator<Item = Card>) -> String {
    cards.into_iter().map(Card::word).collect::<Vec<_>>().join(" ")
}

pub(super) fn dealt(seat: Seat, cards: &[Card]) -> Effect {
    event(Some(seat), number::DEAL, format!("{} starts with {}.", seat.name(), listed(cards.iter().copied())))
}

pub(super) fn started(chooser: Seat, starter: Seat, missing: bool) -> Effect {
    if missing {
        return default(chooser, &format!(": {} starts.", starter.name()));
    }
    let text = if chooser == starter {
        format!("{} chose to start.", chooser.name())
    } else {
        format!("{} chose that {} starts.", chooser.name(), starter.name())
    };
    choice(chooser, "Start", number::STARTER, text)
}

pub(super) fn too_poor(seat: Seat, left: u8) -> Effect {
    let text = format!("{} has {} and cannot pay {REFILL_PRICE} for a refill.", seat.name(), chips(left));
    event(Some(seat), number::REFILL, text)
}

pub(super) fn paid(seat: Seat, left: u8) -> Effect {
    let text = format!("{} paid {REFILL_PRICE} chips for a refill and has {} left.", seat.name(), chips(left));
    choice(seat, "Refill", number::REFILL, text)
}

pub(super) fn stood(seat: Seat, missing: bool) -> Effect {
    if missing {
        return default(seat, " and does not refill.");
    }
    choice(seat, "Stand", number::REFILL, format!("{} does not refill any more in this round.", seat.name()))
}

pub(super) fn offered(seat: Seat, cards: &[Card]) -> Effect {
    event(None, number::OFFER, format!("{} is offered {}.", seat.name(), listed(cards.iter().copied())))
}

pub(super) fn divided(seat: Seat, division: &Division, missing: bool) -> Effect {
    if missing {
        return default(seat, " and takes nothing of the offer.");
    }
    let text = match division.count() {
        0 | 1 => format!("{} takes nothing of the offer.", seat.name()),
        piles => {
            let sum = division.piles().next().map_or(0, sum);
            let taken = listed(division.taken());
            format!("{} made {piles} piles that sum to {sum}, set one aside, and takes {taken}.", seat.name())
        }
    };
    choice(seat, "Division", number::DIVIDING, text)
}

pub(super) fn over_limit(seat: Seat, excess: u8) -> Effect {
    let text = format!("{} has {} too many and must discard.", seat.name(), cards_counted(excess));
    event(Some(seat), number::DISCARDS, text)
}

pub(super) fn discarded(seat: Seat, cards: &Spread, missing: bool) -> Effect {
    let cards = listed(cards.cards().iter().copied());
    if missing {
        return default(seat, &format!(" and discards the lowest: {cards}."));
    }
    choice(seat, "Discard", number::DISCARDS, format!("{} discards {cards}.", seat.name()))
}

pub(super) fn took(seat: Seat, card: Option<Card>, missing: bool) -> Effect {
    match card {
        _ if missing => default(seat, " and takes no card of those that were left."),
        Some(card) => {
            let text = format!("{} takes {}, which was left.", seat.name(), card.word());
            choice(seat, card.take().1, number::TAKING, text)
        }
        None => choice(
            seat,
            "Take none",
            number::TAKING,
            format!("{} takes none of the cards that were left.", seat.name()),
        ),
    }
}

pub(super) fn community(card: Card) -> Effect {
    event(None, number::COMMUNITY, format!("The community card is {}.", card.word()))
}

pub(super) fn no_private(loser: Seat, both: bool) -> Effect {
    event(Some(loser), number::PRIVATE, failed(loser, both, "choose two private cards"))
}

pub(super) fn no_ante(loser: Seat, both: bool) -> Effect {
    event(Some(loser), number::ANTE, failed(loser, both, &format!("pay the ante of {ANTE} chips")))
}

fn failed(loser: Seat, both: bool, what: &str) -> String {
    if both {
        format!("Nobody can {what}; {} started the round, and loses.", loser.name())
    } else {
        format!("{} cannot {what}.", loser.name())
    }
}

pub(super) fn chose_private(seat: Seat, missing: bool) -> Effect {
    if missing {
        return Effect { rule: number::DEFAULT_PRIVATE, ..default(seat, " and plays the two lowest cards allowed.") };
    }
    choice(seat, "Private cards", number::PRIVATE, format!("{} chose two private cards.", seat.name()))
}

pub(super) fn ante(pot: u8) -> Effect {
    let text = format!("Both paid {ANTE} chips, {REMOVED} left the game, and the pot is {pot}.");
    event(None, number::ANTE, text)
}

pub(super) fn skipped(street: Street, left: BySeat<u8>) -> Effect {
    let who = match (left.p1, left.p2) {
        (0, 0) => "Nobody has any chips".into(),
        (0, _) => format!("{} has no chips", Seat::P1.name()),
        _ => format!("{} has no chips", Seat::P2.name()),
    };
    event(None, number::SKIPPED, format!("{who}: the {} is passed over.", street.name()))
}

pub(super) fn shown(street: Street, private: &BySeat<Private>) -> Effect {
    let (which, card): (_, fn(&Private) -> Card) = match street {
        Street::First => ("first", |private| private.first),
        Street::Second => ("second", |private| private.second),
    };
    let [p1, p2] = [&private.p1, &private.p2].map(|private| card(private).word());
    let text = format!("The {which} private card of {} is {p1}, that of {} is {p2}.", Seat::P1.name(), Seat::P2.name());
    event(None, number::SHOWING, text)
}

pub(super) fn raised(seat: Seat, total: u8, pot: u8, all: bool) -> Effect {
    let end = if all { "; nobody can bet more" } else { "" };
    choice(seat, "Raise", number::BETTING, format!("{} raised to {total}: the pot is {pot}{end}.", seat.name()))
}

pub(super) fn called(seat: Seat, bet: u8, pot: u8) -> Effect {
    choice(seat, "Call", number::BETTING, format!("{} called {bet}: the pot is {pot}.", seat.name()))
}

pub(super) fn folded(seat: Seat, pot: u8, missing: bool) -> Effect {
    let takes = format!("{} takes the pot of {pot}", seat.other().name());
    if missing {
        return default(seat, &format!(" and folds: {takes}."));
    }
    choice(seat, "Fold", number::FOLD, format!("{} folded: {takes}.", seat.name()))
}

pub(super) fn penalty(seat: Seat, high: bool, pays: bool) -> Effect {
    let (me, you) = (seat.name(), seat.other().name());
    let text = match (high, pays) {
        (false, _) => format!("{me}'s hand is better than a high card: the fold costs nothing more."),
        (true, true) => format!("{me} folded a high card and pays {you} {PENALTY} more chips."),
        (true, false) => format!("{me} folded a high card and cannot pay {PENALTY} more chips."),
    };
    event(Some(seat), number::PENALTY, text)
}

pub(super) fn left_unshown(shown: bool) -> Effect {
    let which = if shown {
        "second private cards of both leave their pools"
    } else {
        "private cards of both leave their pools"
    };
    event(None, number::USED, format!("The {which} unshown."))
}

pub(super) fn hand(seat: Seat, category: Category, cards: [Card; 3]) -> Effect {
    let text = format!("{} has {}: {}.", seat.name(), category.name(), listed(cards));
    Effect { hand: Some(view::hand(category, cards)), ..event(Some(seat), number::HANDS, text) }
}

pub(super) fn won(seat: Seat, pot: u8) -> Effect {
    event(Some(seat), number::WINNER, format!("{} has the better hand and takes the pot of {pot}.", seat.name()))
}

pub(super) fn tied(share: u8) -> Effect {
    event(None, number::EQUAL, format!("The hands are equal: both take back their {}.", chips(share)))
}

pub(super) fn next_round(round: u16, starter: Seat) -> Effect {
    event(None, number::NEXT, format!("Round {round} begins; {} starts.", starter.name()))
}

pub(super) fn ended(winner: Seat, reason: Reason) -> Effect {
    event(Some(winner), number::END, format!("{} wins: {}.", winner.name(), reason.naming(winner.other().name())))
}
