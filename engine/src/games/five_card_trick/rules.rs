//! The options in which the hostings differ, and their words. Each option is read in one function.

use super::Action;
use crate::rule_option_macro::rule_option;
use crate::{Unit, Word};

/// A ruleset as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The number of actions in a submission.
    pub picks: Picks,
    /// Naming an action once or twice.
    pub copies: Copies,
    /// The treatment of a submission that breaks a limit or lacks a target.
    pub faults: Faults,
    /// The effect of a round in which both seats send nothing.
    pub both_missing: BothMissing,
    /// The last round to which ties extend the match.
    pub last_round: LastRound,
    /// The tie rule after that round.
    pub tie: Tie,
    /// The items of the seats, if any.
    pub items: Items,
    /// The secrecy of the target of a Block that did not act.
    pub target: TargetSecrecy,
    /// The time for a submission.
    pub clock: Clock,
    /// The words of the table.
    pub words: Words,
}

rule_option! {
    /// The number of actions in a submission.
    Picks {
        /// Two, no fewer.
        ExactlyTwo = "exactly-two",
        /// None, one or two.
        UpToTwo = "up-to-two",
    }
}

rule_option! {
    /// Naming an action once or twice.
    Copies {
        /// Every action once.
        Distinct = "distinct",
        /// Twice is allowed, and beats once.
        Doubles = "doubles",
    }
}

rule_option! {
    /// The treatment of a submission that breaks a limit or lacks a target.
    Faults {
        /// It is illegal and may be sent again.
        Refused = "refused",
        /// It is played with that part left out.
        LeftOut = "left-out",
    }
}

rule_option! {
    /// The effect of a round in which both seats send nothing.
    BothMissing {
        /// The round is replayed.
        Replayed = "replayed",
        /// The round is played without actions.
        Played = "played",
    }
}

rule_option! {
    /// The last round to which ties extend the match.
    LastRound {
        /// Three extensions.
        Forty = "forty",
        /// Five extensions.
        Fifty = "fifty",
    }
}

rule_option! {
    /// The winner if the seats are level after the last round.
    Tie {
        /// The Death Match Opponent.
        Dmo = "dmo",
        /// The seat that received more of the game's items.
        MoreItems = "more-items",
        /// The seat that last took the pot by Claim or Steal.
        LastTaker = "last-taker",
    }
}

rule_option! {
    /// The items of the seats, if any.
    Items {
        /// No items.
        None = "none",
        /// Overload, Claim Priority and Limit Reset, one of each.
        Three = "three",
    }
}

rule_option! {
    /// The secrecy of the target of a Block that did not act.
    TargetSecrecy {
        /// Everybody learns it, with the round's result.
        Open = "open",
        /// Nobody learns it before the match is over.
        SealedUnlessItActs = "sealed-unless-it-acts",
    }
}

rule_option! {
    /// The time for a submission.
    Clock {
        /// 60 seconds.
        Sixty = "sixty",
        /// 90 seconds.
        Ninety = "ninety",
    }
}

rule_option! {
    /// The words of the table.
    Words {
        /// Chips, lights, Grow.
        Chips = "chips",
        /// Gems, torches, Raise.
        Gems = "gems",
    }
}

impl Rules {
    /// The rounds after which the result is examined: 25, 30, and so on to the last.
    #[must_use]
    pub const fn examined(&self, round: u16) -> bool {
        round >= 25 && round.is_multiple_of(5)
    }

    /// The round after which the tie rule decides.
    #[must_use]
    pub const fn last_round(&self) -> u16 {
        match self.last_round {
            LastRound::Forty => 40,
            LastRound::Fifty => 50,
        }
    }

    /// The least and the largest number of actions that are due, without Overload.
    #[must_use]
    pub const fn picks(&self) -> (u8, u8) {
        match self.picks {
            Picks::ExactlyTwo => (2, 2),
            Picks::UpToTwo => (0, 2),
        }
    }

    /// True if an action may be named twice.
    #[must_use]
    pub const fn doubles(&self) -> bool {
        matches!(self.copies, Copies::Doubles)
    }

    /// True if a fault is refused, false if it is left out of play.
    #[must_use]
    pub const fn refuses_faults(&self) -> bool {
        matches!(self.faults, Faults::Refused)
    }

    /// True if a round in which both sent nothing is replayed.
    #[must_use]
    pub const fn replays(&self) -> bool {
        matches!(self.both_missing, BothMissing::Replayed)
    }

    /// True if there are items.
    #[must_use]
    pub const fn has_items(&self) -> bool {
        matches!(self.items, Items::Three)
    }

    /// True if a Block's target stays sealed unless the Block acts.
    #[must_use]
    pub const fn seals_targets(&self) -> bool {
        matches!(self.target, TargetSecrecy::SealedUnlessItActs)
    }

    /// Seconds for a submission.
    #[must_use]
    pub const fn clock_seconds(&self) -> u32 {
        match self.clock {
            Clock::Sixty => 60,
            Clock::Ninety => 90,
        }
    }

    /// The notation's word for an action.
    #[must_use]
    pub const fn word(&self, action: Action) -> &'static str {
        match (action, self.words) {
            (Action::Score, _) => "score",
            (Action::Grow, Words::Chips) => "grow",
            (Action::Grow, Words::Gems) => "raise",
            (Action::Claim, _) => "claim",
            (Action::Steal, _) => "steal",
            (Action::Block, _) => "block",
        }
    }

    /// An action's name for people.
    #[must_use]
    pub const fn name(&self, action: Action) -> &'static str {
        match (action, self.words) {
            (Action::Score, _) => "Score",
            (Action::Grow, Words::Chips) => "Grow",
            (Action::Grow, Words::Gems) => "Raise",
            (Action::Claim, _) => "Claim",
            (Action::Steal, _) => "Steal",
            (Action::Block, _) => "Block",
        }
    }

    /// An action's letter, distinct among the five: T is Steal, because S is Score.
    #[must_use]
    pub const fn letters(&self, action: Action) -> &'static str {
        match (action, self.words) {
            (Action::Score, _) => "S",
            (Action::Grow, Words::Chips) => "G",
            (Action::Grow, Words::Gems) => "R",
            (Action::Claim, _) => "C",
            (Action::Steal, _) => "T",
            (Action::Block, _) => "B",
        }
    }

    /// "chip" or "gem".
    #[must_use]
    pub const fn chip(&self) -> &'static str {
        match self.words {
            Words::Chips => "chip",
            Words::Gems => "gem",
        }
    }

    /// Chips or gems.
    #[must_use]
    pub const fn chips_unit(&self) -> Unit {
        match self.words {
            Words::Chips => Unit::CHIPS,
            Words::Gems => Unit { one: Word::Static("gem"), many: Word::Static("gems") },
        }
    }

    /// "Chips" or "Gems".
    #[must_use]
    pub const fn chips_title(&self) -> &'static str {
        match self.words {
            Words::Chips => "Chips",
            Words::Gems => "Gems",
        }
    }

    /// "light" or "torch", and the plural with a capital.
    #[must_use]
    pub const fn light(&self) -> (&'static str, &'static str) {
        match self.words {
            Words::Chips => ("light", "Lights"),
            Words::Gems => ("torch", "Torches"),
        }
    }

    /// Every option by name.
    #[must_use]
    pub fn options(&self) -> [(&'static str, &'static str); 10] {
        [
            ("picks", self.picks.word()),
            ("copies", self.copies.word()),
            ("faults", self.faults.word()),
            ("both-missing", self.both_missing.word()),
            ("last-round", self.last_round.word()),
            ("tie", self.tie.word()),
            ("items", self.items.word()),
            ("target", self.target.word()),
            ("clock", self.clock.word()),
            ("words", self.words.word()),
        ]
    }
}
