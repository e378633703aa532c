//! The question that a step answered, and the line that each seat sent.

use engine::{BySeat, Duel, Seat, To, Word};
use record::StepRecord;

use super::VisibleMatch;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepAnswer {
    pub what: Word,
    pub sent: BySeat<Option<String>>,
}

impl StepAnswer {
    #[must_use]
    pub fn of(visible: &VisibleMatch<'_>, before: &Duel, step: &StepRecord) -> Option<Self> {
        let sent = BySeat::from_fn(|seat| visible.seat_line(step, seat).map(str::to_owned));
        let to = match (&sent.p1, &sent.p2) {
            (Some(_), Some(_)) => To::Both,
            (Some(_), None) => To::One(Seat::P1),
            (None, Some(_)) => To::One(Seat::P2),
            (None, None) => return None,
        };
        let asks = before.asks();
        // An imported match does not record which question a step answered: the last one that fits continues the game.
        let fits = asks.iter().rev().find(|ask| ask.to == to || (ask.to == To::Both && to != To::Both))?;
        let named = asks.iter().find(|ask| ask.what == *step.what);
        Some(Self { what: named.unwrap_or(fits).what.clone(), sent })
    }

    #[must_use]
    pub fn kinds(&self, before: &Duel) -> BySeat<Option<String>> {
        BySeat::from_fn(|seat| self.sent[seat].as_deref().map(|sent| before.kind(sent)))
    }
}
