//! A match of Devil's Deal, and its steps. The refill step is played in `refill`, the poker step in `poker`.

use super::betting::Betting;
use super::clauses::number;
use super::moves::OFFERED;
use super::public_pool::PublicPool;
use super::rules::Rules;
use super::{Card, Division, Draw, Move, Pool, sentences};
use crate::game::Game;
use crate::{BySeat, EffectLog, Outcome, Reason, Refusal, Seat, Sight};

pub(super) const NO_PRIVATE_CARDS: Reason =
    Reason { word: "no-private-cards", phrase: "the opponent could not field two private cards" };
pub(super) const NO_ANTE: Reason = Reason { word: "no-ante", phrase: "the opponent cannot pay the ante" };
pub(super) const NO_PENALTY: Reason =
    Reason { word: "no-penalty", phrase: "the opponent folded a high card and cannot pay for it" };
pub(super) const NO_CHIPS: Reason = Reason { word: "no-chips", phrase: "the opponent has no chips left" };
pub(super) const ENDINGS: &[Reason] = &[NO_PRIVATE_CARDS, NO_ANTE, NO_PENALTY, NO_CHIPS];

pub(super) const CHIPS: u8 = 30;
pub(super) const REFILL_PRICE: u8 = 5;
pub(super) const POOL_LIMIT: u8 = 10;
pub(super) const ANTE: u8 = 2;
pub(super) const REMOVED: u8 = 1;
pub(super) const PENALTY: u8 = 2;

/// The move that is asked for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Both pools, from the host.
    Deal,
    /// The starting seat, from the DMO.
    Start,
    /// A refill or none, from one seat.
    Refill,
    /// The cards of a refill, from the host.
    Offer,
    /// The piles, from the refiller.
    Divide,
    /// The cards to discard, from the seat with too many.
    Discard,
    /// One of the cards that were left, from the refiller's opponent.
    Take,
    /// The community card, from the host.
    Community,
    /// The private cards, from both seats.
    Private,
    /// A bet, from one seat.
    Bet,
    /// Nothing: the match is over.
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Offer {
    /// In the order in which they were drawn.
    pub(super) cards: [Card; OFFERED],
    pub(super) division: Division,
}

impl Offer {
    pub(super) fn left(&self) -> impl Iterator<Item = Card> {
        self.cards.into_iter().filter(|card| !self.division.taken().any(|taken| taken == *card))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Private {
    pub(super) first: Card,
    pub(super) second: Card,
    /// The seat named them itself. The default leaves nothing sealed (ruling DD-19).
    pub(super) named: bool,
}

/// A match of Devil's Deal. Copying it allocates nothing; it is 256 bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DevilsDeal {
    pub(super) rules: Rules,
    pub(super) dmo: Seat,
    pub(super) phase: Phase,
    pub(super) round: u16,
    pub(super) begun: bool,
    pub(super) starter: Option<Seat>,
    pub(super) refiller: Seat,
    pub(super) chips: BySeat<u8>,
    pub(super) pools: BySeat<Pool>,
    pub(super) public_pools: BySeat<PublicPool>,
    pub(super) offer: Option<Offer>,
    pub(super) community: Option<Card>,
    pub(super) private: Option<BySeat<Private>>,
    pub(super) pot: u8,
    pub(super) betting: Betting,
    pub(super) outcome: Outcome,
}

impl DevilsDeal {
    pub(super) fn turn(&self) -> Option<Seat> {
        match self.phase {
            Phase::Start => Some(self.dmo),
            Phase::Refill | Phase::Divide => Some(self.refiller),
            // The refiller discards before the opponent may take a card.
            Phase::Discard if self.excess(self.refiller) > 0 => Some(self.refiller),
            Phase::Discard | Phase::Take => Some(self.refiller.other()),
            Phase::Bet => Some(self.betting.turn(self.starting())),
            Phase::Deal | Phase::Offer | Phase::Community | Phase::Private | Phase::Over => None,
        }
    }

    pub(super) fn starting(&self) -> Seat {
        self.starter.unwrap_or(self.dmo)
    }

    pub(super) fn excess(&self, seat: Seat) -> u8 {
        self.pools[seat].count().saturating_sub(POOL_LIMIT)
    }

    pub(super) fn open_to(seat: Seat, sight: Sight) -> bool {
        match sight {
            Sight::Public => false,
            Sight::Seat(viewer) => viewer == seat,
            Sight::Everything => true,
        }
    }

    fn asked(&self) -> (&'static str, &'static str) {
        match self.phase {
            Phase::Deal => (number::DEAL, "the host deals first: host: deal ... | ..."),
            Phase::Start => (number::STARTER, "start p1 or start p2 is asked for now"),
            Phase::Refill => (number::REFILL, "refill or stand is asked for now"),
            Phase::Offer => (number::OFFER, "the host's offer of 12 cards is due now"),
            Phase::Divide => (number::DIVIDING, "a division of the offer is asked for now: divide ..., or divide none"),
            Phase::Discard => (number::DISCARDS, "discards are asked for now"),
            Phase::Take => (number::TAKING, "take with a card, or take none, is asked for now"),
            Phase::Community => (number::COMMUNITY, "the host's community card is due now"),
            Phase::Private => (number::PRIVATE, "both seats' private cards are asked for now, with / between them"),
            Phase::Bet => (number::BETTING, "raise, call or fold is asked for now"),
            Phase::Over => (number::END, "the match is over"),
        }
    }

    pub(super) fn out_of_place(&self, seat: Option<Seat>) -> Refusal {
        let (rule, why) = self.asked();
        match self.turn() {
            Some(turn) if seat != Some(turn) => {
                Refusal::by_rule(seat, rule, alloc::format!("{} is asked, not this party: {why}", turn.word()))
            }
            _ => Refusal::by_rule(seat, rule, why),
        }
    }

    pub(super) fn end(&mut self, winner: Seat, reason: Reason, log: &mut impl EffectLog) {
        self.outcome = Outcome::won(winner, reason);
        self.clear();
        self.phase = Phase::Over;
        log.note(|| sentences::ended(winner, reason));
    }

    pub(super) fn clear(&mut self) {
        self.offer = None;
        self.community = None;
        self.private = None;
        self.pot = 0;
        self.betting = Betting::default();
    }

    pub(super) fn play_single(&mut self, seat: Seat, sent: &Move, log: &mut impl EffectLog) -> Result<(), Refusal> {
        if self.turn() != Some(seat) {
            return Err(self.out_of_place(Some(seat)));
        }
        self.check(seat, sent)?;
        self.begun |= self.phase != Phase::Start;
        match self.phase {
            Phase::Start => self.play_start(sent, log),
            Phase::Refill => self.play_refill(sent, log),
            Phase::Divide => self.play_division(sent, log),
            Phase::Discard => self.play_discards(seat, sent, log),
            Phase::Take => self.play_take(sent, log),
            Phase::Bet => self.play_bet(seat, sent, log),
            // No seat is asked alone in these phases, so the check has refused it.
            Phase::Deal | Phase::Offer | Phase::Community | Phase::Private | Phase::Over => {}
        }
        Ok(())
    }

    pub(super) fn play_draw(&mut self, draw: &Draw, log: &mut impl EffectLog) -> Result<(), Refusal> {
        let rule = match (self.phase, draw) {
            (Phase::Deal, Draw::Deal(_)) => number::DEAL,
            (Phase::Offer, Draw::Offer(_)) => number::OFFER,
            (Phase::Community, Draw::Community(_)) => number::COMMUNITY,
            _ => return Err(self.out_of_place(None)),
        };
        if let Some(card) = draw.repeated() {
            let why = alloc::format!("{} is drawn twice; the cards come from one deck", card.word());
            return Err(Refusal::by_rule(None, rule, why).naming(card.word()));
        }
        match draw {
            Draw::Deal(pools) => self.play_deal(pools, log),
            Draw::Offer(cards) => self.play_offer(cards, log),
            Draw::Community(card) => self.play_community(*card, log),
        }
        Ok(())
    }
}
