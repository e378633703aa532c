//! The fates of one round's actions, before anything is moved.

use super::limits::LimitCheck;
use super::{Action, Actions, LeftOutReason, Target};
use crate::{BySeat, Seat};

/// The fate of one seat's action in a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionFate {
    /// It did not count.
    LeftOut(LeftOutReason),
    /// The opponent named as many of it, or more.
    Cancelled,
    /// The opponent's Block of the last round bars it. It still counts against the opponent's copies, if `met`.
    Blocked {
        /// The opponent named it too.
        met: bool,
    },
    /// A Claim whose pot goes to the opponent's Steal.
    ClaimStolen,
    /// A Steal without a Claim to take from.
    NothingToSteal(NoClaim),
    /// It acted.
    Resolved,
}

/// The reason why there was no Claim to steal from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoClaim {
    /// The opponent's counted actions contain none.
    NotPlayed,
    /// It was cancelled.
    Cancelled,
    /// It was blocked.
    Blocked,
}

/// The fates of all actions of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resolution {
    counting: BySeat<LimitCheck>,
    blocked: BySeat<Option<Action>>,
    cancelled: BySeat<Actions>,
    live: BySeat<Actions>,
}

impl Resolution {
    pub(super) fn of(counting: BySeat<LimitCheck>, blocked: BySeat<Option<Action>>) -> Self {
        let cancelled = BySeat::from_fn(|seat| {
            let (own, other) = (counting[seat].counted, counting[seat.other()].counted);
            own.kinds().filter(|action| own.copies(*action) <= other.copies(*action)).collect::<Actions>()
        });
        let live = BySeat::from_fn(|seat| {
            let acts = |action: &Action| !cancelled[seat].has(*action) && blocked[seat] != Some(*action);
            counting[seat].counted.kinds().filter(acts).collect::<Actions>()
        });
        Self { counting, blocked, cancelled, live }
    }

    /// The actions of a seat that counted, with copies.
    #[must_use]
    pub const fn counted(&self, seat: Seat) -> Actions {
        match seat {
            Seat::P1 => self.counting.p1.counted,
            Seat::P2 => self.counting.p2.counted,
        }
    }

    /// True if the action counted and was neither cancelled nor blocked.
    #[must_use]
    pub fn live(&self, seat: Seat, action: Action) -> bool {
        self.live[seat].has(action)
    }

    /// True if the seat takes the pot by Claim.
    #[must_use]
    pub fn claims(&self, seat: Seat) -> bool {
        self.live(seat, Action::Claim) && !self.live(seat.other(), Action::Steal)
    }

    /// True if the seat takes the pot by Steal.
    #[must_use]
    pub fn steals(&self, seat: Seat) -> bool {
        self.live(seat, Action::Steal) && self.live(seat.other(), Action::Claim)
    }

    /// The action that the opponent's Block with this target bars for `seat` in the next round.
    #[must_use]
    pub fn bars(&self, seat: Seat, target: Target) -> Option<Action> {
        match target {
            Target::Action(action) if self.live(seat.other(), Action::Block) => Some(action),
            _ => None,
        }
    }

    /// True if `holder` may use Claim Priority: both Claims tied, its own was not blocked, and the opponent had no
    /// Steal that was neither cancelled nor blocked.
    #[must_use]
    pub fn claims_tied(&self, holder: Seat) -> bool {
        let copies = |seat| self.counted(seat).copies(Action::Claim);
        copies(holder) > 0
            && copies(holder) == copies(holder.other())
            && self.blocked[holder] != Some(Action::Claim)
            && !self.live(holder.other(), Action::Steal)
    }

    /// The fate of an action that the seat named.
    #[must_use]
    pub fn fate(&self, seat: Seat, action: Action) -> ActionFate {
        let other = seat.other();
        if let Some(why) = self.counting[seat].left_out(action) {
            return ActionFate::LeftOut(why);
        }
        if self.blocked[seat] == Some(action) {
            return ActionFate::Blocked { met: self.counted(other).has(action) };
        }
        if self.cancelled[seat].has(action) {
            return ActionFate::Cancelled;
        }
        match action {
            Action::Claim if !self.claims(seat) => ActionFate::ClaimStolen,
            Action::Steal if !self.steals(seat) => ActionFate::NothingToSteal(self.no_claim(other)),
            _ => ActionFate::Resolved,
        }
    }

    fn no_claim(&self, seat: Seat) -> NoClaim {
        if !self.counted(seat).has(Action::Claim) {
            NoClaim::NotPlayed
        } else if self.blocked[seat] == Some(Action::Claim) {
            NoClaim::Blocked
        } else {
            NoClaim::Cancelled
        }
    }
}
