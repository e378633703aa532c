//! The options in which the hostings differ. Each is read in one function.

/// A ruleset as data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// What becomes of a selection that is not available.
    pub unavailable: Unavailable,
    /// What becomes of a claim into a full hand.
    pub full_hand: FullHand,
    /// What becomes of the last available card.
    pub last_card: LastCard,
    /// Whether rounds in which both passed end the match.
    pub double_passes: DoublePasses,
    /// Whether the match ends when all hands are full.
    pub full_hands: FullHands,
}

/// What becomes of a selection that is not available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// It counts as a pass.
    Pass,
    /// It is illegal and may be sent again.
    Refused,
}

/// What becomes of a claim into a full hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullHand {
    /// It counts as a discard.
    Discard,
    /// It is illegal and may be sent again.
    Refused,
}

/// What becomes of the last available card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LastCard {
    /// It is not played: the match ends before it.
    Unplayed,
    /// It is played like any other.
    Played,
}

/// Whether rounds in which both passed end the match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DoublePasses {
    /// Three in a row do.
    EndAtThree,
    /// However many do not.
    EndNothing,
}

/// Whether the match ends when all hands are full.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FullHands {
    /// It goes on.
    PlayOn,
    /// It ends.
    End,
}

impl Rules {
    /// Whether a selection that is not available counts as a pass, rather than being refused.
    #[must_use]
    pub const fn passes_unavailable(&self) -> bool {
        matches!(self.unavailable, Unavailable::Pass)
    }

    /// Whether a claim into a full hand counts as a discard, rather than being refused.
    #[must_use]
    pub const fn discards_into_full(&self) -> bool {
        matches!(self.full_hand, FullHand::Discard)
    }

    /// How many available cards are too few for another round.
    #[must_use]
    pub const fn too_few_cards(&self) -> u32 {
        match self.last_card {
            LastCard::Unplayed => 1,
            LastCard::Played => 0,
        }
    }

    /// How many rounds in a row in which both passed end the match; none where they end nothing.
    #[must_use]
    pub const fn passes_that_end(&self) -> Option<u32> {
        match self.double_passes {
            DoublePasses::EndAtThree => Some(3),
            DoublePasses::EndNothing => None,
        }
    }

    /// Whether the match ends when all six hands are full.
    #[must_use]
    pub const fn ends_when_full(&self) -> bool {
        matches!(self.full_hands, FullHands::End)
    }

    /// Every option with its value.
    #[must_use]
    pub const fn options(&self) -> [(&'static str, &'static str); 5] {
        [
            (
                "unavailable",
                match self.unavailable {
                    Unavailable::Pass => "pass",
                    Unavailable::Refused => "refused",
                },
            ),
            (
                "full-hand",
                match self.full_hand {
                    FullHand::Discard => "discard",
                    FullHand::Refused => "refused",
                },
            ),
            (
                "last-card",
                match self.last_card {
                    LastCard::Unplayed => "unplayed",
                    LastCard::Played => "played",
                },
            ),
            (
                "double-passes",
                match self.double_passes {
                    DoublePasses::EndAtThree => "end-at-three",
                    DoublePasses::EndNothing => "end-nothing",
                },
            ),
            (
                "full-hands",
                match self.full_hands {
                    FullHands::PlayOn => "play-on",
                    FullHands::End => "end",
                },
            ),
        ]
    }
}
