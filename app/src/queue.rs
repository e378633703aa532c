//! A queue of readers: so many at a time, in the order in which they came, so that nobody is kept waiting by who came later.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

/// How long anybody waits for a turn. Who waited so long goes without one: then the database is what all wait for, and one
/// waits for it once.
const PATIENCE: Duration = Duration::from_secs(8);

/// Turns, given back when they are dropped.
#[derive(Debug)]
pub struct Queue {
    turns: usize,
    free: Semaphore,
}

impl Queue {
    /// With so many turns at a time.
    pub const fn of(turns: usize) -> Self {
        Self { turns, free: Semaphore::const_new(turns) }
    }

    /// Whether nobody has a turn or waits for one.
    pub fn is_idle(&self) -> bool {
        self.free.available_permits() == self.turns
    }

    /// A turn, as soon as it is there; none after eight seconds.
    pub async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        timeout(PATIENCE, self.free.acquire()).await.ok()?.ok()
    }
}
