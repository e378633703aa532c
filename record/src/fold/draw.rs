//! Draws of the host.

use engine::{Party, To};
use ledger::{Author, DrawIndex, Entry, Seq};

use super::Fold;
use super::step::Line;
use crate::body::{DrawSource, Drawn};
use crate::history::{History, StepSource};
use crate::rule::Rule;
use crate::seal::SealUse;
use crate::seed::{DrawRecord, Numbers};
use crate::share::SHARE;

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
        if self.history.closed_at.is_none() && !asks.iter().any(|ask| (&*ask.what, ask.to) == answered) {
            let due = asks.iter().filter(|ask| ask.to == To::Host).map(|ask| &*ask.what).collect::<Vec<_>>().join(" ");
            self.fault(Rule::DrawDue, entry.seq, "it draws what the rules ask of the host", &due, &body.purpose);
        }
        let ordinal = self.history.draws_for(&body.purpose);
        if body.ordinal != ordinal {
            self.fault(
                Rule::DrawDue,
                entry.seq,
                "draws for one purpose are counted without gaps",
                &ordinal,
                &body.ordinal,
            );
        }
        if body.step != self.history.next_step() {
            self.fault(
                Rule::StepNumber,
                entry.seq,
                "steps are numbered without gaps",
                &self.history.next_step(),
                &body.step,
            );
        }
        let mut full = Some(body.dmn.clone());
        for field in &fields {
            // The sealed values of a line are in their order.
            let value = self.known.get(&(entry.seq, field.clone()));
            full = full.zip(value).map(|(line, value)| line.replacen('?', value, 1));
        }
        match body.source {
            DrawSource::Umpire => self.typed(entry, &body, ordinal),
            DrawSource::Host => self.host_drew(entry, &body, ordinal, full.as_deref()),
        }
        let seal = |field: ledger::Field| SealUse { whose: Party::Host, name: field.clone(), field, entry: entry.seq };
        let seals = fields.into_iter().map(seal).collect();
        let source = StepSource::Drawn { source: body.source };
        let (what, step) = (body.purpose.clone(), self.history.next_step());
        let drawn = self.history.draws.last().filter(|draw| draw.entry == entry.seq).map(|draw| (step, draw.index));
        self.history.drawn.extend(drawn);
        self.play(entry, Line { what, public: body.dmn, full, seals, digest: body.digest, source });
        self.close(&asks, answered);
    }

    /// Checks a draw that was typed in: its author, and that the host does not draw in this match.
    fn typed(&mut self, entry: &Entry, body: &Drawn, ordinal: u32) {
        if !matches!(entry.by, Author::Umpire(_)) {
            self.fault(Rule::TypedIn, entry.seq, "an umpire enters what was drawn elsewhere", &"an umpire", &entry.by);
        }
        if let Some(index) = self.history.draw_index(&body.purpose, ordinal) {
            let due = format!("draw {index} of the host's");
            self.fault(
                Rule::TypedIn,
                entry.seq,
                "where the host draws, nothing is typed in",
                &due,
                &"a draw that was typed in",
            );
        }
        if body.key.is_some() {
            self.fault(Rule::TypedIn, entry.seq, "what was drawn elsewhere has no key", &"no key", &"a key");
        }
    }

    fn host_drew(&mut self, entry: &Entry, body: &Drawn, ordinal: u32, full: Option<&str>) {
        self.by_host(entry);
        let due = self.history.due_indexes(&body.purpose, ordinal);
        let Some(first) = due.first().copied() else {
            return self.fault(
                Rule::TypedIn,
                entry.seq,
                "the host draws this",
                &"a draw that is typed in",
                &body.purpose,
            );
        };
        let Some(named) = &body.key else {
            return self.fault(Rule::DrawKey, entry.seq, "a draw of the host's names its key", &first, &"none");
        };
        let index = due.into_iter().find(|due| due.0 == named.index).unwrap_or(first);
        if DrawIndex(named.index) != index {
            let what = "a draw's number follows from its purpose and ordinal";
            self.fault(Rule::DrawNumber, entry.seq, what, &index, &named.index);
        }
        let Some(seed) = self.history.seed_of(index) else {
            let what = "it draws from a seed that is still secret";
            return self.fault(Rule::DrawNumber, entry.seq, what, &"a seed made before it", &"none");
        };
        let hidden = !body.seals.is_empty();
        self.follows_round(entry, index);
        if named.key.is_none() && !named.path.0.is_empty() {
            self.fault(
                Rule::DrawKey,
                entry.seq,
                "without its key a draw gives no path",
                &"no hashes",
                &named.path.0.len(),
            );
        }
        let (key, checked) = match (&named.key, hidden) {
            (Some(key), false) => {
                let key = self.under_root(entry.seq, seed, index, key, &named.path);
                let checked = key.is_some() && self.gives(entry.seq, index, key.as_ref(), full);
                (key, checked)
            }
            (None, true) => {
                // Its key opens at the end, and is checked against the root then.
                let later = self.later_keys.get(&entry.seq);
                let later = later.and_then(|opened| ledger::DrawKey::from_hex(&opened.key).ok());
                (None, later.is_some() && self.gives(entry.seq, index, later.as_ref(), full))
            }
            (Some(_), true) => {
                self.fault(Rule::DrawKey, entry.seq, "the key of a hidden draw stays closed", &"no key", &"a key");
                (None, false)
            }
            (None, false) => {
                self.fault(Rule::DrawKey, entry.seq, "an open draw gives its key", &"a key", &"none");
                (None, false)
            }
        };
        let disturbed = self.history.round_of(index).and_then(|round| round.disturbed);
        let basis = self.history.duel().draw_basis().filter(|_| self.history.closed_at.is_none());
        self.history.draws.push(DrawRecord { entry: entry.seq, seed, index, basis, hidden, key, checked, disturbed });
    }

    fn gives(&mut self, entry: Seq, index: DrawIndex, key: Option<&ledger::DrawKey>, full: Option<&str>) -> bool {
        let Some((key, full)) = key.zip(full).filter(|_| self.history.closed_at.is_none()) else { return false };
        let Some(key) = self.history.drawing_key(index, key) else { return false };
        let drawn = self.history.duel().draw(&mut Numbers(key.stream()));
        let drawn = drawn.map_or_else(String::new, |drawn| format!("host: {drawn}"));
        if drawn != full {
            let what = format!("what was drawn is what the key of draw {index} gives");
            self.fault(Rule::DrawGives, entry, &what, &drawn, &full);
        }
        true
    }

    pub(super) fn close(&mut self, asks: &[engine::Ask], answered: (&str, To)) {
        if self.history.closed_at.is_some() {
            // The questions of the state are unknown. Once a value is hidden, a draw moves every game on.
            if answered.1 == To::Host {
                self.history.open.retain(|open| open.asked.what == SHARE);
            }
            return;
        }
        let after = self.history.duel().clone();
        self.history.open.retain(|open| History::stands(open, asks, answered, &after));
    }
}
