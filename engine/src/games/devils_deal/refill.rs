//! The start of a match and the refill step of a round, from the first offer to the last discard.

use super::clauses::number;
use super::moves::{DEALT, OFFERED};
use super::spread::{Division, Spread, sum};
use super::state::{Offer, REFILL_PRICE};
use super::{Card, DevilsDeal, Move, Phase, sentences};
use crate::{BySeat, EffectLog, Refusal, Seat};

impl DevilsDeal {
    pub(super) fn play_deal(&mut self, dealt: &BySeat<[Card; DEALT]>, log: &mut impl EffectLog) {
        for (seat, cards) in dealt.each() {
            cards.iter().for_each(|card| self.gain(seat, *card));
            log.note(|| sentences::dealt(seat, cards));
        }
        self.phase = Phase::Start;
    }

    pub(super) fn play_start(&mut self, sent: &Move, log: &mut impl EffectLog) {
        let starter = if let Move::Start(seat) = sent { *seat } else { self.dmo };
        self.starter = Some(starter);
        log.note(|| sentences::started(self.dmo, starter, *sent == Move::Missing));
        self.begin_round(log);
    }

    pub(super) fn begin_round(&mut self, log: &mut impl EffectLog) {
        self.begun = false;
        self.refiller = self.starting();
        if self.rules.draws_first() {
            self.phase = Phase::Community;
        } else {
            self.offer_refills(log);
        }
    }

    /// Asks the next seat if it wants a refill, or goes on to the poker step. A seat that cannot pay is passed over.
    pub(super) fn offer_refills(&mut self, log: &mut impl EffectLog) {
        self.phase = Phase::Refill;
        while self.chips[self.refiller] < REFILL_PRICE {
            let poor = self.refiller;
            log.note(|| sentences::too_poor(poor, self.chips[poor]));
            if !self.pass_on() {
                return self.end_refills(log);
            }
        }
    }

    /// Turns to the seat that refills second; false if it has had its turn.
    fn pass_on(&mut self) -> bool {
        let first = self.refiller == self.starting();
        if first {
            self.refiller = self.refiller.other();
        }
        first
    }

    fn end_refills(&mut self, log: &mut impl EffectLog) {
        if self.rules.draws_first() {
            self.ask_private(log);
        } else {
            self.phase = Phase::Community;
        }
    }

    pub(super) fn play_refill(&mut self, sent: &Move, log: &mut impl EffectLog) {
        let seat = self.refiller;
        if *sent == Move::Refill {
            self.chips[seat] -= REFILL_PRICE;
            self.phase = Phase::Offer;
            return log.note(|| sentences::paid(seat, self.chips[seat]));
        }
        log.note(|| sentences::stood(seat, *sent == Move::Missing));
        if self.pass_on() {
            self.offer_refills(log);
        } else {
            self.end_refills(log);
        }
    }

    pub(super) fn play_offer(&mut self, cards: &[Card; OFFERED], log: &mut impl EffectLog) {
        self.offer = Some(Offer { cards: *cards, division: Division::default() });
        self.phase = Phase::Divide;
        log.note(|| sentences::offered(self.refiller, cards));
    }

    pub(super) fn check_division(&self, seat: Seat, division: &Division) -> Result<(), Refusal> {
        let refuse = |why, named: &str| Err(Refusal::by_rule(Some(seat), number::DIVIDING, why).naming(named));
        let offered: &[Card] = self.offer.as_ref().map_or(&[], |offer| &offer.cards);
        if let Some(card) = division.cards().cards().iter().find(|card| !offered.contains(card)) {
            let why = alloc::format!("{} is not in the offer; only the 12 cards of it are divided", card.word());
            return refuse(why, card.word());
        }
        if let Some(card) = division.cards().repeated() {
            return refuse(
                alloc::format!("{} is divided twice; every card lies in one pile", card.word()),
                card.word(),
            );
        }
        let mut piles = (1..).zip(division.piles());
        let Some((_, first)) = piles.next() else { return Ok(()) };
        let count = division.count();
        match piles.find(|(_, pile)| sum(pile) != sum(first)) {
            Some((n, pile)) => {
                let name = if n == count { "the pile set aside".into() } else { alloc::format!("pile {n}") };
                let (due, is) = (sum(first), sum(pile));
                refuse(
                    alloc::format!("{name} sums to {is}, pile 1 to {due}; all sums must be equal"),
                    &sentences::listed(pile.iter().copied()),
                )
            }
            None => Ok(()),
        }
    }

    pub(super) fn play_division(&mut self, sent: &Move, log: &mut impl EffectLog) {
        let seat = self.refiller;
        let division = if let Move::Divide(division) = sent { *division } else { Division::default() };
        if let Some(offer) = &mut self.offer {
            offer.division = division;
        }
        division.taken().for_each(|card| self.gain(seat, card));
        log.note(|| sentences::divided(seat, &division, *sent == Move::Missing));
        self.phase = Phase::Take;
        self.limit(seat, log);
    }

    fn limit(&mut self, seat: Seat, log: &mut impl EffectLog) {
        let excess = self.excess(seat);
        if excess > 0 {
            self.phase = Phase::Discard;
            log.note(|| sentences::over_limit(seat, excess));
        }
    }

    pub(super) fn check_discards(&self, seat: Seat, cards: &Spread) -> Result<(), Refusal> {
        let refuse = |why| Err(Refusal::by_rule(Some(seat), number::DISCARDS, why));
        let mut pool = self.pools[seat];
        if let Some(card) = cards.cards().iter().find(|card| !pool.remove(**card)) {
            let why = if self.pools[seat].has(*card) {
                alloc::format!("{} is discarded more often than the pool holds it", card.word())
            } else {
                alloc::format!("{} is not in this seat's pool; discards come out of it", card.word())
            };
            return refuse(why).map_err(|refusal| refusal.naming(card.word()));
        }
        let excess = self.excess(seat);
        if cards.count() != excess {
            let due = sentences::cards_counted(excess);
            return refuse(alloc::format!(
                "exactly {due} must go, and {} named",
                match cards.count() {
                    1 => "1 is".into(),
                    count => alloc::format!("{count} are"),
                }
            ));
        }
        Ok(())
    }

    pub(super) fn play_discards(&mut self, seat: Seat, sent: &Move, log: &mut impl EffectLog) {
        let cards = if let Move::Discard(cards) = sent { *cards } else { self.default_discards(seat) };
        cards.cards().iter().for_each(|card| self.lose(seat, *card));
        log.note(|| sentences::discarded(seat, &cards, *sent == Move::Missing));
        if seat == self.refiller {
            self.phase = Phase::Take;
        } else {
            self.end_refill(log);
        }
    }

    pub(super) fn default_discards(&self, seat: Seat) -> Spread {
        self.pools[seat].lowest_first().take(self.excess(seat).into()).collect()
    }

    pub(super) fn check_take(&self, seat: Seat, card: Card) -> Result<(), Refusal> {
        let Some(offer) = &self.offer else { return Ok(()) };
        if offer.left().any(|left| left == card) {
            return Ok(());
        }
        let word = card.word();
        let why = if offer.cards.contains(&card) {
            alloc::format!("{word} was taken by the refiller; one of the others may be taken, or none")
        } else {
            alloc::format!("{word} is not in the offer; one of its cards that were left may be taken, or none")
        };
        Err(Refusal::by_rule(Some(seat), number::TAKING, why).naming(word))
    }

    pub(super) fn play_take(&mut self, sent: &Move, log: &mut impl EffectLog) {
        let seat = self.refiller.other();
        let card = if let Move::Take(card) = sent { *card } else { None };
        if let Some(card) = card {
            self.gain(seat, card);
        }
        log.note(|| sentences::took(seat, card, *sent == Move::Missing));
        self.limit(seat, log);
        if self.phase == Phase::Take {
            self.end_refill(log);
        }
    }

    fn end_refill(&mut self, log: &mut impl EffectLog) {
        self.offer = None;
        self.offer_refills(log);
    }

    fn gain(&mut self, seat: Seat, card: Card) {
        self.pools[seat].add(card);
        self.public_pools[seat].gain(card);
    }

    pub(super) fn lose(&mut self, seat: Seat, card: Card) {
        self.pools[seat].remove(card);
        self.public_pools[seat].lose(card);
    }
}
