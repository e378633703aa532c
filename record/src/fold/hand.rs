//! In whose hand an entry may be. Whoever writes the record could put any name there; but what the rules of the record give
//! to umpires is not found under a player's name, nor what happens by itself.

use ledger::{By, Entry, Kind};

use super::Fold;
use crate::body::Mode;

impl Fold<'_> {
    /// Holds whom an entry is by against its kind. Of the kinds that are left out here, seats and the host have their own
    /// rules, beside what else is held against them.
    pub(super) fn hand(&mut self, entry: &Entry) {
        // A match of the past ends as it is entered.
        let entered = entry.kind == Kind::Ended && self.history.opened.mode == Mode::Imported;
        let umpire = matches!(entry.by, By::Umpire(_)) || entered && entry.by == By::Server;
        match entry.kind {
            Kind::Opened | Kind::Imported | Kind::Ruled | Kind::Noted | Kind::Struck | Kind::Ended if !umpire => {
                let what = format!("only an umpire enters what is {}", entry.kind);
                self.fault(7, entry.seq, &what, &"an umpire", &entry.by);
            }
            Kind::Asked | Kind::Resolved | Kind::Unsealed if matches!(entry.by, By::P1 | By::P2) => {
                let what = format!("no player enters what is {}", entry.kind);
                self.fault(7, entry.seq, &what, &"an umpire, or what happens by itself", &entry.by);
            }
            _ => {}
        }
    }
}
