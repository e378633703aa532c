//! The check of a match that waits for the log's witnesses.

use std::time::Duration;

use ledger::{Entry, Tree};

use super::Fold;
use crate::body::{Mode, Resolved};
use crate::clock::later;
use crate::rule::Rule;
use crate::wait::{WAIT_SECONDS, WaitRecord};

impl Fold<'_> {
    pub(super) fn opened_wait(&mut self, first: &Entry) {
        let opened = &self.history.opened;
        let Some(seconds) = opened.wait else { return };
        let may = opened.mode != Mode::Imported;
        if !may || !WAIT_SECONDS.contains(&seconds) {
            let expected = if may { "1 to 600 seconds" } else { "nothing" };
            let what = "a match that is not imported waits for witnesses 1 to 600 seconds";
            self.fault(Rule::WaitStated, first.seq, what, &expected, &seconds);
        }
    }

    pub(super) fn waited(&mut self, entry: &Entry, body: &Resolved) {
        let open = self.history.open.iter().find(|open| open.asked.decision == body.decision);
        let sealed = open.and_then(|open| open.sealed.last()).map(|(sealed, _)| *sealed);
        let since = self.history.seals.iter().rev().find(|seal| Some(seal.entry) == sealed).map(|seal| seal.at);
        let (limit, since) = match (self.history.opened.wait, since, body.witnessed) {
            (Some(limit), Some(since), Some(_)) => (limit, since),
            (Some(_), Some(_), None) => {
                let what = "where a match waits, a resolution says whether its tree was witnessed";
                return self.fault(Rule::WaitStated, entry.seq, what, &"true or false", &"nothing");
            }
            (_, _, Some(found)) => {
                let what = "of witnesses speaks only a resolution that counts a seal, in a match that waits";
                return self.fault(Rule::WaitStated, entry.seq, what, &"nothing", &found);
            }
            (_, _, None) => return,
        };
        let until = later(since, Duration::from_secs(limit.into()));
        let witnessed = body.witnessed == Some(true);
        if !witnessed && entry.at < until {
            let what = "without its witnesses, nothing is opened before the limit has passed";
            self.fault(Rule::LimitKept, entry.seq, what, &until, &entry.at);
        }
        let (decision, tree) = (body.decision.clone(), Tree::from(&body.tree));
        self.history.waits.push(WaitRecord { decision, entry: entry.seq, since, at: entry.at, tree, witnessed });
    }
}
