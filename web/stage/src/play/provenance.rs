//! Who sent a seat's line in a step: a correction of one seat's line says nothing about the other seat's.

use app::recorder::LateInput;
use app::views::VisibleMatch;
use engine::{Party, Seat};
use ledger::DecisionId;
use record::{History, SealGrade, StepRecord, StepSource};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Provenance {
    /// The player, in time; or nobody says otherwise.
    Sent,
    SentLate,
    Typed,
}

impl Provenance {
    pub(super) fn of(shown: &VisibleMatch<'_>, late: &[LateInput], step: &StepRecord, seat: Seat) -> Self {
        let history = shown.history;
        // Through corrections that kept the line, back to the step in which it was sent or typed.
        let mut origin = step;
        while let Some(before) = corrected_step(history, origin).filter(|before| keeps(shown, before, origin, seat)) {
            origin = before;
        }
        match &origin.source {
            StepSource::Decision(decision) if is_typed(history, decision, seat) => {
                let admits = history.admitted(decision, seat).is_some();
                let typed = late.iter().any(|one| is_for(one, decision, seat) && !one.is_of_player());
                let sent = late.iter().any(|one| is_for(one, decision, seat) && one.is_of_player());
                if admits && sent && !typed { Self::SentLate } else { Self::Typed }
            }
            StepSource::Correction { .. } => {
                let line = shown.seat_line(origin, seat);
                let came = |one: &LateInput, decision: &DecisionId| {
                    is_for(one, decision, seat) && one.is_of_player() && line == Some(one.text().trim())
                };
                let decision = decision_of(history, origin);
                let sent = decision.is_some_and(|decision| late.iter().any(|one| came(one, decision)));
                if sent { Self::SentLate } else { Self::Typed }
            }
            _ => Self::Sent,
        }
    }

    pub(super) const fn words(self) -> Option<&'static str> {
        match self {
            Self::Sent => None,
            Self::SentLate => Some("sent late, admitted by the umpire"),
            Self::Typed => Some("typed by the umpire"),
        }
    }
}

fn is_for(late: &LateInput, decision: &DecisionId, seat: Seat) -> bool {
    late.decision == *decision && late.seat == seat
}

fn corrected_step<'h>(history: &'h History, step: &StepRecord) -> Option<&'h StepRecord> {
    if !matches!(step.source, StepSource::Correction { .. }) {
        return None;
    }
    // The steps of a correction are in its entry.
    let strike = history.strikes.iter().find(|one| one.entry == step.entry)?;
    strike.struck.iter().find(|struck| struck.number == step.number)
}

fn keeps(shown: &VisibleMatch<'_>, before: &StepRecord, step: &StepRecord, seat: Seat) -> bool {
    let seals = |step: &StepRecord| -> Vec<_> {
        step.seals.iter().filter(|seal| seal.whose == Party::Seat(seat)).cloned().collect()
    };
    let line = shown.seat_line(step, seat);
    let sealed = line.is_some_and(|line| line.contains('?'));
    line == shown.seat_line(before, seat) && (!sealed || seals(before) == seals(step))
}

fn decision_of<'h>(history: &'h History, mut step: &'h StepRecord) -> Option<&'h DecisionId> {
    while let Some(before) = corrected_step(history, step) {
        step = before;
    }
    match &step.source {
        StepSource::Decision(decision) => Some(decision),
        _ => None,
    }
}

fn is_typed(history: &History, decision: &DecisionId, seat: Seat) -> bool {
    let own = |seal: &&record::SealRecord| seal.decision == *decision && seal.whose == Party::Seat(seat);
    history.seals.iter().rfind(own).is_some_and(|seal| seal.grade == Some(SealGrade::Umpire))
}
