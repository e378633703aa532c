//! What is fixed before the first step.

use alloc::string::String;
use alloc::vec::Vec;

use crate::{BySeat, Seat};

/// A match before its first step, as its tags or its record say it. Names, event and date are not the engine's business.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The ruleset's id, such as `five-card-trick/dm-colosseum-2`.
    pub ruleset: String,
    /// Options that differ from the ruleset's own, name and value.
    pub options: Vec<(String, String)>,
    /// The Death Match Opponent's seat; the other is the Elimination Candidate's.
    pub dmo: Option<Seat>,
    /// The items that each seat received, where the ruleset has items.
    pub items: BySeat<Vec<String>>,
}

/// Why a match cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetupError {
    /// No such ruleset.
    #[error("no ruleset is called \"{id}\"; {hint}")]
    UnknownRuleset {
        /// The id that was given.
        id: String,
        /// The ids there are, a clause of its own.
        hint: String,
    },
    /// The ruleset has no such option, or the option no such value.
    #[error("{ruleset} has no option \"{option}\"{known}")]
    UnknownOption {
        /// The ruleset's id.
        ruleset: &'static str,
        /// As it was given, `name=value`.
        option: String,
        /// What it has instead, a clause of its own; may be empty.
        known: String,
    },
    /// A tie may go to the DMO, so that the match must say who that is.
    #[error("{0} gives the DMO a right, so the match must say which seat is the DMO (p1 or p2)")]
    NoDmo(&'static str),
    /// The ruleset has no items.
    #[error("{0} has no items")]
    NoItems(&'static str),
    /// The ruleset has no such item.
    #[error("no item is called \"{item}\"; the items are {known}", known = known.join(", "))]
    UnknownItem {
        /// As it was given.
        item: String,
        /// The items there are.
        known: &'static [&'static str],
        /// Whose list it stood in.
        seat: Seat,
    },
    /// Each item exists once.
    #[error("each item exists once, and \"{item}\" is given twice")]
    ItemTwice {
        /// The item.
        item: &'static str,
        /// In whose list it stood the second time.
        seat: Seat,
    },
}
