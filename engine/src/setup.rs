//! The setup of a match: everything that is fixed before the first step.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;

use crate::games::declared::Declaration;
use crate::{BySeat, Seat};

/// A match before its first step, from its tags or its record. The engine does not use names, event and date.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The ruleset's id, such as `five-card-trick/dm-colosseum-2`.
    pub ruleset: String,
    /// Options that differ from the ruleset's own, as name and value.
    pub options: Vec<(String, String)>,
    /// The Death Match Opponent's seat; the other is the Elimination Candidate's.
    pub dmo: Option<Seat>,
    /// The items that each seat received, if the ruleset has items.
    pub items: BySeat<Vec<String>>,
    /// The game that the umpire declares, where that is the ruleset.
    pub declared: Option<Arc<Declaration>>,
}

/// The reason why a match cannot be opened.
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
        /// The options or values that exist instead, as a clause; may be empty.
        known: String,
    },
    /// The ruleset is declared, and nothing is declared.
    #[error("{0} is a game that its umpire declares: say what is asked")]
    NoDeclaration(&'static str),
    /// A game is declared for another ruleset.
    #[error("a game is declared for the ruleset {0} alone")]
    Declared(&'static str),
    /// A tie may go to the DMO, so the match must name the DMO.
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
        /// The seat whose list names it.
        seat: Seat,
    },
    /// Each item exists once.
    #[error("each item exists once, and \"{item}\" is given twice")]
    ItemTwice {
        /// The item.
        item: &'static str,
        /// The seat whose list names it the second time.
        seat: Seat,
    },
}
