//! The outcome of a match: running, or over and why.

use alloc::string::String;

use crate::Seat;

/// A running match, or its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Steps are still accepted.
    Running,
    /// The rules or the umpire ended it.
    Over(Ending),
}

/// The end of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// The winner, if any.
    pub verdict: Verdict,
    /// The rule that ended it.
    pub reason: Reason,
}

/// The result of an ended match for its seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This seat won.
    Won(Seat),
    /// The rules name no winner; an umpire may.
    Undecided,
    /// The match does not count.
    Void,
}

/// The reason for the end of a match: a word of the notation, and a phrase for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The word of the notation, such as `more-chips`.
    pub word: &'static str,
    /// The same in a few words, such as "more chips".
    pub phrase: &'static str,
}

impl Reason {
    /// The umpire decided.
    pub const UMPIRE: Self = Self { word: "umpire", phrase: "the umpire's ruling" };

    /// The loser in a phrase.
    pub const OPPONENT: &'static str = "the opponent";

    /// The phrase after the winner's name: the opponent has a name, too.
    #[must_use]
    pub fn naming(&self, loser: &str) -> String {
        self.phrase.replace(Self::OPPONENT, loser)
    }
}

impl Outcome {
    /// A win under the rules.
    #[must_use]
    pub const fn won(seat: Seat, reason: Reason) -> Self {
        Self::Over(Ending { verdict: Verdict::Won(seat), reason })
    }

    /// An end in which the rules name no winner.
    #[must_use]
    pub const fn undecided(reason: Reason) -> Self {
        Self::Over(Ending { verdict: Verdict::Undecided, reason })
    }

    /// True if the match is over.
    #[must_use]
    pub const fn is_over(&self) -> bool {
        matches!(self, Self::Over(_))
    }

    /// The seat that won, if any.
    #[must_use]
    pub const fn winner(&self) -> Option<Seat> {
        match self {
            Self::Over(ending) => ending.verdict.winner(),
            Self::Running => None,
        }
    }

    /// `won`, `undecided`, `void` or `running`.
    #[must_use]
    pub const fn status(&self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Over(ending) => match ending.verdict {
                Verdict::Won(_) => "won",
                Verdict::Undecided => "undecided",
                Verdict::Void => "void",
            },
        }
    }

    /// The reason's word, empty while the match runs.
    #[must_use]
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Running => "",
            Self::Over(ending) => ending.reason.word,
        }
    }

    /// The value of the tag `Result`: `p1`, `p2`, `undecided`, `void` or `*`.
    #[must_use]
    pub const fn tag(&self) -> &'static str {
        match self {
            Self::Running => "*",
            Self::Over(ending) => ending.verdict.word(),
        }
    }
}

impl Verdict {
    /// The seat that won, if any.
    #[must_use]
    pub const fn winner(self) -> Option<Seat> {
        match self {
            Self::Won(seat) => Some(seat),
            Self::Undecided | Self::Void => None,
        }
    }

    /// The verdict of a word, as [`word`](Self::word) writes it.
    #[must_use]
    pub fn read(word: &str) -> Option<Self> {
        let all = [Self::Won(Seat::P1), Self::Won(Seat::P2), Self::Undecided, Self::Void];
        all.into_iter().find(|verdict| verdict.word() == word)
    }

    /// `p1`, `p2`, `undecided` or `void`.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Won(seat) => seat.word(),
            Self::Undecided => "undecided",
            Self::Void => "void",
        }
    }
}
