//! The smallest thing that the engine folds.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use crate::effect::event;
use crate::{BySeat, Effect, Seat, Verdict};

/// A step of a game whose seats send `M` and whose host draws `D`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<M, D> {
    /// Both seats' submissions of one simultaneous phase.
    Both(BySeat<M>),
    /// One seat's choice, if only that seat is asked.
    One(Seat, M),
    /// A deal, an offer, a placement by the host.
    Host(D),
    /// The umpire's word on what became of the answers, canonically: `says` and its acts.
    Says(String),
    /// An umpire's recorded decision.
    Umpire(ResultRuling),
}

/// An umpire's ruling on the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultRuling {
    /// The verdict from now on.
    pub verdict: Verdict,
    /// The reason, in free text without line breaks; never empty.
    pub reason: String,
}

/// A draw of a game whose host draws nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoDraw {}

impl ResultRuling {
    /// A decision with its reason, white space folded.
    ///
    /// # Errors
    /// A sentence, if the reason is empty or holds a `#` outside quotes (the notation would read a comment).
    pub fn new(verdict: Verdict, reason: &str) -> Result<Self, &'static str> {
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        if reason.is_empty() {
            return Err("a decision needs its reason in a few words");
        }
        if crate::dmn::without_comment(&reason).len() < reason.len() {
            return Err("a # starts a comment in the notation: leave it out of the reason, or put it in quotes");
        }
        Ok(Self { verdict, reason })
    }

    pub(crate) fn effect(&self) -> Effect {
        let verdict = match self.verdict {
            Verdict::Won(seat) => alloc::format!("{} wins", seat.name()),
            Verdict::Undecided => "the match is left undecided".into(),
            Verdict::Void => "the match does not count".into(),
        };
        let text = alloc::format!("The umpire decided: {verdict}. Reason: {}.", self.reason.trim_end_matches('.'));
        event(None, "0.5", text)
    }
}

impl fmt::Display for ResultRuling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "umpire: result {} {}", self.verdict.word(), self.reason)
    }
}
