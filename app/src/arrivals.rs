//! What has arrived and is not stored yet: while something is, that came in time, its decision does not close on this
//! node. So nobody is late because the database was.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ledger::{MatchId, Moment};

use crate::error::AppError;
use crate::slug::slug;

/// How soon a database that is away is asked again.
const AGAIN: Duration = Duration::from_millis(250);
/// How long a lookup for something that arrived is tried again.
const PATIENCE: Duration = Duration::from_secs(12);

/// The submissions that this node works on.
#[derive(Debug, Default)]
pub struct Arrivals(Mutex<List>);

/// By a number of their own, the match's short name, and when they came. Where no match is named yet, it may be any.
#[derive(Debug, Default)]
struct List {
    next: u64,
    came: HashMap<u64, (Option<String>, Moment)>,
}

/// A submission that this node works on, until it is dropped.
#[derive(Debug)]
pub struct Underway {
    arrivals: Arc<Arrivals>,
    number: u64,
}

impl Arrivals {
    fn add(self: Arc<Self>, slug: Option<&str>, came: Moment) -> Underway {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = list.next;
        list.next = number.wrapping_add(1);
        list.came.insert(number, (slug.map(str::to_owned), came));
        drop(list);
        Underway { arrivals: self, number }
    }

    /// True if something that came to a match by this moment is not stored yet.
    pub(crate) fn is_waited_for(&self, slug: &str, until: Moment) -> bool {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.came.values().any(|(to, came)| to.as_ref().is_none_or(|to| to == slug) && *came <= until)
    }
}

impl Underway {
    /// It is known for which match it is: no other one waits for it any more.
    pub fn is_for(&self, match_id: MatchId) {
        let mut list = self.arrivals.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((to, _)) = list.came.get_mut(&self.number) {
            *to = Some(slug(match_id));
        }
    }
}

impl Drop for Underway {
    fn drop(&mut self) {
        self.arrivals.0.lock().unwrap_or_else(PoisonError::into_inner).came.remove(&self.number);
    }
}

impl Arrivals {
    /// Notes that a submission for a match has arrived. Until the answer is dropped, its match closes nothing that was
    /// due later than this; its holder must not wait for longer than some seconds.
    #[must_use]
    pub fn arrived(self: &Arc<Self>, slug: &str, came: Moment) -> Underway {
        self.clone().add(Some(slug), came)
    }

    /// The same, if its match has yet to be looked up: every match waits, until [`Underway::is_for`] says which one it
    /// is.
    #[must_use]
    pub fn arrived_somewhere(self: &Arc<Self>, came: Moment) -> Underway {
        self.clone().add(None, came)
    }
}

/// Looks something up for a submission that has arrived, and asks again while the database is away.
///
/// # Errors
/// What the lookup gives; [`AppError::Stopped`] if the database did not answer for too long.
pub async fn patiently<T, F: Future<Output = Result<T, AppError>>>(look: impl Fn() -> F) -> Result<T, AppError> {
    let asking = async {
        loop {
            match look().await {
                Err(AppError::Store(error)) => {
                    tracing::warn!(%error, "the database did not answer for a submission; it is asked again");
                }
                looked => return looked,
            }
            tokio::time::sleep(AGAIN).await;
        }
    };
    tokio::time::timeout(PATIENCE, asking).await.map_err(|_| AppError::Stopped)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_in_time_is_waited_for_until_it_is_stored() {
        let arrivals = Arc::new(Arrivals::default());
        let at = |micros| Moment::from_micros(micros).unwrap();
        let (one, other) = (arrivals.clone().add(Some("abc"), at(5)), arrivals.clone().add(Some("abc"), at(9)));
        assert!(arrivals.is_waited_for("abc", at(5)) && arrivals.is_waited_for("abc", at(7)));
        assert!(!arrivals.is_waited_for("abc", at(4)) && !arrivals.is_waited_for("abd", at(7)));
        drop(one);
        assert!(!arrivals.is_waited_for("abc", at(7)) && arrivals.is_waited_for("abc", at(9)));
        drop(other);
        assert!(!arrivals.is_waited_for("abc", Moment::MAX));
    }

    #[test]
    fn what_may_be_for_any_match_is_waited_for_by_all_until_it_is_known() {
        let arrivals = Arc::new(Arrivals::default());
        let [one, other] = [1, 2].map(|n| MatchId(uuid::Uuid::from_u128(n << 120)));
        let underway = arrivals.clone().add(None, Moment::from_micros(5).unwrap());
        let waits = |match_id| arrivals.is_waited_for(&slug(match_id), Moment::MAX);
        assert!(waits(one) && waits(other));
        underway.is_for(one);
        assert!(waits(one) && !waits(other));
        drop(underway);
        assert!(!waits(one));
    }
}
