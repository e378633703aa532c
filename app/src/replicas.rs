//! Read replicas: standbys of the database that answer readers who act on nothing.
//!
//! A request is answered by one replica throughout, or by the primary: a page must not be kept under the version of a
//! newer database than it was read from. Only what [`may_lag`] runs is answered by a replica, so that umpires, players and
//! workers always see what they did. Matches do not lag: the primary says how long they are (`matches/histories.rs`).

use std::collections::VecDeque;
use std::fmt::Display;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use futures_util::future::join_all;
use store::database::{self, WalPosition};
use store::{PgPool, Store};
use thiserror::Error;
use tokio::task_local;
use tokio::time::{sleep, timeout};

use crate::system::System;

/// The longest time by which an answer of a replica may be behind the primary.
pub const BEHIND_MAX: Duration = Duration::from_secs(5);
/// The interval at which the replicas are asked how far they are.
const INTERVAL: Duration = Duration::from_millis(500);
/// The time limit for an answer to that.
const PATIENCE: Duration = Duration::from_secs(2);

/// The replica that answers a request, once it was chosen; none if the primary does. Clones made later know it.
#[derive(Clone, Debug, Default)]
pub struct Choice(OnceLock<Option<usize>>);

task_local! {
    static CHOICE: Choice;
}

/// Runs a request that acts on nothing, and whose reader has not acted: a replica may answer it.
pub async fn may_lag<T>(request: impl Future<Output = T>) -> T {
    CHOICE.scope(Choice::default(), request).await
}

impl Choice {
    /// That of the request which this runs in.
    #[must_use]
    pub fn here() -> Option<Self> {
        CHOICE.try_with(Self::clone).ok()
    }

    /// Goes on with what the request began, such as a file that is written while it is read.
    pub fn go_on<T>(&self, step: impl FnOnce() -> T) -> T {
        CHOICE.sync_scope(self.clone(), step)
    }
}

/// The replicas of this site, in the order in which they are preferred.
#[derive(Debug)]
pub struct Replicas {
    all: OnceLock<Vec<Replica>>,
    system: Arc<System>,
}

/// A standby.
#[derive(Debug)]
struct Replica {
    /// Its host, for the operator.
    name: String,
    pool: PgPool,
    progress: Mutex<Progress>,
}

/// How far a replica is.
#[derive(Debug, Default)]
struct Progress {
    /// Positions of the primary that the replica has not replayed yet, each with the time before it was read.
    ahead: VecDeque<(Duration, WalPosition)>,
    /// Everything that was committed at this time is in the replica.
    complete_to: Option<Duration>,
    /// The reason why it answers nobody, for the operator.
    fault: Option<ReplicaFault>,
}

/// The reason why a replica is not used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ReplicaFault {
    /// Nothing is known of it yet.
    #[error("it has not answered yet")]
    Unknown,
    /// It does not answer. Why is in the program's log: strangers read `/healthz`.
    #[error("it does not answer")]
    Away,
    /// It is the primary, perhaps since a failover.
    #[error("it is the primary")]
    Primary,
    /// It is of another cluster.
    #[error("it has another database than this site\u{2019}s")]
    Foreign,
    /// It is too far behind.
    #[error("it is more than {} s behind", BEHIND_MAX.as_secs())]
    Behind,
}

/// The state of a replica, for the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplicaState {
    /// Its host.
    pub name: String,
    /// The most by which it is behind; none if it never caught up.
    pub behind: Option<Duration>,
    /// The reason why it answers nobody.
    pub fault: Option<ReplicaFault>,
}

impl Replicas {
    /// None yet.
    #[must_use]
    pub const fn new(system: Arc<System>) -> Self {
        Self { all: OnceLock::new(), system }
    }

    /// Reads from these standbys from now on. Only the first call counts.
    pub fn set(&self, pools: Vec<PgPool>) {
        let replica = |pool: PgPool| {
            let options = pool.connect_options();
            let progress = Progress { fault: Some(ReplicaFault::Unknown), ..Progress::default() };
            Replica {
                name: format!("{}:{}", options.get_host(), options.get_port()),
                pool,
                progress: Mutex::new(progress),
            }
        };
        let _ = self.all.set(pools.into_iter().map(replica).collect());
    }

    fn all(&self) -> &[Replica] {
        self.all.get().map_or(&[], Vec::as_slice)
    }

    /// The replica that answers the request which this runs in, and its connections; none if the primary does.
    pub(crate) fn chosen(&self) -> Option<(usize, &PgPool)> {
        let first = || self.all().iter().position(|replica| self.state(replica).fault.is_none());
        let chosen = CHOICE.try_with(|choice| *choice.0.get_or_init(first)).ok().flatten()?;
        Some((chosen, &self.all().get(chosen)?.pool))
    }

    /// A stored log at the replica that answers this request; none if the primary does.
    pub(crate) fn store_of(&self, primary: &Store) -> Option<Store> {
        let (_, pool) = self.chosen()?;
        Some(primary.reading_from(pool.clone()))
    }

    /// The most by which the answer to this request is behind; none if the primary answers it.
    #[must_use]
    pub fn behind(&self) -> Option<Duration> {
        let chosen = Choice::here()?.0.get().copied().flatten()?;
        self.state(self.all().get(chosen)?).behind
    }

    /// The states of all replicas.
    #[must_use]
    pub fn states(&self) -> Vec<ReplicaState> {
        self.all().iter().map(|replica| self.state(replica)).collect()
    }

    fn state(&self, replica: &Replica) -> ReplicaState {
        let progress = replica.progress.lock().unwrap_or_else(PoisonError::into_inner);
        let behind = progress.complete_to.map(|at| self.system.ticking().saturating_sub(at));
        let late = || behind.is_none_or(|behind| behind > BEHIND_MAX).then_some(ReplicaFault::Behind);
        ReplicaState { name: replica.name.clone(), behind, fault: progress.fault.clone().or_else(late) }
    }

    /// Asks the primary and every replica once how far they are.
    pub async fn look(&self, primary: &PgPool) {
        let began = self.system.ticking();
        let written = answer(database::written(primary)).await;
        let asked = self.all().iter().map(async |replica| {
            let replayed = answer(database::replayed(&replica.pool)).await;
            let mut progress = replica.progress.lock().unwrap_or_else(PoisonError::into_inner);
            // Without the primary's answer it is not known how far behind the replica is: it is used until that is too long.
            let Ok((cluster, position)) = &written else { return };
            let fault = match replayed {
                Err(why) => {
                    if progress.fault != Some(ReplicaFault::Away) {
                        tracing::warn!(replica = %replica.name, why, "a read replica does not answer");
                    }
                    Some(ReplicaFault::Away)
                }
                Ok(told) if told.cluster != *cluster => Some(ReplicaFault::Foreign),
                Ok(told) => match told.replayed {
                    None => Some(ReplicaFault::Primary),
                    Some(replayed) => {
                        progress.is_at(began, *position, replayed);
                        None
                    }
                },
            };
            progress.fault = fault;
        });
        join_all(asked).await;
    }

    /// Follows the replicas for good.
    pub(crate) async fn follow(self: Arc<Self>, primary: PgPool) {
        loop {
            self.look(&primary).await;
            sleep(INTERVAL).await;
        }
    }
}

impl Progress {
    /// The primary had written this much at a time, and the replica has now replayed so much.
    fn is_at(&mut self, time: Duration, written: WalPosition, replayed: WalPosition) {
        self.ahead.push_back((time, written));
        while let Some((time, _)) = self.ahead.front().copied().filter(|(_, position)| *position <= replayed) {
            self.complete_to = Some(time);
            self.ahead.pop_front();
        }
        // What is older than the limit decides nothing any more; a replica that catches up passes all of it at once.
        while self.ahead.len() > 64 {
            self.ahead.pop_front();
        }
    }
}

async fn answer<T, E: Display>(asked: impl Future<Output = Result<T, E>>) -> Result<T, String> {
    match timeout(PATIENCE, asked).await {
        Ok(answered) => answered.map_err(|error| error.to_string()),
        Err(_) => Err(format!("no answer in {} s", PATIENCE.as_secs())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn only_a_request_that_may_lag_is_answered_by_a_replica_and_by_one_throughout() {
        let replicas = Replicas::new(Arc::new(System::real()));
        let pools = ["postgres://one/a", "postgres://two/a"].map(|url| database::replica(url).unwrap());
        replicas.set(pools.into());
        let caught_up = |n: usize, at: Option<Duration>| {
            let mut progress = replicas.all()[n].progress.lock().unwrap();
            (progress.complete_to, progress.fault) = (at, None);
        };
        let chosen = || replicas.chosen().map(|(n, _)| n);
        assert_eq!(may_lag(async { chosen() }).await, None, "nothing is known of them yet");
        caught_up(1, Some(replicas.system.ticking()));
        assert_eq!(may_lag(async { chosen() }).await, Some(1));
        assert_eq!(chosen(), None, "whoever acts reads the primary");
        let same = may_lag(async {
            let first = chosen();
            caught_up(0, Some(replicas.system.ticking()));
            (first, chosen())
        });
        assert_eq!(same.await, (Some(1), Some(1)));
        assert_eq!(may_lag(async { chosen() }).await, Some(0), "the first is preferred");
    }

    #[test]
    fn a_replica_is_as_old_as_the_last_position_that_it_has_replayed() {
        let at = WalPosition;
        let mut progress = Progress::default();
        progress.is_at(Duration::from_secs(1), at(100), at(90));
        assert_eq!(progress.complete_to, None);
        progress.is_at(Duration::from_secs(2), at(200), at(150));
        assert_eq!(progress.complete_to, Some(Duration::from_secs(1)));
        progress.is_at(Duration::from_secs(3), at(200), at(200));
        assert_eq!(progress.complete_to, Some(Duration::from_secs(3)));
    }
}
