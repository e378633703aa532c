//! The five actions, and numbers of copies of each.

/// One of the five actions, in canonical order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Action {
    /// One chip from outside.
    Score,
    /// One chip into the pot. `raise` in legends-untold.
    Grow,
    /// The whole pot.
    Claim,
    /// The pot, out of the opponent's Claim.
    Steal,
    /// Bars one action of the opponent in the next round.
    Block,
}

impl Action {
    /// All five, in canonical order.
    pub const ALL: [Self; 5] = [Self::Score, Self::Grow, Self::Claim, Self::Steal, Self::Block];
}

/// Copies of each action, or a set of actions where every count is 0 or 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Actions([u8; 5]);

impl Actions {
    /// None of any.
    pub const NONE: Self = Self([0; 5]);

    /// The number of copies of this one.
    #[must_use]
    pub const fn copies(self, action: Action) -> u8 {
        let [score, grow, claim, steal, block] = self.0;
        match action {
            Action::Score => score,
            Action::Grow => grow,
            Action::Claim => claim,
            Action::Steal => steal,
            Action::Block => block,
        }
    }

    /// True if there is at least one copy.
    #[must_use]
    pub const fn has(self, action: Action) -> bool {
        self.copies(action) > 0
    }

    fn slot(&mut self, action: Action) -> &mut u8 {
        let [score, grow, claim, steal, block] = &mut self.0;
        match action {
            Action::Score => score,
            Action::Grow => grow,
            Action::Claim => claim,
            Action::Steal => steal,
            Action::Block => block,
        }
    }

    /// One copy more.
    pub fn add(&mut self, action: Action) {
        *self.slot(action) = self.copies(action).saturating_add(1);
    }

    /// Removes all copies of this one.
    pub fn remove(&mut self, action: Action) {
        *self.slot(action) = 0;
    }

    /// All copies of all actions.
    #[must_use]
    pub fn count(self) -> u8 {
        self.0.iter().fold(0, |sum, copies| sum.saturating_add(*copies))
    }

    /// True if there are none.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == [0; 5]
    }

    /// True if every action is there.
    #[must_use]
    pub fn is_full(self) -> bool {
        self.0.iter().all(|copies| *copies > 0)
    }

    /// The actions that are there, in canonical order, without their copies.
    pub fn kinds(self) -> impl Iterator<Item = Action> {
        Action::ALL.into_iter().filter(move |action| self.has(*action))
    }

    /// The actions that are there, in canonical order, with their copies.
    pub fn each(self) -> impl Iterator<Item = Action> {
        Action::ALL.into_iter().flat_map(move |action| (0..self.copies(action)).map(move |_| action))
    }

    /// The actions that both hold, with the copies that both hold. Two or more of them are a selection of two that both
    /// contain: a pair of different actions, or a double.
    #[must_use]
    pub fn shared(self, other: Self) -> Self {
        let mut shared = self;
        for (own, other) in shared.0.iter_mut().zip(other.0) {
            *own = other.min(*own);
        }
        shared
    }
}

impl FromIterator<Action> for Actions {
    fn from_iter<I: IntoIterator<Item = Action>>(actions: I) -> Self {
        let mut all = Self::NONE;
        for action in actions {
            all.add(action);
        }
        all
    }
}
