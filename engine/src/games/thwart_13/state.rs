//! A match of Thwart 13, and its steps.

use alloc::vec::Vec;

use super::card::{Card, Cards};
use super::challenge_answer::Answer;
use super::clauses::number;
use super::hands::{HandPlace, Hands};
use super::rules::Rules;
use super::sentences;
use super::submission::{DISCARD, Move};
use crate::{BySeat, EffectLog, Outcome, Reason, Refusal, Seat};

pub(super) const MET: Reason = Reason { word: "challenge-met", phrase: "the challenged seat showed a valid set" };
pub(super) const FAILED: Reason =
    Reason { word: "challenge-failed", phrase: "the challenged seat showed no valid set" };
pub(super) const OPPONENT_INVALID: Reason =
    Reason { word: "opponent-invalid", phrase: "the opponent's hands are no valid set" };
pub(super) const MORE_HANDS: Reason = Reason { word: "more-hands", phrase: "more hands won" };
pub(super) const BOTH_INVALID: Reason = Reason { word: "both-invalid", phrase: "neither seat has a valid set" };
pub(super) const EQUAL_HANDS: Reason = Reason { word: "equal-hands", phrase: "both won as many hands" };
pub(super) const ENDINGS: &[Reason] = &[MET, FAILED, OPPONENT_INVALID, MORE_HANDS, BOTH_INVALID, EQUAL_HANDS];

/// The phase of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Both seats select a card, or one of them challenges.
    Select,
    /// The seats that have a card decide where it goes.
    Action,
    /// This seat answers a challenge.
    Answer(Seat),
    /// Nothing.
    Over,
}

impl Phase {
    /// The notation's word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Select => "select",
            Self::Action => "action",
            Self::Answer(_) => "answer",
            Self::Over => "over",
        }
    }
}

/// A match of Thwart 13: 104 bytes, checked by a test. Copying it allocates nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thwart {
    pub(super) rules: Rules,
    pub(super) phase: Phase,
    pub(super) round: u32,
    pub(super) passes: u32,
    pub(super) available: Cards,
    pub(super) hands: BySeat<Hands>,
    /// The cards that are being decided on; none outside the action phase.
    pub(super) picked: BySeat<Option<Card>>,
    pub(super) outcome: Outcome,
}

impl Thwart {
    pub(super) fn new(rules: &Rules) -> Self {
        Self {
            rules: *rules,
            phase: Phase::Select,
            round: 0,
            passes: 0,
            available: Cards::DECK,
            hands: BySeat::default(),
            picked: BySeat::default(),
            outcome: Outcome::Running,
        }
    }

    /// The cards that a seat holds, hand by hand.
    #[must_use]
    pub const fn hands(&self, seat: Seat) -> &Hands {
        match seat {
            Seat::P1 => &self.hands.p1,
            Seat::P2 => &self.hands.p2,
        }
    }

    /// The cards that can still be selected.
    #[must_use]
    pub const fn available(&self) -> Cards {
        self.available
    }

    /// The current phase.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    pub(super) const fn alone(&self) -> Option<Seat> {
        match (self.picked.p1, self.picked.p2) {
            (Some(_), None) => Some(Seat::P1),
            (None, Some(_)) => Some(Seat::P2),
            _ => None,
        }
    }

    pub(super) fn misplaced(&self, seat: Option<Seat>) -> Refusal {
        let (rule, due) = match self.phase {
            Phase::Select => (
                number::SELECTION,
                "both seats select together: a card or pass of each, with / between them; a challenge is a line of its own",
            ),
            Phase::Action => match self.alone() {
                None => (
                    number::ACTION,
                    "both seats decide together: front, middle, back or discard of each, with / between them",
                ),
                Some(Seat::P1) => (number::ACTION, "only p1 has a card: p1: front, middle, back or discard"),
                Some(Seat::P2) => (number::ACTION, "only p2 has a card: p2: front, middle, back or discard"),
            },
            Phase::Answer(Seat::P1) => {
                (number::ANSWER, "p1 is challenged and answers: p1: hands, and three groups of cards")
            }
            Phase::Answer(Seat::P2) => {
                (number::ANSWER, "p2 is challenged and answers: p2: hands, and three groups of cards")
            }
            Phase::Over => (number::END, "the match is over"),
        };
        Refusal::by_rule(seat, rule, due)
    }

    pub(super) fn check_selection(&self, seat: Seat, sent: &Move) -> Result<(), Refusal> {
        match sent {
            Move::Missing | Move::Pass => Ok(()),
            Move::Select(card) if self.available.has(*card) || self.rules.passes_unavailable() => Ok(()),
            Move::Select(card) => {
                let why = alloc::format!("the {} is not available any more: select one that is, or pass", card.name());
                Err(Refusal::by_rule(Some(seat), number::UNAVAILABLE, why).naming(card.word()))
            }
            _ => Err(self.misplaced(Some(seat))),
        }
    }

    pub(super) fn check_action(&self, seat: Seat, sent: &Move) -> Result<(), Refusal> {
        if self.picked[seat].is_none() {
            return Err(self.misplaced(Some(seat)));
        }
        match sent {
            Move::Missing | Move::Discard => Ok(()),
            Move::Claim(place) if self.hands[seat].open(*place) > 0 || self.rules.discards_into_full() => Ok(()),
            Move::Claim(place) => {
                let open =
                    HandPlace::ALL.into_iter().filter(|open| self.hands[seat].open(*open) > 0).map(HandPlace::word);
                let open: Vec<&str> = open.collect();
                let why = alloc::format!("the {} hand is full: {} or {DISCARD} is left", place.word(), open.join(", "));
                Err(Refusal::by_rule(Some(seat), number::FULL_HAND, why).naming(place.word()))
            }
            _ => Err(self.misplaced(Some(seat))),
        }
    }

    pub(super) fn check_answer(&self, seat: Seat, answer: &Answer) -> Result<(), Refusal> {
        let completed = answer.completes(&self.hands[seat], self.available);
        completed.map(|_| ()).map_err(|fault| fault.refusal(seat, answer))
    }

    /// Both seats select. A selection that is not available counts as a pass, unless the rules refuse it.
    pub(super) fn play_selection(&mut self, sent: &BySeat<Move>, log: &mut impl EffectLog) -> Result<(), Refusal> {
        let answers = |sent: &Move| matches!(sent, Move::Missing | Move::Pass | Move::Select(_));
        if !answers(&sent.p1) && !answers(&sent.p2) {
            return Err(self.misplaced(None));
        }
        for (seat, sent) in sent.each() {
            self.check_selection(seat, sent)?;
        }
        let picked = sent.as_ref().map(|sent| match sent {
            Move::Select(card) if self.available.has(*card) => Some(*card),
            _ => None,
        });
        let burned = picked.p1.filter(|_| picked.p1 == picked.p2);
        sentences::selected(sent, &picked, log);
        for card in [picked.p1, picked.p2].into_iter().flatten() {
            self.available.remove(card);
        }
        self.passes = if picked == BySeat::default() { self.passes.saturating_add(1) } else { 0 };
        if burned.is_some() || picked == BySeat::default() {
            self.complete_round(log);
        } else {
            self.picked = picked;
            self.phase = Phase::Action;
        }
        Ok(())
    }

    /// Puts the selected cards where their seats send them. A seat without a card sends nothing, and loses nothing by
    /// it.
    pub(super) fn play_action(
        &mut self,
        sent: &BySeat<Option<&Move>>,
        log: &mut impl EffectLog,
    ) -> Result<(), Refusal> {
        let answers = |sent: &Move| matches!(sent, Move::Missing | Move::Claim(_) | Move::Discard);
        if sent.each().into_iter().all(|(_, sent)| sent.is_some_and(|sent| !answers(sent))) {
            return Err(self.misplaced(None));
        }
        for (seat, sent) in sent.each() {
            if let Some(sent) = sent {
                self.check_action(seat, sent)?;
            }
        }
        for (seat, sent) in sent.each() {
            let (Some(sent), Some(card)) = (sent, self.picked[seat]) else { continue };
            let to = match sent {
                Move::Claim(place) if self.hands[seat].open(*place) > 0 => Some(*place),
                _ => None,
            };
            if let Some(place) = to {
                self.hands[seat].at_mut(place).push(card);
            }
            log.note(|| sentences::acted(seat, card, sent, &self.hands[seat]));
        }
        self.picked = BySeat::default();
        self.complete_round(log);
        Ok(())
    }

    pub(super) fn play_challenge(&mut self, seat: Seat, sent: &Move, log: &mut impl EffectLog) -> Result<(), Refusal> {
        if *sent != Move::Challenge {
            return Err(self.misplaced(Some(seat)));
        }
        self.phase = Phase::Answer(seat.other());
        log.note(|| sentences::challenged(seat));
        Ok(())
    }

    /// A recorded answer is never refused for being wrong: it loses.
    pub(super) fn play_answer(&mut self, seat: Seat, sent: &Move, log: &mut impl EffectLog) -> Result<(), Refusal> {
        let met = match sent {
            Move::Missing => false,
            Move::Hands(answer) => {
                let completed = answer.completes(&self.hands[seat], self.available);
                log.note(|| sentences::answered(seat, answer, &completed));
                completed.is_ok()
            }
            _ => return Err(self.misplaced(Some(seat))),
        };
        if *sent == Move::Missing {
            log.note(|| sentences::unanswered(seat));
        }
        self.phase = Phase::Over;
        self.outcome = if met { Outcome::won(seat, MET) } else { Outcome::won(seat.other(), FAILED) };
        log.note(|| sentences::ended(self.outcome));
        Ok(())
    }

    fn complete_round(&mut self, log: &mut impl EffectLog) {
        self.round = self.round.saturating_add(1);
        self.phase = Phase::Select;
        let left = self.available.count();
        let full = self.rules.ends_when_full() && self.hands.p1.are_full() && self.hands.p2.are_full();
        let few = left <= self.rules.too_few_cards();
        let passed = self.rules.passes_that_end().is_some_and(|most| self.passes >= most);
        if !few && !passed && !full {
            return;
        }
        log.note(|| sentences::stopped(if few { Some(left) } else { None }, passed));
        self.phase = Phase::Over;
        self.outcome = self.verdict();
        sentences::judged(&self.hands, log);
        log.note(|| sentences::ended(self.outcome));
    }

    pub(super) fn hands_won(&self) -> BySeat<i32> {
        BySeat::from_fn(|seat| {
            let wins = |place: &&HandPlace| winner(&self.hands, **place) == Some(seat);
            HandPlace::ALL.iter().filter(wins).fold(0, |won, _| won + 1)
        })
    }

    fn verdict(&self) -> Outcome {
        match (self.hands.p1.fault(), self.hands.p2.fault()) {
            (None, Some(_)) => Outcome::won(Seat::P1, OPPONENT_INVALID),
            (Some(_), None) => Outcome::won(Seat::P2, OPPONENT_INVALID),
            (Some(_), Some(_)) => Outcome::undecided(BOTH_INVALID),
            (None, None) => {
                let won = self.hands_won();
                match won.p1.cmp(&won.p2) {
                    core::cmp::Ordering::Greater => Outcome::won(Seat::P1, MORE_HANDS),
                    core::cmp::Ordering::Less => Outcome::won(Seat::P2, MORE_HANDS),
                    core::cmp::Ordering::Equal => Outcome::undecided(EQUAL_HANDS),
                }
            }
        }
    }
}

pub(super) fn winner(hands: &BySeat<Hands>, place: HandPlace) -> Option<Seat> {
    let strength = |seat: Seat| hands[seat].at(place).strength();
    match strength(Seat::P1).cmp(&strength(Seat::P2)) {
        core::cmp::Ordering::Greater => Some(Seat::P1),
        core::cmp::Ordering::Less => Some(Seat::P2),
        core::cmp::Ordering::Equal => None,
    }
}
