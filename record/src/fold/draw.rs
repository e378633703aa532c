//! Draws of the host's.

use engine::{Party, To};
use ledger::Entry;

use super::Fold;
use super::step::Line;
use crate::body::Drawn;
use crate::history::{History, SealUse, StepSource};

impl Fold<'_> {
    pub(super) fn drawn(&mut self, entry: &Entry, body: Drawn) {
        let fields: Vec<_> = body.seals.iter().map(|seal| seal.field.clone()).collect();
        if !fields.is_empty() {
            let commitments = body.seals.iter().map(|seal| seal.commitment).collect();
            self.unasked(entry, Party::Host, fields.clone(), commitments);
        }
        for opening in &body.openings {
            self.opening(entry.seq, opening);
        }
        let asks = self.history.duel().asks();
        let answered = (body.purpose.as_str(), To::Host);
        if self.history.closed_at.is_none() && !asks.iter().any(|ask| (ask.what, ask.to) == answered) {
            let due = asks.iter().filter(|ask| ask.to == To::Host).map(|ask| ask.what).collect::<Vec<_>>().join(" ");
            self.fault(5, entry.seq, "it draws what the rules ask of the host", &due, &body.purpose);
        }
        let ordinal = self.history.draws_for(&body.purpose);
        if body.ordinal != ordinal {
            self.fault(5, entry.seq, "draws for one purpose are counted without gaps", &ordinal, &body.ordinal);
        }
        if body.step != self.history.next_step() {
            self.fault(6, entry.seq, "steps are numbered without gaps", &self.history.next_step(), &body.step);
        }
        let mut full = Some(body.dmn.clone());
        for field in &fields {
            // The sealed values of a line stand in it in their order.
            let value = self.known.get(&(entry.seq, field.clone()));
            full = full.zip(value).map(|(line, value)| line.replacen('?', value, 1));
        }
        let seal = |field: ledger::Field| SealUse { whose: Party::Host, name: field.clone(), field, entry: entry.seq };
        let seals = fields.into_iter().map(seal).collect();
        let source = StepSource::Drawn { source: body.source };
        let what = body.purpose.clone();
        self.play(entry, Line { what, public: body.dmn, full, seals, digest: body.digest, source });
        self.close(&asks, answered);
    }

    /// Closes the decisions that an answer to one of these questions closes.
    pub(super) fn close(&mut self, asks: &[engine::Ask], answered: (&str, To)) {
        if self.history.closed_at.is_some() {
            // What the state asks now is not known. Once something is hidden, a draw carries every game on.
            if answered.1 == To::Host {
                self.history.open.clear();
            }
            return;
        }
        let after = self.history.duel().clone();
        self.history.open.retain(|open| History::stands(open, asks, answered, &after));
    }
}
