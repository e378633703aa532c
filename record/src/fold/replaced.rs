//! Submissions that did not count: shown at the end, so that every receipt has its place in the record.

use engine::Party;
use ledger::{Author, Entry, Moment, SealKey, SealMessage, Seq};

use super::Fold;
use crate::body::ReplacedSubmission;
use crate::decision::Question;
use crate::rule::Rule;
use crate::seal::SealRecord;

impl Fold<'_> {
    pub(super) fn replaced(&mut self, entry: &Entry, replaced: ReplacedSubmission) {
        let (at, entry) = (entry.at, entry.seq);
        let Some(Question { leaf: asked, fields, at: asked_at, closes, .. }) =
            self.history.questions.get(&replaced.decision).cloned()
        else {
            let what = "it shows a submission for a decision that was never asked";
            return self.fault(Rule::Replaced, entry, what, &"a decision of the match", &replaced.decision);
        };
        let (seat, number) = (replaced.seat.sealer(), replaced.ordinal);
        let which = format!("submission {number} of {seat} for {}", replaced.decision);
        if replaced.commitments.len() != fields.len() {
            let what = format!("{which} has a seal for every field that was asked");
            self.fault(Rule::SealFields, entry, &what, &fields.len(), &replaced.commitments.len());
        }
        self.replaced_number(entry, &which, &replaced);
        self.replaced_times(entry, at, &replaced, asked_at);
        self.replaced_signature(entry, &replaced, asked);
        if replaced.is_final {
            self.final_answers(entry, closes);
        }
        for commitment in &replaced.commitments {
            if !self.commitments.insert(*commitment) {
                self.fault(
                    Rule::SealTwice,
                    entry,
                    "the same seal is in the match twice",
                    &"a seal of its own",
                    commitment,
                );
            }
        }
        for opening in &replaced.openings {
            let at = fields.iter().position(|field| *field == opening.field);
            let commitment = at.and_then(|at| replaced.commitments.get(at)).copied();
            let message = SealMessage {
                origin: &self.history.origin,
                match_id: self.history.match_id,
                decision: &replaced.decision,
                seat,
                field: &opening.field,
                asked,
                value: &opening.value,
            };
            let opens = SealKey::from_hex(&opening.key).ok().zip(commitment);
            if opens.is_none_or(|(key, commitment)| message.open(&key, &commitment).is_err()) {
                let what = format!("an opening of {which} does not open its seal");
                let found = format!("another seal, for \"{}\"", opening.value);
                self.fault(
                    Rule::Opening,
                    entry,
                    &what,
                    &commitment.map_or("a seal".to_owned(), |seal| seal.to_string()),
                    &found,
                );
            }
        }
        self.history.replaced.push((entry, replaced));
    }

    /// Checks that a number is shown once, and below the one that counted.
    fn replaced_number(&mut self, entry: Seq, which: &str, replaced: &ReplacedSubmission) {
        let (seat, number) = (replaced.seat.sealer(), replaced.ordinal);
        let same = |(_, other): &(_, ReplacedSubmission)| {
            (&other.decision, other.seat, other.ordinal) == (&replaced.decision, replaced.seat, number)
        };
        if self.history.replaced.iter().any(same) {
            let what = format!("{which} is shown once");
            self.fault(Rule::Replaced, entry, &what, &"no other of this number", &number);
        }
        let counted = self.ordinals.get(&(replaced.decision.clone(), seat)).copied();
        if let Some(counted) = counted.filter(|counted| number >= *counted) {
            // The last submission counts, so those that did not count came before it.
            let what = format!("{which} did not count, so it came before the one that did");
            self.fault(Rule::Replaced, entry, &what, &format!("a number below {counted}"), &number);
        }
        if self.defaulted.contains(&(replaced.decision.clone(), seat)) {
            let what = format!("{which} was there, and the default of {seat} is said to have counted");
            self.fault(Rule::Defaulted, entry, &what, &"the last submission counts", &"a default");
        }
    }

    /// It came after its question, before the submission that counted, and before it entered.
    fn replaced_times(&mut self, entry: Seq, at: Moment, replaced: &ReplacedSubmission, asked_at: Moment) {
        let (seat, came) = (replaced.seat.sealer(), replaced.came);
        let which = format!("submission {} of {seat} for {}", replaced.ordinal, replaced.decision);
        let of = |seal: &&SealRecord| seal.decision == replaced.decision && seal.whose == Party::Seat(replaced.seat.0);
        // What an umpire typed says when the player sent it, which the server did not see.
        let by_seat = |seal: &&SealRecord| !matches!(seal.by, Author::Umpire(_));
        let counted = self.history.seals.iter().find(of).filter(by_seat).and_then(|seal| seal.came);
        if came < asked_at {
            self.fault(Rule::CameAfterQuestion, entry, &format!("{which} came after its question"), &asked_at, &came);
        }
        if let Some(counted) = counted.filter(|counted| came > *counted) {
            self.fault(
                Rule::ReplacedBefore,
                entry,
                &format!("{which} came before the one that counted"),
                &counted,
                &came,
            );
        }
        if came > at {
            self.fault(Rule::CameBeforeEntry, entry, &format!("{which} came before it entered the record"), &at, &came);
        }
    }
}
