//! The submissions that have arrived and are not stored yet. While one that arrived in time is in flight, its decision does
//! not close on this node: a slow database makes nobody late.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ledger::{MatchId, Moment};

use crate::error::AppError;
use crate::slug::slug;

/// The pause before a database that is away is asked again.
const PAUSE: Duration = Duration::from_millis(250);
const TIME_LIMIT: Duration = Duration::from_secs(12);

#[derive(Debug, Default)]
pub struct Arrivals(Mutex<List>);

/// The match's short name and the time of arrival, by number. Without a match it may be for any.
#[derive(Debug, Default)]
struct List {
    next: u64,
    arrived: HashMap<u64, (Option<String>, Moment)>,
}

#[derive(Debug)]
pub struct InFlight {
    arrivals: Arc<Arrivals>,
    number: u64,
}

impl Arrivals {
    /// Notes that a submission for a match has arrived. Until the answer is dropped, its match closes no decision that
    /// was due later. The caller must not hold it for longer than some seconds.
    #[must_use]
    pub fn note(self: &Arc<Self>, slug: &str, at: Moment) -> InFlight {
        self.clone().add(Some(slug), at)
    }

    /// The same for a submission whose match must be looked up: every match waits, until [`InFlight::set_match`].
    #[must_use]
    pub fn note_for_any_match(self: &Arc<Self>, at: Moment) -> InFlight {
        self.clone().add(None, at)
    }

    fn add(self: Arc<Self>, slug: Option<&str>, at: Moment) -> InFlight {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let number = list.next;
        list.next = number.wrapping_add(1);
        list.arrived.insert(number, (slug.map(str::to_owned), at));
        drop(list);
        InFlight { arrivals: self, number }
    }

    pub(crate) fn has_in_flight(&self, slug: &str, until: Moment) -> bool {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.arrived.values().any(|(to, at)| to.as_ref().is_none_or(|to| to == slug) && *at <= until)
    }
}

impl InFlight {
    /// Names the match that it is for. No other match waits for it any more.
    pub fn set_match(&self, match_id: MatchId) {
        let mut list = self.arrivals.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((to, _)) = list.arrived.get_mut(&self.number) {
            *to = Some(slug(match_id));
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.arrivals.0.lock().unwrap_or_else(PoisonError::into_inner).arrived.remove(&self.number);
    }
}

pub async fn with_retries<T, F: Future<Output = Result<T, AppError>>>(look: impl Fn() -> F) -> Result<T, AppError> {
    let asking = async {
        loop {
            match look().await {
                Err(AppError::Store(error)) => {
                    tracing::warn!(%error, "the database did not answer for a submission; it is asked again");
                }
                looked => return looked,
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(TIME_LIMIT, asking).await.map_err(|_| AppError::Stopped)?
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_submission_in_time_is_in_flight_until_it_is_stored() {
        let arrivals = Arc::new(Arrivals::default());
        let at = |micros| Moment::from_micros(micros).unwrap();
        let (one, other) = (arrivals.clone().add(Some("abc"), at(5)), arrivals.clone().add(Some("abc"), at(9)));
        assert!(arrivals.has_in_flight("abc", at(5)) && arrivals.has_in_flight("abc", at(7)));
        assert!(!arrivals.has_in_flight("abc", at(4)) && !arrivals.has_in_flight("abd", at(7)));
        drop(one);
        assert!(!arrivals.has_in_flight("abc", at(7)) && arrivals.has_in_flight("abc", at(9)));
        drop(other);
        assert!(!arrivals.has_in_flight("abc", Moment::MAX));
    }

    #[test]
    fn all_matches_wait_for_a_submission_until_its_match_is_known() {
        let arrivals = Arc::new(Arrivals::default());
        let [one, other] = [1, 2].map(|n| MatchId(uuid::Uuid::from_u128(n << 120)));
        let in_flight = arrivals.clone().add(None, Moment::from_micros(5).unwrap());
        let waits = |match_id| arrivals.has_in_flight(&slug(match_id), Moment::MAX);
        assert!(waits(one) && waits(other));
        in_flight.set_match(one);
        assert!(waits(one) && !waits(other));
        drop(in_flight);
        assert!(!waits(one));
    }
}
