//! The options in which the hostings differ. Each is read in one function.

use crate::rule_option_macro::rule_option;

/// A ruleset as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The treatment of a selection that is not available.
    pub unavailable: Unavailable,
    /// The treatment of a claim into a full hand.
    pub full_hand: FullHand,
    /// The treatment of the last available card.
    pub last_card: LastCard,
    /// The effect of rounds in which both passed.
    pub double_passes: DoublePasses,
    /// The effect of full hands.
    pub full_hands: FullHands,
}

rule_option! {
    /// The treatment of a selection that is not available.
    Unavailable {
        /// It counts as a pass.
        Pass = "pass",
        /// It is illegal and may be sent again.
        Refused = "refused",
    }
}

rule_option! {
    /// The treatment of a claim into a full hand.
    FullHand {
        /// It counts as a discard.
        Discard = "discard",
        /// It is illegal and may be sent again.
        Refused = "refused",
    }
}

rule_option! {
    /// The treatment of the last available card.
    LastCard {
        /// It is not played: the match ends before it.
        Unplayed = "unplayed",
        /// It is played like any other.
        Played = "played",
    }
}

rule_option! {
    /// The effect of rounds in which both passed.
    DoublePasses {
        /// Three in a row end the match.
        EndAtThree = "end-at-three",
        /// No number of them ends the match.
        EndNothing = "end-nothing",
    }
}

rule_option! {
    /// The effect of full hands.
    FullHands {
        /// The match goes on.
        PlayOn = "play-on",
        /// The match ends.
        End = "end",
    }
}

impl Rules {
    /// True if a selection that is not available counts as a pass; false if it is refused.
    #[must_use]
    pub const fn passes_unavailable(&self) -> bool {
        matches!(self.unavailable, Unavailable::Pass)
    }

    /// True if a claim into a full hand counts as a discard; false if it is refused.
    #[must_use]
    pub const fn discards_into_full(&self) -> bool {
        matches!(self.full_hand, FullHand::Discard)
    }

    /// The number of available cards that is too small for another round.
    #[must_use]
    pub const fn too_few_cards(&self) -> u32 {
        match self.last_card {
            LastCard::Unplayed => 1,
            LastCard::Played => 0,
        }
    }

    /// The number of rounds in a row in which both passed that ends the match; none if they never do.
    #[must_use]
    pub const fn passes_that_end(&self) -> Option<u32> {
        match self.double_passes {
            DoublePasses::EndAtThree => Some(3),
            DoublePasses::EndNothing => None,
        }
    }

    /// True if the match ends when all six hands are full.
    #[must_use]
    pub const fn ends_when_full(&self) -> bool {
        matches!(self.full_hands, FullHands::End)
    }

    /// Every option with its value.
    #[must_use]
    pub const fn options(&self) -> [(&'static str, &'static str); 5] {
        [
            ("unavailable", self.unavailable.word()),
            ("full-hand", self.full_hand.word()),
            ("last-card", self.last_card.word()),
            ("double-passes", self.double_passes.word()),
            ("full-hands", self.full_hands.word()),
        ]
    }
}
