//! Seals: their content, their grade, and the steps that use them.

use engine::{Party, Seat};
use ledger::{Author, Commitment, DecisionId, Hash, Moment, PlayerKey, Seq, SubmitError, SubmitMessage, TreeSize};

use crate::body::{SeatWord, SubmitSignature};
use crate::history::History;

/// A seal in the record.
#[derive(Clone, Debug)]
pub struct SealRecord {
    /// The entry.
    pub entry: Seq,
    /// The author of the entry.
    pub by: Author,
    /// The time of the entry.
    pub at: Moment,
    /// The time at which the submission came; none for a draw, and for a value that a correction brought.
    pub came: Option<Moment>,
    /// The decision that its message names.
    pub decision: DecisionId,
    /// The party that sealed.
    pub whose: Party,
    /// The entry that asked; none for a draw, and for a value that a correction brought.
    pub asked: Option<Seq>,
    /// Its leaf hash, which the message names; zeros if no entry asked.
    pub leaf: Hash,
    /// The fields, in the order of the commitments.
    pub fields: Vec<ledger::Field>,
    /// The commitments.
    pub commitments: Vec<Commitment>,
    /// The seat's signature, if there is one.
    pub signature: Option<SubmitSignature>,
    /// The grade of its proof of authorship; none for a draw, and for a value that a correction brought.
    pub grade: Option<SealGrade>,
    /// The deadline that it missed: the umpire typed it, and it was sent later.
    pub missed: Option<Moment>,
    /// For each field, the entry that opened it.
    pub opened_by: Vec<Option<Seq>>,
}

/// The strength of a seal as proof of its author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SealGrade {
    /// The umpire typed it. It has not changed since; only the umpire says who sent it.
    Umpire,
    /// The player sent it, and the server sealed it; only the server says so.
    Escrow,
    /// The player signed it with the seat's key.
    Signed,
}

impl SealGrade {
    /// The grade for people.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Umpire => "recorded by the umpire",
            Self::Escrow => "sealed by the server, unsigned",
            Self::Signed => "signed",
        }
    }
}

/// The commitment to a value of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealUse {
    /// The party whose value it is.
    pub whose: Party,
    /// The field.
    pub field: ledger::Field,
    /// The entry that contains the commitment.
    pub entry: Seq,
    /// Its name there.
    pub name: ledger::Field,
}

/// A seat's submission for a decision, with its signature.
#[derive(Clone, Copy, Debug)]
pub struct SignedSubmission<'s> {
    /// The seat.
    pub seat: Seat,
    /// The decision.
    pub decision: &'s DecisionId,
    /// The leaf hash of the question.
    pub asked: Hash,
    /// One for every field, in order.
    pub commitments: &'s [Commitment],
    /// True if the seat called it final.
    pub is_final: bool,
    /// The signature.
    pub signature: SubmitSignature,
}

impl SignedSubmission<'_> {
    /// Checks the signature with a key.
    pub fn check(&self, history: &History, key: &PlayerKey) -> Result<(), SubmitError> {
        let SubmitSignature { submit, tree, signature } = self.signature;
        let message = SubmitMessage {
            origin: &history.origin,
            match_id: history.match_id,
            decision: self.decision,
            seat: SeatWord(self.seat).sealer(),
            commitments: self.commitments,
            submit,
            asked: self.asked,
            seen: (TreeSize(tree.size), tree.root),
            is_final: self.is_final,
        };
        message.check(key, &signature)
    }

    /// True if this key of the seat made the signature.
    #[must_use]
    pub fn is_by(&self, history: &History, key: Option<PlayerKey>) -> bool {
        key.is_some_and(|key| self.check(history, &key).is_ok())
    }
}

impl History {
    /// True if what is sealed under this name is a text.
    pub(crate) fn seals_text(&self, seal: &SealRecord, name: &ledger::Field) -> bool {
        // The name of a seal that a correction brought: step-<step>-<seat>-<field>.
        let field = match seal.asked {
            Some(_) => Some(name.as_str()),
            None => name.as_str().splitn(4, '-').nth(3),
        };
        seal.whose != Party::Host && field.is_some_and(|field| self.ruleset().is_text(field))
    }

    /// The seal of a text; none if another kind of value is sealed there.
    pub(crate) fn text_seal(&self, entry: Seq, name: &ledger::Field) -> Option<Commitment> {
        let seal = self.seals.iter().find(|seal| seal.entry == entry && seal.fields.contains(name))?;
        let at = seal.fields.iter().position(|field| field == name)?;
        seal.commitments.get(at).copied().filter(|_| self.seals_text(seal, name))
    }
}
