//! What has arrived and is not stored yet: while something is, that came in time, its decision does not close on this
//! node. So nobody is late because the database was.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use ledger::{MatchId, Moment};

use super::{Book, slug};

/// The submissions that this node works on.
#[derive(Debug, Default)]
pub(super) struct Arrivals(Mutex<List>);

/// By a number of their own, the match's short name, and when they came.
#[derive(Debug, Default)]
struct List {
    next: u64,
    came: HashMap<u64, (String, Moment)>,
}

/// A submission that this node works on, until it is dropped.
#[derive(Debug)]
pub struct Underway {
    arrivals: Arc<Arrivals>,
    number: u64,
}

impl Arrivals {
    fn add(self: Arc<Self>, slug: &str, came: Moment) -> Underway {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = list.next;
        list.next = number.wrapping_add(1);
        list.came.insert(number, (slug.to_owned(), came));
        drop(list);
        Underway { arrivals: self, number }
    }

    fn is_waited_for(&self, slug: &str, until: Moment) -> bool {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.came.values().any(|(to, came)| to == slug && *came <= until)
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        self.arrivals.0.lock().unwrap_or_else(PoisonError::into_inner).came.remove(&self.number);
    }
}

impl Book {
    /// Notes that a submission for a match has arrived. Until the answer is dropped, its match closes nothing that was due
    /// later than this; whoever holds it must not wait for longer than some seconds.
    #[must_use]
    pub fn arrived(&self, slug: &str, came: Moment) -> Underway {
        self.arrivals.clone().add(slug, came)
    }

    /// Whether something that came to a match by this moment is not stored yet.
    pub(super) fn is_waited_for(&self, match_id: MatchId, until: Moment) -> bool {
        self.arrivals.is_waited_for(&slug(match_id), until)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_in_time_is_waited_for_until_it_is_stored() {
        let arrivals = Arc::new(Arrivals::default());
        let at = |micros| Moment::from_micros(micros).unwrap();
        let (one, other) = (arrivals.clone().add("abc", at(5)), arrivals.clone().add("abc", at(9)));
        assert!(arrivals.is_waited_for("abc", at(5)) && arrivals.is_waited_for("abc", at(7)));
        assert!(!arrivals.is_waited_for("abc", at(4)) && !arrivals.is_waited_for("abd", at(7)));
        drop(one);
        assert!(!arrivals.is_waited_for("abc", at(7)) && arrivals.is_waited_for("abc", at(9)));
        drop(other);
        assert!(!arrivals.is_waited_for("abc", Moment::MAX));
    }
}
