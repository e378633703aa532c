//! The state object of the notation. A card that a viewer may not see is `"?"`.

use super::{Card, DevilsDeal, Phase};
use crate::game::Object;
use crate::{BySeat, Seat, Sight, json};

const SEALED: &str = "?";

impl Phase {
    /// The notation's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Deal => "deal",
            Self::Start => "start",
            Self::Refill => "refill",
            Self::Offer => "offer",
            Self::Divide => "divide",
            Self::Discard => "discard",
            Self::Take => "take",
            Self::Community => "community",
            Self::Private => "private",
            Self::Bet => "bet",
            Self::Over => "over",
        }
    }
}

pub(super) fn write(game: &DevilsDeal, sight: Sight, object: &mut Object<'_>) {
    object.word("phase", Some(game.phase.word()));
    object.word("turn", game.turn().map(Seat::word));
    object.number("round", game.round.into());
    object.word("starter", game.starter.map(Seat::word));
    object.by_seat("chips", &game.chips, |out, chips| json::number(out, (*chips).into()));
    object.by_seat("pools", &BySeat::from_fn(|seat| seat), |out, seat| {
        let (pool, hidden) = (game.pools[*seat], game.hides_pool(*seat, sight));
        json::words(out, pool.each().map(|card| if hidden { SEALED } else { card.word() }));
    });
    object.word("community", game.community.map(Card::word));
    object.by_seat("private", &BySeat::from_fn(|seat| game.private_seen(seat, sight)), |out, private| match private {
        Some(cards) => json::words(out, cards.iter().map(|card| card.map_or(SEALED, Card::word))),
        None => out.push_str("null"),
    });
    object.number("pot", game.pot.into());
    let bets = game.betting.bets(game.starting());
    object.by_seat("bets", &bets, |out, bet| json::number(out, (*bet).into()));
}

impl DevilsDeal {
    /// True if a pool's cards are secret to a viewer: from the first card on that left it face down.
    pub(super) fn hides_pool(&self, seat: Seat, sight: Sight) -> bool {
        self.public_pools[seat].veiled && !Self::open_to(seat, sight)
    }

    /// A seat's private cards, with none for each that this viewer may not see; nothing outside the poker step.
    pub(super) fn private_seen(&self, seat: Seat, sight: Sight) -> Option<[Option<Card>; 2]> {
        let private = &self.private.as_ref()?[seat];
        let open = Self::open_to(seat, sight);
        let first = open || self.betting.street == super::Street::Second;
        Some([first.then_some(private.first), open.then_some(private.second)])
    }
}
