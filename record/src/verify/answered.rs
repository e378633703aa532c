//! The trees that players signed with their answers: each holds what it answers, and nothing from after it came.

use super::log_check::{LogCheck, tree_words};
use crate::bundle::{EntryPlaces, LogEvidence, TreeMentions};
use crate::history::Fault;
use crate::rule::Rule;

impl LogCheck {
    /// Finds what players signed over a tree without the entry that they answered: they had not seen it in the log.
    pub(super) fn signed_before_answered(&mut self, logged: &LogEvidence, named: &TreeMentions) {
        for signed in &named.signed {
            let (rule, answered, text) = signed.answered();
            let place = logged.seals.iter().find(|place| place.entry == answered);
            if let Some(place) = place.filter(|place| signed.tree.size.0 <= place.index.0) {
                let expected = format!("a tree of more than {} entries", place.index);
                let (text, found) = (text.to_owned(), tree_words(signed.tree));
                self.faults.push(Fault { rule, entry: signed.entry, text, expected, found });
            }
        }
    }

    /// Finds what came, as the server says, before an entry that the player had seen in the log.
    pub(super) fn signed_after_sent(&mut self, named: &TreeMentions, places: &EntryPlaces<'_>) {
        for (signed, newest) in named.signed.iter().filter_map(|signed| Some((signed, places.after_sent(signed)?))) {
            self.faults.push(Fault {
                rule: Rule::SignedAfterSent,
                entry: signed.entry,
                text: "the tree that a player signed holds an entry from after the time at which it came".to_owned(),
                expected: format!("entries up to {}", signed.came.map(|came| came.to_string()).unwrap_or_default()),
                found: format!("entry {} of {}", newest.seq, newest.at),
            });
        }
    }
}
