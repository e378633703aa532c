//! Which question a step answered, and what each seat sent.

use engine::{BySeat, Duel, Seat, To};
use record::StepRecord;

use super::Shown;

/// The answer that a step is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answered {
    /// The question's word, such as `round`.
    pub(crate) what: &'static str,
    /// What each seat sent, in the notation; none of a seat that was not asked.
    pub(crate) sent: BySeat<Option<String>>,
}

impl Answered {
    /// The answer of a step before which the match stood like this; none where the host drew or an umpire decided.
    pub(crate) fn of(shown: &Shown<'_>, before: &Duel, step: &StepRecord) -> Option<Self> {
        let sent = BySeat::from_fn(|seat| shown.sent(step, seat).map(str::to_owned));
        let to = match (&sent.p1, &sent.p2) {
            (Some(_), Some(_)) => To::Both,
            (Some(_), None) => To::One(Seat::P1),
            (None, Some(_)) => To::One(Seat::P2),
            (None, None) => return None,
        };
        let asks = before.asks();
        // In a match of the past nothing says which question a step answered: the last that fits carries the game on.
        let fits = asks.iter().rev().find(|ask| ask.to == to || (ask.to == To::Both && to != To::Both))?;
        let named = asks.iter().find(|ask| ask.what == step.what);
        Some(Self { what: named.unwrap_or(fits).what, sent })
    }

    /// What kinds of moves they are, without cards and amounts.
    pub(crate) fn kinds(&self, before: &Duel) -> BySeat<Option<String>> {
        BySeat::from_fn(|seat| self.sent[seat].as_deref().map(|sent| before.kind(sent)))
    }
}
