//! Players' objections, and their answers.

use engine::Seat;
use ledger::{Author, Entry, Seq};

use super::{Fold, remark};
use crate::body::Objected;
use crate::history::Remark;
use crate::objection::Objection;
use crate::rule::Rule;

impl Fold<'_> {
    pub(super) fn objected(&mut self, entry: &Entry, body: &Objected) {
        let text = self.word(entry.seq, "text", body.text);
        let seat = match entry.by {
            Author::P1 => Seat::P1,
            Author::P2 => Seat::P2,
            ref other => {
                return self.fault(Rule::Objects, entry.seq, "players object, and nobody for them", &"p1 or p2", other);
            }
        };
        let at = usize::try_from(body.step).ok().and_then(|step| step.checked_sub(1));
        let step = at.and_then(|at| self.history.steps.get(at));
        if step.is_none_or(|step| !step.is_of(seat)) {
            let what = "a player objects to a step of their own that counts";
            return self.fault(Rule::Objects, entry.seq, what, &"such a step", &body.step);
        }
        self.remark(entry, Remark { objects: Some((seat, body.step)), ..remark(entry, text.clone()) });
        let (entry, at, step) = (entry.seq, entry.at, body.step);
        self.history.objections.push(Objection { entry, at, seat, step, text, answered: None });
    }

    pub(super) fn answered(&mut self, entry: &Entry, named: u32) {
        let open = |one: &&mut Objection| one.entry == Seq(named) && one.answered.is_none();
        match self.history.objections.iter_mut().find(open) {
            Some(objection) => objection.answered = Some(entry.seq),
            None => self.fault(
                Rule::Answers,
                entry.seq,
                "it answers an objection that is not there",
                &"an open one",
                &named,
            ),
        }
    }

    pub(super) fn struck_from(&mut self, entry: &Entry, from: u32, corrected: bool) {
        let meant = |one: &&mut Objection| {
            one.answered.is_none() && if corrected { one.step == from } else { one.step >= from }
        };
        self.history.objections.iter_mut().filter(meant).for_each(|one| one.answered = Some(entry.seq));
    }
}
