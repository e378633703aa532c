//! Seals and their openings.

use engine::Party;
use ledger::{Author, Commitment, Entry, Field, Hash, Moment, SealKey, SealMessage, Seq};

use super::Fold;
use crate::body::{Mode, Opening, PartyWord, Sealed};
use crate::private_openings::Secret;
use crate::rule::Rule;
use crate::seal::SealRecord;
use crate::text::Text;

impl Fold<'_> {
    pub(super) fn sealed(&mut self, entry: &Entry, sealed: Sealed) {
        let Some(open) = self.history.open.iter_mut().find(|open| open.asked.decision == sealed.decision) else {
            let what = "it seals for a decision that is not open";
            return self.fault(Rule::SealAsked, entry.seq, what, &"an open decision", &sealed.decision);
        };
        let (asked, asked_at, leaf, fields) = (open.entry, open.at, open.leaf, open.asked.fields.clone());
        let closes = open.asked.closes;
        let due = sealed.commitments.len();
        let is_asked = open.asked.seats.contains(&sealed.seat);
        let again = open.sealed.iter().any(|(_, other)| other.seat == sealed.seat);
        open.sealed.push((entry.seq, sealed.clone()));
        if !is_asked {
            let what = "it seals for a seat that was not asked";
            self.fault(Rule::SealAsked, entry.seq, what, &"a seat that was asked", &sealed.seat.0);
        }
        if again {
            let seat = sealed.seat.0;
            self.fault(
                Rule::SealOnce,
                entry.seq,
                "a seat's counting seals enter once for a decision",
                &"no other seal",
                &seat,
            );
        }
        if due != fields.len() {
            self.fault(
                Rule::SealFields,
                entry.seq,
                "it holds a seal for every field that was asked",
                &fields.len(),
                &due,
            );
        }
        let missed = self.came(entry, &sealed, asked_at);
        self.called_final(entry, &sealed, closes);
        self.ordinals.insert((sealed.decision.clone(), sealed.seat.sealer()), sealed.ordinal);
        let grade = Some(self.grade(entry, &sealed, asked, leaf));
        self.seals(SealRecord {
            entry: entry.seq,
            by: entry.by.clone(),
            at: entry.at,
            came: Some(sealed.came),
            decision: sealed.decision,
            whose: sealed.seat.0.into(),
            asked: Some(asked),
            leaf,
            opened_by: vec![None; fields.len()],
            fields,
            commitments: sealed.commitments,
            signature: sealed.signature,
            grade,
            missed,
        });
    }

    /// Checks the time at which an answer came. Returns the deadline that it missed, if that closed nothing.
    fn came(&mut self, entry: &Entry, sealed: &Sealed, asked_at: Moment) -> Option<Moment> {
        if sealed.came > entry.at {
            self.fault(
                Rule::CameBeforeEntry,
                entry.seq,
                "it came before it entered the record",
                &entry.at,
                &sealed.came,
            );
        }
        if sealed.came < asked_at {
            self.fault(
                Rule::CameAfterQuestion,
                entry.seq,
                "an answer comes after its question",
                &asked_at,
                &sealed.came,
            );
        }
        let deadline = self.history.clock(&sealed.decision).and_then(crate::clock::Clock::deadline);
        let live = self.history.opened.mode == Mode::Live;
        // If the umpire types for a seat, the deadline closes nothing: the umpire closes, and is responsible.
        let typed = live && matches!(entry.by, Author::Umpire(_));
        if let Some(deadline) = deadline.filter(|deadline| !typed && sealed.came > *deadline) {
            self.fault(Rule::CameInTime, entry.seq, "it came after the deadline", &deadline, &sealed.came);
        }
        if let Some(ruling) = self.history.recorded_from.filter(|_| !typed) {
            let what = format!("from the ruling of entry {ruling} on the umpire types for both seats");
            self.fault(Rule::TypingTaken, entry.seq, &what, &"an umpire", &entry.by);
        }
        deadline.filter(|deadline| typed && sealed.came > *deadline)
    }

    pub(super) fn unasked(&mut self, entry: &Entry, whose: Party, fields: Vec<Field>, commitments: Vec<Commitment>) {
        // A word and a number always form a decision's id.
        let Ok(decision) = format!("{}-{}", entry.kind.as_str(), entry.seq.0).parse() else { return };
        self.seals(SealRecord {
            entry: entry.seq,
            by: entry.by.clone(),
            at: entry.at,
            came: None,
            decision,
            whose,
            asked: None,
            leaf: Hash::ZERO,
            opened_by: vec![None; fields.len()],
            fields,
            commitments,
            signature: None,
            grade: None,
            missed: None,
        });
    }

    fn seals(&mut self, seal: SealRecord) {
        for commitment in &seal.commitments {
            if !self.commitments.insert(*commitment) {
                let what = "the same seal is in the match twice";
                self.fault(Rule::SealTwice, seal.entry, what, &"a seal of its own", commitment);
            }
        }
        self.history.seals.push(seal);
    }

    /// Checks one opening against its commitment, before its value is used.
    pub(super) fn opening(&mut self, entry: Seq, opening: &Opening) {
        let place = Seq(opening.entry);
        let Ok(key) = SealKey::from_hex(&opening.key) else {
            return self.fault(
                Rule::Opening,
                entry,
                "an opening has a key of 64 hex digits",
                &"a key",
                &"another text",
            );
        };
        let (origin, match_id) = (self.history.origin.clone(), self.history.match_id);
        let there = self.history.seals.iter_mut().filter(|seal| seal.entry == place).find_map(|seal| {
            let at = seal.fields.iter().position(|field| *field == opening.field)?;
            let commitment = *seal.commitments.get(at)?;
            let again = seal.opened_by.get_mut(at)?.replace(entry);
            let (decision, seat, asked) = (&seal.decision, PartyWord(seal.whose).sealer(), seal.leaf);
            let (field, value) = (&opening.field, opening.value.as_str());
            let message = SealMessage { origin: &origin, match_id, decision, seat, field, asked, value };
            Some((message.open(&key, &commitment).is_ok(), commitment, again))
        });
        match there {
            None => {
                let place = format!("entry {}, {}", place.0, opening.field);
                self.fault(Rule::Opening, entry, "it opens a seal that is not there", &"a seal", &place);
            }
            Some((_, _, Some(first))) => {
                let what = format!("entry {}, {}, is opened once", place.0, opening.field);
                self.fault(Rule::OpenedTwice, entry, &what, &format!("the opening in entry {first} alone"), &"another");
            }
            Some((false, commitment, None)) => {
                let what = format!("the opening of entry {}, {}, does not open its seal", place.0, opening.field);
                self.fault(
                    Rule::Opening,
                    entry,
                    &what,
                    &commitment,
                    &format!("another seal, for \"{}\"", opening.value),
                );
            }
            Some((true, _, None)) => {}
        }
    }
}

impl Secret {
    /// The text that makes it public, where it is one: it can be withdrawn.
    #[must_use]
    pub fn text(&self) -> Text {
        Text { key: self.key.clone(), text: self.value.clone() }
    }

    /// The opening that makes it public.
    #[must_use]
    pub fn opening(&self, entry: Seq, field: Field) -> Opening {
        Opening { entry: entry.0, field, key: self.key.to_hex(), value: self.value.clone() }
    }
}
