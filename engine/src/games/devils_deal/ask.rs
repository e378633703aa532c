//! The questions of the state.

use alloc::format;

use super::moves::{FIRST, SECOND};
use super::state::REFILL_PRICE;
use super::{Card, DevilsDeal, Phase, Street, sentences};
use crate::{Ask, Closes, Field, Opens, To, Word};

pub(super) const MOVE: &str = "move";

const WHOLE: &[Field] = &[Field { name: Word::Static(MOVE), opens: Opens::WithStep }];
const PRIVATE: &[Field] = &[
    Field { name: Word::Static(FIRST), opens: Opens::WhenItActs },
    Field { name: Word::Static(SECOND), opens: Opens::WhenItActs },
];

/// For actions that the rule post calls simple.
const SHORT_SECONDS: u32 = 20;
/// For actions that the rule post calls complicated.
const LONG_SECONDS: u32 = 90;

pub(super) mod what {
    pub(crate) const DEAL: &str = "deal";
    pub(crate) const START: &str = "start";
    pub(crate) const REFILL: &str = "refill";
    pub(crate) const OFFER: &str = "offer";
    pub(crate) const DIVIDE: &str = "divide";
    pub(crate) const DISCARD: &str = "discard";
    pub(crate) const TAKE: &str = "take";
    pub(crate) const COMMUNITY: &str = "community";
    pub(crate) const PRIVATE: &str = "private";
    pub(crate) const BET: &str = "bet";
}

pub(super) fn of(game: &DevilsDeal) -> Option<Ask> {
    let round = game.round + 1;
    let asks = |what, prompt, clock_seconds, default| Ask {
        to: game.turn().map_or(To::Host, To::One),
        what: Word::Static(what),
        prompt,
        fields: if game.turn().is_some() { WHOLE } else { &[] }.into(),
        clock_seconds,
        default: Word::Static(default),
        closes: Closes::FirstValid,
        optional: false,
    };
    Some(match game.phase {
        Phase::Deal => asks(what::DEAL, "Both pools, 5 cards each from one deck".into(), 0, ""),
        Phase::Start => asks(what::START, "Who starts the first round?".into(), LONG_SECONDS, "the chooser starts"),
        Phase::Refill => {
            let chips = sentences::chips(game.chips[game.refiller]);
            let prompt = format!("Round {round}: a refill for {REFILL_PRICE} of {chips}?");
            asks(what::REFILL, prompt, SHORT_SECONDS, "no refill")
        }
        Phase::Offer => asks(what::OFFER, "The 12 cards of the refill".into(), 0, ""),
        Phase::Divide => Ask {
            // The last valid division before the deadline counts.
            closes: Closes::AtDeadline,
            ..asks(
                what::DIVIDE,
                "Divide 12 cards: piles of the same total, one of them set aside".into(),
                LONG_SECONDS,
                "nothing is taken",
            )
        },
        Phase::Discard => {
            let excess = game.turn().map_or(0, |seat| game.excess(seat));
            let prompt = format!("{} to discard", sentences::cards_counted(excess));
            asks(what::DISCARD, prompt, SHORT_SECONDS, "the lowest cards go")
        }
        Phase::Take => asks(what::TAKE, "Leftover cards: take one, or none".into(), SHORT_SECONDS, "nothing is taken"),
        Phase::Community => asks(what::COMMUNITY, format!("The community card of round {round}"), 0, ""),
        Phase::Private => Ask {
            to: To::Both,
            fields: PRIVATE.into(),
            closes: Closes::AtDeadline,
            ..asks(
                what::PRIVATE,
                format!("Round {round}: two hidden cards to go with {}", game.community.map_or("", Card::word)),
                LONG_SECONDS,
                "the two lowest allowed cards",
            )
        },
        Phase::Bet => {
            let street = match game.betting.street {
                Street::First => "first bets",
                Street::Second => "second bets",
            };
            let prompt = match game.betting.highest() {
                0 => format!("Round {round}, {street}: raise or fold?"),
                bet => format!("Round {round}, {street}: call {bet}, raise or fold?"),
            };
            asks(what::BET, prompt, SHORT_SECONDS, "a fold")
        }
        Phase::Over => return None,
    })
}
