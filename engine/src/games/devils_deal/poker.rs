//! The poker step of a round: the community card, the private cards, two betting phases, a fold or a showdown.

use super::betting::{Betting, Street};
use super::clauses::number;
use super::hand::{Category, Hand};
use super::moves::{FIRST, SECOND};
use super::state::{ANTE, NO_ANTE, NO_CHIPS, NO_PENALTY, NO_PRIVATE_CARDS, PENALTY, Private, REMOVED};
use super::{Card, DevilsDeal, Move, Phase, sentences};
use crate::game::Game;
use crate::{BySeat, EffectLog, Refusal, Seat};

impl DevilsDeal {
    pub(super) fn play_community(&mut self, card: Card, log: &mut impl EffectLog) {
        self.begun = true;
        self.community = Some(card);
        log.note(|| sentences::community(card));
        if self.rules.draws_first() {
            self.offer_refills(log);
        } else {
            self.ask_private(log);
        }
    }

    fn loser(&self, fails: BySeat<bool>) -> Option<Seat> {
        match (fails.p1, fails.p2) {
            (true, true) => Some(self.starting()),
            (true, false) => Some(Seat::P1),
            (false, true) => Some(Seat::P2),
            (false, false) => None,
        }
    }

    pub(super) fn ask_private(&mut self, log: &mut impl EffectLog) {
        self.phase = Phase::Private;
        let fails = BySeat::from_fn(|seat| self.lowest_private(seat).is_none());
        if let Some(loser) = self.loser(fails) {
            log.note(|| sentences::no_private(loser, fails.p1 && fails.p2));
            self.end(loser.other(), NO_PRIVATE_CARDS, log);
        }
    }

    pub(super) fn eligible(&self, seat: Seat) -> impl Iterator<Item = Card> {
        let (pool, community) = (self.pools[seat], self.community);
        Card::LOWEST_FIRST.into_iter().filter(move |card| pool.has(*card) && Some(*card) != community)
    }

    fn lowest_private(&self, seat: Seat) -> Option<(Card, Card)> {
        let mut cards = self.eligible(seat);
        Some((cards.next()?, cards.next()?))
    }

    pub(super) fn check_private(&self, seat: Seat, first: Card, second: Card) -> Result<(), Refusal> {
        let refuse = |card: Card, why: &str| {
            let why = alloc::format!("{} {why}", card.word());
            Err(Refusal::by_rule(Some(seat), number::PRIVATE, why).naming(card.word()))
        };
        for card in [first, second] {
            if Some(card) == self.community {
                return refuse(card, "is the community card; the cards of a hand are all different");
            }
            if !self.pools[seat].has(card) {
                return refuse(card, "is not in this seat's pool; private cards come out of it");
            }
        }
        if first == second {
            return refuse(first, "is named twice; the cards of a hand are all different");
        }
        Ok(())
    }

    fn private(&self, seat: Seat, sent: &Move) -> Option<Private> {
        match *sent {
            Move::Private(first, second) => Some(Private { first, second, named: true }),
            _ => self.lowest_private(seat).map(|(first, second)| Private { first, second, named: false }),
        }
    }

    pub(super) fn play_private(&mut self, sent: &BySeat<Move>, log: &mut impl EffectLog) -> Result<(), Refusal> {
        if self.phase != Phase::Private {
            return Err(self.out_of_place(None));
        }
        for (seat, sent) in sent.each() {
            self.check(seat, sent)?;
        }
        // Both can choose: a seat that cannot has lost before it was asked.
        let private = (self.private(Seat::P1, &sent.p1), self.private(Seat::P2, &sent.p2));
        let (Some(p1), Some(p2)) = private else { return Err(self.out_of_place(None)) };
        for (seat, private) in (BySeat { p1, p2 }).each() {
            log.note(|| sentences::chose_private(seat, !private.named));
        }
        let fails = self.chips.map(|chips| chips < ANTE);
        if let Some(loser) = self.loser(fails) {
            log.note(|| sentences::no_ante(loser, fails.p1 && fails.p2));
            self.end(loser.other(), NO_ANTE, log);
            return Ok(());
        }
        self.private = Some(BySeat { p1, p2 });
        self.chips = self.chips.map(|chips| chips - ANTE);
        self.pot = 2 * ANTE - REMOVED;
        log.note(|| sentences::ante(self.pot));
        self.bet(Street::First, log);
        Ok(())
    }

    fn bet(&mut self, street: Street, log: &mut impl EffectLog) {
        self.betting = Betting::start(street, self.chips.p1.min(self.chips.p2));
        if self.betting.cap > 0 {
            self.phase = Phase::Bet;
            return;
        }
        log.note(|| sentences::skipped(street, self.chips));
        self.show(street, log);
    }

    fn show(&mut self, street: Street, log: &mut impl EffectLog) {
        let Some(private) = self.private else { return };
        log.note(|| sentences::shown(street, &private));
        match street {
            Street::First => self.bet(Street::Second, log),
            Street::Second => self.show_down(&private, log),
        }
    }

    /// True if the private cards that are due now will be shown with their step, because nobody can bet.
    pub(super) fn private_shows_at_once(&self) -> bool {
        self.chips.p1.min(self.chips.p2) == ANTE
    }

    pub(super) fn fields_shown_by_call(&self) -> &'static [&'static str] {
        let caller = self.betting.turn(self.starting());
        let due = self.betting.highest() - self.betting.bets(self.starting())[caller];
        let broke = self.chips[caller] == due || self.chips[caller.other()] == 0;
        match self.betting.street {
            Street::First if broke => &[FIRST, SECOND],
            Street::First => &[FIRST],
            Street::Second => &[SECOND],
        }
    }

    pub(super) fn check_raise(&self, seat: Seat, total: u16) -> Result<(), Refusal> {
        let (highest, cap) = (self.betting.highest(), self.betting.cap);
        let refuse = |rule, why| Err(Refusal::by_rule(Some(seat), rule, why));
        if highest == cap {
            let why = alloc::format!("nobody can bet more than {cap} in this phase: call or fold");
            return refuse(number::LIMIT, why);
        }
        if total > cap.into() {
            let why = alloc::format!("at most {cap} can be bet in this phase: the poorer seat began it with that");
            return refuse(number::LIMIT, why);
        }
        if total <= highest.into() {
            let why = match highest {
                0 => "a raise is of 1 chip at least".into(),
                _ => alloc::format!("a raise names this seat's total in the phase, which must be more than {highest}"),
            };
            return refuse(number::BETTING, why);
        }
        Ok(())
    }

    pub(super) fn check_call(&self, seat: Seat) -> Result<(), Refusal> {
        if self.betting.is_fresh() {
            let why = "there is no bet to call: raise or fold";
            return Err(Refusal::by_rule(Some(seat), number::OPENING, why));
        }
        Ok(())
    }

    pub(super) fn play_bet(&mut self, seat: Seat, sent: &Move, log: &mut impl EffectLog) {
        let (highest, cap) = (self.betting.highest(), self.betting.cap);
        let own = self.betting.bets(self.starting())[seat];
        match sent {
            Move::Raise(total) => {
                let total = u8::try_from(*total).unwrap_or(cap).min(cap);
                self.pay(seat, total - own);
                self.betting.raise(total);
                log.note(|| sentences::raised(seat, total, self.pot, total == cap));
            }
            Move::Call => {
                self.pay(seat, highest - own);
                log.note(|| sentences::called(seat, highest, self.pot));
                self.show(self.betting.street, log);
            }
            _ => self.fold(seat, *sent == Move::Missing, log),
        }
    }

    fn pay(&mut self, seat: Seat, chips: u8) {
        self.chips[seat] -= chips;
        self.pot += chips;
    }

    fn hand(&self, private: &Private) -> Option<(Hand, [Card; 3])> {
        let cards = [private.first, private.second, self.community?];
        Some((Hand::of(cards), cards))
    }

    fn fold(&mut self, seat: Seat, missing: bool, log: &mut impl EffectLog) {
        let (winner, Some(private)) = (seat.other(), self.private) else { return };
        let high = self.hand(&private[seat]).is_some_and(|(hand, _)| hand.category == Category::HighCard);
        self.chips[winner] += self.pot;
        log.note(|| sentences::folded(seat, self.pot, missing));
        let pays = high && self.chips[seat] >= PENALTY;
        if pays {
            self.chips[seat] -= PENALTY;
            self.chips[winner] += PENALTY;
        }
        log.note(|| sentences::penalty(seat, high, pays));
        let shown = self.betting.street == Street::Second;
        for (owner, private) in private.each() {
            if shown {
                self.lose(owner, private.first);
            } else {
                self.pools[owner].remove(private.first);
            }
            self.pools[owner].remove(private.second);
            let barred = [self.community, shown.then_some(private.first)];
            self.public_pools[owner].veil(if shown { 1 } else { 2 }, barred);
        }
        log.note(|| sentences::left_unshown(shown));
        self.round += 1;
        if high && !pays {
            return self.end(winner, NO_PENALTY, log);
        }
        self.end_round(Some(winner), log);
    }

    fn show_down(&mut self, private: &BySeat<Private>, log: &mut impl EffectLog) {
        let hands = private.as_ref().map(|private| self.hand(private));
        let (Some((p1, p1_cards)), Some((p2, p2_cards))) = (hands.p1, hands.p2) else { return };
        log.note(|| sentences::hand(Seat::P1, p1.category, p1_cards));
        log.note(|| sentences::hand(Seat::P2, p2.category, p2_cards));
        let winner = match p1.cmp(&p2) {
            core::cmp::Ordering::Greater => Some(Seat::P1),
            core::cmp::Ordering::Less => Some(Seat::P2),
            core::cmp::Ordering::Equal => None,
        };
        if let Some(winner) = winner {
            self.chips[winner] += self.pot;
            log.note(|| sentences::won(winner, self.pot));
        } else {
            // At a showdown both have paid the same, and the chips that left the game come back.
            let share = (self.pot + REMOVED) / 2;
            self.chips = self.chips.map(|chips| chips + share);
            log.note(|| sentences::tied(share));
        }
        for (seat, private) in private.each() {
            self.lose(seat, private.first);
            self.lose(seat, private.second);
        }
        self.round += 1;
        self.end_round(winner, log);
    }

    fn end_round(&mut self, winner: Option<Seat>, log: &mut impl EffectLog) {
        if let Some(loser) = self.loser(self.chips.map(|chips| chips == 0)) {
            return self.end(loser.other(), NO_CHIPS, log);
        }
        self.clear();
        if let Some(winner) = winner {
            self.starter = Some(winner);
        }
        log.note(|| sentences::next_round(self.round + 1, self.starting()));
        self.begin_round(log);
    }
}
