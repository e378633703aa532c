//! The end of a match, and what opens after it.

use ledger::Entry;

use super::Fold;
use crate::body::{Ended, Unsealed};
use crate::rule::Rule;

impl Fold<'_> {
    pub(super) fn ended(&mut self, entry: &Entry, body: &Ended) {
        if let Some((before, _)) = self.history.ended {
            let what = "a match ends once, until a ruling or a strike takes it up again";
            self.fault(Rule::EndsOnce, entry.seq, what, &"no end", &format!("the end of entry {before}"));
        }
        self.history.ended = Some((entry.seq, entry.at));
        self.history.open.clear();
        self.open_texts(entry.seq, None, &[]);
        let outcome = self.history.outcome();
        let ours = (outcome.tag(), outcome.reason(), self.history.steps.len());
        let theirs = (body.result.as_str(), body.reason.as_str(), body.steps as usize);
        if self.history.closed_at.is_none() && ours != theirs {
            let (ours, theirs) = (format!("{ours:?}"), format!("{theirs:?}"));
            self.fault(Rule::Result, entry.seq, "the result differs from the replay", &ours, &theirs);
        }
    }

    pub(super) fn unsealed(&mut self, entry: &Entry, body: Unsealed) {
        if self.history.ended.is_none() {
            let what = "what is still secret opens when the match has ended";
            self.fault(Rule::UnsealedAtEnd, entry.seq, what, &"an entry that ends it", &"none");
        }
        for opening in &body.openings {
            self.opening(entry.seq, opening);
        }
        for replaced in body.replaced {
            self.replaced(entry, replaced);
        }
        self.opened_keys(entry, &body.keys);
    }
}
