//! The allowed authors of an entry. The record's writer could put any name there; but an umpire's or an automatic entry
//! under a player's name is a fault.

use ledger::{Author, Entry, Kind};

use super::Fold;
use crate::body::Mode;
use crate::rule::Rule;

impl Fold<'_> {
    /// Checks the author of an entry against its kind. For the kinds left out here, seats and the host have other
    /// rules, checked elsewhere.
    pub(super) fn check_author(&mut self, entry: &Entry) {
        // A match of the past ends when it is entered.
        let entered = entry.kind == Kind::Ended && self.history.opened.mode == Mode::Imported;
        let umpire = matches!(entry.by, Author::Umpire(_)) || entered && entry.by == Author::Server;
        match entry.kind {
            Kind::Opened
            | Kind::Imported
            | Kind::Announced
            | Kind::Ruled
            | Kind::Noted
            | Kind::Struck
            | Kind::Ended
                if !umpire =>
            {
                let what = format!("only an umpire enters what is {}", entry.kind);
                self.fault(Rule::Author, entry.seq, &what, &"an umpire", &entry.by);
            }
            Kind::Asked | Kind::Resolved | Kind::Unsealed if matches!(entry.by, Author::P1 | Author::P2) => {
                let what = format!("no player enters what is {}", entry.kind);
                self.fault(Rule::Author, entry.seq, &what, &"an umpire, or what happens by itself", &entry.by);
            }
            _ => {}
        }
    }
}
