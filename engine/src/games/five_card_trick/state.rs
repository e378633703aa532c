//! A match of Five-Card Trick, and its steps.

use super::clauses::number;
use super::limits::{History, LimitCheck};
use super::rules::{Rules, Tie};
use super::sentences::NextRound;
use super::{Action, Actions, Item, Move, Resolution, Submission, Target, sentences};
use crate::game::Game;
use crate::{BySeat, EffectLog, Outcome, Reason, Refusal, Seat, Setup};

pub(super) const MORE_CHIPS: Reason = Reason { word: "more-chips", phrase: "more chips" };
pub(super) const DMO: Reason = Reason { word: "dmo", phrase: "tied at the end, and the DMO wins a tie" };
pub(super) const MORE_ITEMS: Reason = Reason { word: "more-items", phrase: "tied at the end, with more items" };
pub(super) const LAST_TAKER: Reason = Reason { word: "last-taker", phrase: "tied at the end, and took the last pot" };
pub(super) const NOBODY: Reason =
    Reason { word: "nobody-took-the-pot", phrase: "tied at the end, and nobody ever took the pot" };
pub(super) const EQUAL_ITEMS: Reason = Reason { word: "equal-items", phrase: "tied at the end, with equal items" };
pub(super) const ENDINGS: &[Reason] = &[MORE_CHIPS, DMO, MORE_ITEMS, LAST_TAKER, NOBODY, EQUAL_ITEMS];

/// A match of Five-Card Trick. Copying it allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiveCardTrick {
    pub(super) rules: Rules,
    dmo: Option<Seat>,
    pub(super) round: u16,
    pub(super) pot: u16,
    pub(super) chips: BySeat<u16>,
    pub(super) lights: BySeat<Actions>,
    pub(super) blocked: BySeat<Option<Action>>,
    pub(super) counted: BySeat<Actions>,
    pub(super) history: BySeat<History>,
    last_taker: Option<Seat>,
    pub(super) items: BySeat<HeldItems>,
    received: BySeat<u8>,
    pub(super) window: Option<Seat>,
    pub(super) outcome: Outcome,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HeldItems {
    overload: bool,
    claim_priority: bool,
    limit_reset: bool,
}

impl HeldItems {
    pub(super) const fn has(self, item: Item) -> bool {
        match item {
            Item::Overload => self.overload,
            Item::ClaimPriority => self.claim_priority,
            Item::LimitReset => self.limit_reset,
        }
    }

    pub(super) fn set(&mut self, item: Item, held: bool) {
        match item {
            Item::Overload => self.overload = held,
            Item::ClaimPriority => self.claim_priority = held,
            Item::LimitReset => self.limit_reset = held,
        }
    }
}

impl FiveCardTrick {
    pub(super) fn new(rules: &Rules, setup: &Setup) -> Self {
        let items = setup.items.as_ref().map(|given| {
            let mut held = HeldItems::default();
            for item in Item::ALL {
                held.set(item, given.iter().any(|word| word == item.word()));
            }
            held
        });
        Self {
            rules: *rules,
            dmo: setup.dmo,
            round: 0,
            pot: 1,
            chips: BySeat::default(),
            lights: BySeat::default(),
            blocked: BySeat::default(),
            counted: BySeat::default(),
            history: BySeat::default(),
            last_taker: None,
            items,
            received: items.map(|held| Item::ALL.into_iter().fold(0, |sum, item| sum + u8::from(held.has(item)))),
            window: None,
            outcome: Outcome::Running,
        }
    }

    pub(super) const fn submission(sent: &Move) -> Option<Submission> {
        match sent {
            Move::Submission(sent) => Some(*sent),
            _ => None,
        }
    }

    /// True if the window delays the next round, because the result is examined after it.
    pub(super) const fn waits_for_window(&self) -> bool {
        self.window.is_some() && self.rules.examined(self.round)
    }

    pub(super) fn check_submission(&self, seat: Seat, sent: &Submission) -> Result<(), Refusal> {
        let refuse = |rule, why: &str| Err(Refusal::by_rule(Some(seat), rule, why));
        let rules = &self.rules;
        let count = sent.actions.count();
        let held = self.items[seat];
        if !rules.doubles()
            && let Some(twice) = sent.actions.kinds().find(|action| sent.actions.copies(*action) > 1)
        {
            return refuse(number::CHOOSING, &alloc::format!("{} is named twice", rules.name(twice)));
        }
        for (item, used) in [(Item::Overload, sent.overload), (Item::LimitReset, sent.limit_reset)] {
            if used && !held.has(item) {
                return refuse(number::ITEMS, &alloc::format!("this seat does not hold {}", item.name()));
            }
        }
        let (least, most) = rules.picks();
        if sent.overload && count != 3 {
            return refuse(number::OVERLOAD, "exactly three actions are due with Overload");
        }
        if !sent.overload && !(least..=most).contains(&count) {
            let due = if least == most { "exactly two actions are due" } else { "at most two actions may be named" };
            return refuse(number::CHOOSING, due);
        }
        if sent.actions.kinds().any(|action| sent.actions.copies(action) > 2) {
            return refuse(number::OVERLOAD, "the three actions may not all be the same");
        }
        if rules.refuses_faults() {
            if sent.actions.has(Action::Block) && sent.target == Target::None {
                let example = rules.word(Action::Claim);
                return refuse(number::TARGET, &alloc::format!("Block must name an action, as in block:{example}"));
            }
            if !sent.limit_reset {
                self.history[seat].check(rules, sent.actions).map_err(|refusal| refusal.of(seat))?;
            }
        }
        Ok(())
    }

    pub(super) fn count(&self, seat: Seat, sent: Option<&Submission>) -> LimitCheck {
        match sent {
            None => LimitCheck::default(),
            Some(sent) if self.rules.refuses_faults() => LimitCheck { counted: sent.actions, ..LimitCheck::default() },
            Some(sent) => self.history[seat].count(sent),
        }
    }

    pub(super) fn resolve(&self, sent: &BySeat<Move>) -> Resolution {
        let counting = BySeat::from_fn(|seat| self.count(seat, Self::submission(&sent[seat]).as_ref()));
        Resolution::of(counting, self.blocked)
    }

    fn check_round(&self, sent: &BySeat<Move>) -> Result<(), Refusal> {
        if self.waits_for_window() {
            let why = "Claim Priority must be used or declined before the result is examined";
            return Err(Refusal::by_rule(None, number::CLAIM_PRIORITY, why));
        }
        for (seat, sent) in sent.each() {
            if matches!(sent, Move::UseClaimPriority | Move::Decline) {
                let why = "a round takes a move of each seat; Claim Priority has a line of its own";
                return Err(Refusal::by_rule(Some(seat), number::CLAIM_PRIORITY, why));
            }
            self.check(seat, sent)?;
        }
        Ok(())
    }

    pub(super) fn play_round(&mut self, sent: &BySeat<Move>, log: &mut impl EffectLog) -> Result<(), Refusal> {
        self.check_round(sent)?;
        if self.rules.replays() && sent.p1 == Move::Missing && sent.p2 == Move::Missing {
            log.note(|| sentences::replayed(self.round + 1));
            return Ok(());
        }
        let resolution = self.resolve(sent);
        let target = |seat: Seat| Self::submission(&sent[seat]).map_or(Target::None, |sent| sent.target);
        sentences::fates(self, sent, &resolution, log);
        for seat in Seat::BOTH {
            for action in resolution.counted(seat).kinds() {
                if !self.lights[seat].has(action) {
                    self.lights[seat].add(action);
                }
            }
            self.chips[seat] += u16::from(resolution.live(seat, Action::Score));
            self.pot += u16::from(resolution.live(seat, Action::Grow));
        }
        for seat in Seat::BOTH {
            if resolution.claims(seat) || resolution.steals(seat) {
                self.chips[seat] += core::mem::take(&mut self.pot);
                self.last_taker = Some(seat);
            }
        }
        for seat in Seat::BOTH {
            if self.lights[seat].is_full() {
                self.lights[seat] = Actions::NONE;
                self.chips[seat] += 1;
                log.note(|| sentences::all_lit(&self.rules, seat));
            }
        }
        if self.pot == 0 {
            self.pot = 1;
            log.note(|| sentences::new_pot(&self.rules));
        }
        self.round += 1;
        self.blocked = BySeat::from_fn(|seat| resolution.bars(seat, target(seat.other())));
        self.remember(sent, &resolution);
        self.window = Seat::BOTH
            .into_iter()
            .find(|seat| self.items[*seat].has(Item::ClaimPriority) && resolution.claims_tied(*seat));
        let next = match self.result() {
            Some(result) if result.is_over() => NextRound::None,
            _ if self.waits_for_window() => NextRound::Unsure,
            _ => NextRound::Played,
        };
        sentences::blocks(self, sent, &resolution, next, log);
        if let Some(seat) = self.window {
            log.note(|| sentences::window(seat, self.pot, &self.rules));
        }
        self.examine(log);
        Ok(())
    }

    fn remember(&mut self, sent: &BySeat<Move>, resolution: &Resolution) {
        for (seat, sent) in sent.each() {
            let sent = Self::submission(sent).unwrap_or_default();
            if sent.limit_reset {
                self.items[seat].set(Item::LimitReset, false);
                self.history[seat].forget();
            }
            if sent.overload {
                self.items[seat].set(Item::Overload, false);
            }
            self.counted[seat] = resolution.counted(seat);
            self.history[seat].push(self.counted[seat]);
        }
    }

    pub(super) fn play_window(&mut self, seat: Seat, sent: &Move, log: &mut impl EffectLog) -> Result<(), Refusal> {
        self.check_window(seat)?;
        if matches!(sent, Move::Submission(_)) {
            let why = "Claim Priority is used or declined; a move is written with the other seat's";
            return Err(Refusal::by_rule(Some(seat), number::CLAIM_PRIORITY, why));
        }
        self.window = None;
        if *sent == Move::UseClaimPriority {
            let taken = core::mem::replace(&mut self.pot, 1);
            self.chips[seat] += taken;
            self.items[seat].set(Item::ClaimPriority, false);
            log.note(|| sentences::priority_used(seat, taken, &self.rules));
        } else {
            log.note(|| sentences::priority_declined(seat, *sent == Move::Missing));
        }
        self.examine(log);
        Ok(())
    }

    pub(super) fn check_window(&self, seat: Seat) -> Result<(), Refusal> {
        let refuse = |rule, why: &str| Err(Refusal::by_rule(Some(seat), rule, why));
        match self.window {
            Some(holder) if holder == seat => Ok(()),
            Some(_) => refuse(number::CLAIM_PRIORITY, "the other seat holds Claim Priority"),
            None if self.rules.has_items() => refuse(number::CLAIM_PRIORITY, "Claim Priority cannot be used now"),
            None => refuse(number::CHOOSING, "both seats are asked together: write both moves with / between them"),
        }
    }

    fn result(&self) -> Option<Outcome> {
        if !self.rules.examined(self.round) || self.window.is_some() {
            return None;
        }
        let BySeat { p1, p2 } = self.chips;
        Some(match p1.cmp(&p2) {
            core::cmp::Ordering::Greater => Outcome::won(Seat::P1, MORE_CHIPS),
            core::cmp::Ordering::Less => Outcome::won(Seat::P2, MORE_CHIPS),
            core::cmp::Ordering::Equal if self.round >= self.rules.last_round() => self.break_tie(),
            core::cmp::Ordering::Equal => Outcome::Running,
        })
    }

    fn examine(&mut self, log: &mut impl EffectLog) {
        let Some(result) = self.result() else { return };
        self.outcome = result;
        log.note(|| if result.is_over() { sentences::ended(self) } else { sentences::extended(self.round) });
    }

    fn break_tie(&self) -> Outcome {
        match self.rules.tie {
            // The card requires a DMO under this rule.
            Tie::Dmo => self.dmo.map_or(Outcome::Running, |dmo| Outcome::won(dmo, DMO)),
            Tie::LastTaker => {
                self.last_taker.map_or(Outcome::undecided(NOBODY), |taker| Outcome::won(taker, LAST_TAKER))
            }
            Tie::MoreItems => match self.received.p1.cmp(&self.received.p2) {
                core::cmp::Ordering::Greater => Outcome::won(Seat::P1, MORE_ITEMS),
                core::cmp::Ordering::Less => Outcome::won(Seat::P2, MORE_ITEMS),
                core::cmp::Ordering::Equal => Outcome::undecided(EQUAL_ITEMS),
            },
        }
    }
}
