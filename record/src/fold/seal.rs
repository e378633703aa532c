//! Seals, and what opens them.

use ledger::{Commitment, DecisionId, Entry, Field, Hash, SealKey, SealMessage, Seq};

use super::Fold;
use crate::body::{Opening, Sealed, Seated};
use crate::history::SealRecord;
use crate::secret::Secret;

impl Fold<'_> {
    pub(super) fn sealed(&mut self, entry: &Entry, sealed: Sealed) {
        let Some(open) = self.history.open.iter_mut().find(|open| open.asked.decision == sealed.decision) else {
            let decision = sealed.decision;
            return self.fault(
                3,
                entry.seq,
                "it seals for a decision that is not open",
                &"an open decision",
                &decision,
            );
        };
        let (asked, leaf, fields) = (open.entry, open.leaf, open.asked.fields.clone());
        let (deadline, due) = (open.asked.deadline, sealed.commitments.len());
        let is_asked = open.asked.seats.contains(&sealed.seat);
        let again = open.sealed.iter().any(|(_, other)| other.seat == sealed.seat);
        open.sealed.push((entry.seq, sealed.clone()));
        if !is_asked {
            self.fault(
                3,
                entry.seq,
                "it seals for a seat that was not asked",
                &"a seat that was asked",
                &sealed.seat.0,
            );
        }
        if again {
            let seat = sealed.seat.0;
            self.fault(3, entry.seq, "a seat's counting seals enter once for a decision", &"no other seal", &seat);
        }
        if due != fields.len() {
            self.fault(3, entry.seq, "it holds a seal for every field that was asked", &fields.len(), &due);
        }
        if sealed.came > entry.at {
            self.fault(4, entry.seq, "it came before it entered the record", &entry.at, &sealed.came);
        }
        if let Some(deadline) = deadline.filter(|deadline| sealed.came > *deadline) {
            self.fault(4, entry.seq, "it came after the deadline", &deadline, &sealed.came);
        }
        for commitment in &sealed.commitments {
            if !self.commitments.insert(*commitment) {
                self.fault(3, entry.seq, "the same seal stands twice in the match", &"a seal of its own", &commitment);
            }
        }
        let opened_by = vec![None; fields.len()];
        let (by, at) = (entry.by.clone(), entry.at);
        self.history.seals.push(SealRecord { entry: entry.seq, by, at, sealed, asked, leaf, fields, opened_by });
    }

    /// Checks one opening against its commitment, before its value means anything.
    pub(super) fn opening(&mut self, entry: Seq, opening: &Opening) {
        let place = Seq(opening.entry);
        let Ok(key) = SealKey::from_hex(&opening.key) else {
            return self.fault(3, entry, "an opening has a key of 64 hex digits", &"a key", &"another text");
        };
        let (origin, match_id) = (self.history.origin.clone(), self.history.match_id);
        let check = |decision: &DecisionId, seat: Seated, asked: Hash, commitment: &Commitment| {
            let (seat, field, value) = (seat.sealer(), &opening.field, opening.value.as_str());
            SealMessage { origin: &origin, match_id, decision, seat, field, asked, value }.open(&key, commitment)
        };
        let opened = if let Some(seal) = self.history.seals.iter_mut().find(|seal| seal.entry == place) {
            let at = seal.fields.iter().position(|field| *field == opening.field);
            let commitment = at.and_then(|at| seal.sealed.commitments.get(at).copied());
            if let Some(opened_by) = at.and_then(|at| seal.opened_by.get_mut(at)) {
                *opened_by = Some(entry);
            }
            commitment
                .map(|commitment| (check(&seal.sealed.decision, seal.sealed.seat, seal.leaf, &commitment), commitment))
        } else {
            let held = self.resealed.get(&(place, opening.field.clone())).copied();
            held.and_then(|(seat, commitment)| {
                let decision = format!("struck-{}", place.0).parse().ok()?;
                Some((check(&decision, seat, Hash::ZERO, &commitment), commitment))
            })
        };
        match opened {
            None => {
                let place = format!("entry {}, {}", place.0, opening.field);
                self.fault(3, entry, "it opens a seal that is not there", &"a seal", &place);
            }
            Some((Err(_), commitment)) => {
                let what = format!("the opening of entry {}, {}, does not open its seal", place.0, opening.field);
                self.fault(3, entry, &what, &commitment, &format!("another seal, for \"{}\"", opening.value));
            }
            Some((Ok(()), _)) => {}
        }
    }
}

impl Secret {
    /// The opening that makes it public.
    #[must_use]
    pub fn opening(&self, entry: Seq, field: Field) -> Opening {
        Opening { entry: entry.0, field, key: self.key.to_hex(), value: self.value.clone() }
    }
}
