//! A player's "this is not what I sent", and its answer.

use engine::Seat;
use ledger::{Moment, Seq};

use crate::history::History;
use crate::text::CommittedText;

/// An objection of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// The entry.
    pub entry: Seq,
    /// The time.
    pub at: Moment,
    /// The seat that objects.
    pub seat: Seat,
    /// The step.
    pub step: u32,
    /// The player's words.
    pub text: CommittedText,
    /// The entry that answers it: a ruling that names it, or a strike or correction of the step.
    pub answered: Option<Seq>,
}

impl History {
    /// The objections that wait for a ruling, oldest first.
    pub fn open_objections(&self) -> impl Iterator<Item = &Objection> {
        self.objections.iter().filter(|objection| objection.answered.is_none())
    }
}
