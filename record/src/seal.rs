//! Seals: what they hold, how much they say of whose they are, and which steps use them.

use engine::Party;
use ledger::{By, DecisionId, Hash, Moment, Seq};

use crate::body::SubmitSignature;

/// A seal, for good.
#[derive(Clone, Debug)]
pub struct SealRecord {
    /// The entry.
    pub entry: Seq,
    /// Who made the entry.
    pub by: By,
    /// When it entered.
    pub at: Moment,
    /// When the submission came; none for a draw, and for a value that a correction brought.
    pub came: Option<Moment>,
    /// The decision that its message names.
    pub decision: DecisionId,
    /// Who sealed.
    pub whose: Party,
    /// The entry that asked; none for a draw, and for a value that a correction brought.
    pub asked: Option<Seq>,
    /// Its leaf hash, which the message names; zeros where no entry asked.
    pub leaf: Hash,
    /// The fields, in the order of the commitments.
    pub fields: Vec<ledger::Field>,
    /// The commitments.
    pub commitments: Vec<ledger::Commitment>,
    /// The seat's signature, where there is one.
    pub signature: Option<SubmitSignature>,
    /// How much it says of whose it is; none for a draw, and for a value that a correction brought.
    pub grade: Option<SealGrade>,
    /// The deadline that it missed: it was typed by the umpire, and sent later than that.
    pub missed: Option<Moment>,
    /// For each field, the entry that opened it.
    pub opened_by: Vec<Option<Seq>>,
}

/// How much a seal says of whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SealGrade {
    /// The umpire typed it: it has not changed since, and whose it is rests on the umpire.
    Umpire,
    /// The player sent it, and the server sealed it: it rests on the server.
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

/// Which commitment stands behind a value of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SealUse {
    /// Whose value.
    pub whose: Party,
    /// Which field.
    pub field: ledger::Field,
    /// The entry that holds the commitment.
    pub entry: Seq,
    /// Its name there.
    pub name: ledger::Field,
}
