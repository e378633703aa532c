//! A player's "this is not what I sent", and whether anybody answered it.

use engine::Seat;
use ledger::{Moment, Seq};

use crate::history::History;
use crate::word::Said;

/// An objection of a player's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// The entry.
    pub entry: Seq,
    /// When.
    pub at: Moment,
    /// Who objects.
    pub seat: Seat,
    /// To which step.
    pub step: u32,
    /// What the player says.
    pub text: Said,
    /// The entry that answers it: a ruling that names it, or what struck or corrected the step.
    pub answered: Option<Seq>,
}

impl History {
    /// The objections that wait for a ruling, oldest first.
    pub fn open_objections(&self) -> impl Iterator<Item = &Objection> {
        self.objections.iter().filter(|objection| objection.answered.is_none())
    }
}
