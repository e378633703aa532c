//! Questions that may close early: what the opening says, which answers are called final, and what closed early for it.

use ledger::{Author, Entry, Seq};

use super::Fold;
use super::signed::by;
use crate::body::{Closing, Mode, Sealed, SeatWord};
use crate::clock::{ClockState, between};
use crate::decision::OpenDecision;
use crate::early_close::{FinalClose, TimeLeft};
use crate::rule::Rule;

impl Fold<'_> {
    pub(super) fn opened_early(&mut self, first: &Entry) {
        let opened = &self.history.opened;
        let may = opened.mode == Mode::Live && opened.clocks == Some(true);
        if opened.early && !may {
            let what = "questions may close early only in a live match with clocks";
            self.fault(Rule::EarlyStated, first.seq, what, &"nothing", &true);
        }
    }

    pub(super) fn called_final(&mut self, entry: &Entry, sealed: &Sealed, closes: Closing) {
        if !sealed.is_final {
            return;
        }
        if entry.by != by(sealed.seat) {
            let what = "only a seat calls its own answer final";
            self.fault(Rule::CalledFinal, entry.seq, what, &sealed.seat.0, &entry.by);
        }
        self.final_answers(entry.seq, closes);
    }

    pub(super) fn final_answers(&mut self, entry: Seq, closes: Closing) {
        if closes != Closing::AllIn {
            let what = "an answer is called final only where its question may close early";
            self.fault(Rule::CalledFinal, entry, what, &"nothing", &"final");
        }
    }

    pub(super) fn closed_by_finals(&mut self, entry: &Entry, open: &OpenDecision) {
        if open.asked.closes != Closing::AllIn || matches!(entry.by, Author::Umpire(_)) {
            return;
        }
        let Some(state) = self.history.clock(&open.asked.decision).map(|clock| clock.state) else { return };
        let (closed, at) = self.closed(entry, open);
        let left = match state {
            ClockState::Running { deadline } if at >= deadline => return,
            ClockState::Running { deadline } => TimeLeft::Time(between(at, deadline)),
            ClockState::Waiting => TimeLeft::NotBegun,
            ClockState::Paused { .. } => TimeLeft::Stopped,
        };
        let is_final = |seat: &SeatWord| open.sealed.iter().any(|(_, sealed)| sealed.seat == *seat && sealed.is_final);
        if let Some(seat) = open.asked.seats.iter().find(|seat| !is_final(seat)) {
            let what = format!("it was closed before its deadline, and {} had not called its answer final", seat.0);
            return self.fault(Rule::AllFinal, closed, &what, &"final answers of all seats that are asked", &at);
        }
        let (decision, what) = (open.asked.decision.clone(), open.asked.what.clone());
        self.history.final_closes.push(FinalClose { entry: closed, decision, what, left });
    }
}
