//! Keys of seats, and their signatures.

use ledger::{Author, DecisionId, Entry, Hash, Seq};

use super::Fold;
use crate::body::{Key, Mode, ReplacedSubmission, Sealed, SeatWord, SubmitSignature};
use crate::history::SeatKey;
use crate::rule::Rule;
use crate::seal::{SealGrade, SignedSubmission};
use crate::text::CommittedText;
use crate::vouching::{PLAYER, SeatVouching, Vouching};

impl Fold<'_> {
    pub(super) fn key(&mut self, entry: &Entry, body: &Key) {
        let SeatWord(seat) = body.seat;
        if entry.by != by(body.seat) {
            self.fault(Rule::KeyOnce, entry.seq, "a key is registered by its own seat", &seat, &entry.by);
        }
        if self.history.opened.mode != Mode::Live {
            let (what, due) = ("a seat has a key in a live match", "no key");
            self.fault(Rule::KeyOnce, entry.seq, what, &due, &entry.kind);
        }
        if let Some(first) = self.history.keys[seat] {
            // Whoever could exchange it could sign for the seat.
            let what = format!("{seat} has a key already");
            return self.fault(
                Rule::KeyOnce,
                entry.seq,
                &what,
                &format!("the key of entry {}", first.entry),
                &"a second key",
            );
        }
        if let Some(other) = self.history.keys[seat.other()].filter(|other| other.key == body.key) {
            let expected = format!("another key than that of entry {}", other.entry);
            self.fault(Rule::KeyShared, entry.seq, "each seat has a key of its own", &expected, &"the same key");
        }
        if self.history.opened.host_key == body.key.to_string() {
            let what = "a seat has a key of its own";
            self.fault(Rule::KeyShared, entry.seq, what, &"another key than the host's", &"the host's key");
        }
        self.key_came(entry.seq);
        let vouching = self.vouching(entry.seq, body);
        self.history.keys[seat] = Some(SeatKey { entry: entry.seq, at: entry.at, key: body.key, vouching });
    }

    /// The vouching for a key, if its words exist. Who vouches for both seats is no opponent of itself.
    fn vouching(&mut self, entry: Seq, body: &Key) -> SeatVouching {
        let Some(commitment) = body.player else { return SeatVouching::None };
        let CommittedText::Text(text) = self.word(entry, PLAYER, commitment) else { return SeatVouching::Withdrawn };
        match text.parse::<Vouching>() {
            Ok(vouching) => {
                let other = self.history.keys[body.seat.0.other()];
                if let Some(other) = other.filter(|other| other.vouching.is_by(vouching.player)) {
                    let expected = format!("another player than in entry {}", other.entry);
                    self.fault(
                        Rule::PlayerTwice,
                        entry,
                        "one registered player has both seats",
                        &expected,
                        &vouching.player,
                    );
                }
                SeatVouching::Given(vouching)
            }
            Err(why) => {
                self.fault(Rule::Vouching, entry, &why.to_string(), &"a vouching", &text);
                SeatVouching::Withdrawn
            }
        }
    }

    pub(super) fn grade(&mut self, entry: &Entry, sealed: &Sealed, question: Seq, asked: Hash) -> SealGrade {
        let SeatWord(seat) = sealed.seat;
        if self.history.opened.mode != Mode::Live && !matches!(entry.by, Author::Umpire(_)) {
            let what = "in a match that is not live the umpire types, and seals";
            self.fault(Rule::SealAuthor, entry.seq, what, &"an umpire", &entry.by);
        }
        let sent = match &entry.by {
            Author::P1 | Author::P2 if entry.by == by(sealed.seat) => SealGrade::Escrow,
            Author::P1 | Author::P2 | Author::Host | Author::Server => {
                self.fault(
                    Rule::SealAuthor,
                    entry.seq,
                    "a seal is by its own seat, or by the umpire who typed it",
                    &seat,
                    &entry.by,
                );
                SealGrade::Umpire
            }
            Author::Umpire(_) => SealGrade::Umpire,
        };
        let Some(signature) = sealed.signature else {
            // A question before the key may have been answered before it, or at the same moment: no clock can tell.
            let key = self.history.keys[seat].filter(|key| sent == SealGrade::Escrow && question > key.entry);
            if let Some(key) = key.filter(|_| !self.history.has_several_senders(seat)) {
                let what = format!("{seat} has a key, and only what it signs counts");
                let expected = format!("a signature by the key of entry {}", key.entry);
                self.fault(Rule::SignedAfterKey, entry.seq, &what, &expected, &"none");
            }
            return sent;
        };
        let submission = SignedSubmission {
            seat,
            decision: &sealed.decision,
            asked,
            commitments: &sealed.commitments,
            is_final: sealed.is_final,
            signature,
        };
        let holds = self.signature(entry.seq, &submission);
        if holds && sent == SealGrade::Escrow { SealGrade::Signed } else { sent }
    }

    /// Checks the signature of a submission that did not count. A missing one is no fault: the umpire may have typed it,
    /// or another browser of the seat sent it.
    pub(super) fn replaced_signature(&mut self, entry: Seq, replaced: &ReplacedSubmission, asked: Hash) {
        let ReplacedSubmission { seat: SeatWord(seat), decision, commitments, is_final, .. } = replaced;
        if let Some(signature) = replaced.signature {
            let (seat, is_final) = (*seat, *is_final);
            self.signature(entry, &SignedSubmission { seat, decision, asked, commitments, is_final, signature });
        }
    }

    fn signature(&mut self, entry: Seq, submission: &SignedSubmission<'_>) -> bool {
        let Some(key) = self.history.keys[submission.seat] else {
            self.fault(Rule::Signature, entry, "a signature is by the seat's key", &"a key of the seat", &"none");
            return false;
        };
        self.signed_over_question(entry, submission.decision, &submission.signature);
        match submission.check(&self.history, &key.key) {
            Ok(()) => true,
            Err(why) => {
                let expected = format!("a signature by the key of entry {}", key.entry);
                let found = submission.signature.signature;
                self.fault(Rule::Signature, entry, &why.to_string(), &expected, &found);
                false
            }
        }
    }
}

impl Fold<'_> {
    fn signed_over_question(&mut self, entry: Seq, decision: &DecisionId, signature: &SubmitSignature) {
        let applies = !self.history.origin.is_practice();
        let asked = self.history.questions.get(decision).map(|question| question.entry).filter(|_| applies);
        if let Some(asked) = asked.filter(|asked| signature.tree.size <= u64::from(asked.0)) {
            let what = "the tree that a player signed with its submission does not hold the question";
            let due = format!("more than {asked} leaves");
            self.fault(Rule::SignedOverQuestion, entry, what, &due, &signature.tree.size);
        }
    }
}

pub(super) const fn by(seat: SeatWord) -> Author {
    match seat.0 {
        engine::Seat::P1 => Author::P1,
        engine::Seat::P2 => Author::P2,
    }
}
