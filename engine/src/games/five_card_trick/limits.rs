//! The limits on naming actions, from those that counted in a seat's last two rounds.

use alloc::string::String;

use super::clauses::number;
use super::rules::Rules;
use super::{Action, Actions, Submission, Target};
use crate::Refusal;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct History {
    last: Actions,
    before: Actions,
}

/// The reason why a part of a submission is left out of play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOutReason {
    /// Block without a target.
    NoTarget,
    /// It counted in both of the last two rounds.
    ThirdInARow,
    /// The same two counted in the last round.
    SamePair,
}

/// A submission, divided into actions that count and actions that are left out. An action may be left out both for
/// itself and for its pair; the reason given is then its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct LimitCheck {
    pub(super) counted: Actions,
    pub(super) no_target: bool,
    pub(super) third: Actions,
    pub(super) pair: Actions,
}

impl LimitCheck {
    pub(super) fn left_out(&self, action: Action) -> Option<LeftOutReason> {
        if self.no_target && action == Action::Block {
            Some(LeftOutReason::NoTarget)
        } else if self.third.has(action) {
            Some(LeftOutReason::ThirdInARow)
        } else if self.pair.has(action) {
            Some(LeftOutReason::SamePair)
        } else {
            None
        }
    }
}

impl History {
    pub(super) fn push(&mut self, counted: Actions) {
        *self = Self { last: counted, before: self.last };
    }

    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }

    /// True if naming it is out: it counted in both of the last two rounds.
    pub(super) fn third_in_a_row(&self, action: Action) -> bool {
        self.last.has(action) && self.before.has(action)
    }

    pub(super) fn doubled(&self, action: Action) -> bool {
        self.last.copies(action) >= 2
    }

    fn repeats_pair(&self, actions: Actions) -> bool {
        actions.shared(self.last).count() >= 2
    }

    /// The names of two actions that counted together in the last round, if these are among those named.
    fn repeated_pair(&self, rules: &Rules, actions: Actions) -> Option<String> {
        let mut shared = actions.shared(self.last).each();
        let (one, other) = (shared.next()?, shared.next()?);
        Some(alloc::format!("{} with {}", rules.name(one), rules.name(other)))
    }

    /// Leaves out the actions that do not count. Both limits look at the submission as written, without a Block that
    /// has no target.
    pub(super) fn count(&self, sent: &Submission) -> LimitCheck {
        let mut written = sent.actions;
        let no_target = written.has(Action::Block) && sent.target == Target::None;
        if no_target {
            written.remove(Action::Block);
        }
        let third = written.kinds().filter(|action| self.third_in_a_row(*action)).collect();
        let pair = if self.repeats_pair(written) { written } else { Actions::NONE };
        let mut counting = LimitCheck { counted: Actions::NONE, no_target, third, pair };
        counting.counted = written.kinds().filter(|action| counting.left_out(*action).is_none()).collect();
        counting
    }

    pub(super) fn check(&self, rules: &Rules, actions: Actions) -> Result<(), Refusal> {
        for action in actions.kinds() {
            let name = rules.name(action);
            if self.doubled(action) {
                let why = alloc::format!("{name} was doubled in the last round, so it may not be named in this one");
                return Err(Refusal::by_rule(None, number::DOUBLE_BAN, why));
            }
            if self.third_in_a_row(action) {
                let why = alloc::format!("{name} is out: it counted in both of the last two rounds");
                return Err(Refusal::by_rule(None, number::THIRD_IN_A_ROW, why));
            }
        }
        if let Some(pair) = self.repeated_pair(rules, actions) {
            let why = alloc::format!("{pair} is out: both counted in the last round");
            return Err(Refusal::by_rule(None, number::SAME_PAIR, why));
        }
        Ok(())
    }
}
