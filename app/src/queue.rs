//! A fair queue of readers: a fixed number at a time, in order of arrival, so that later readers never delay earlier
//! ones.

use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

/// The longest wait for a turn. After it a reader proceeds without one: then everybody waits for the database, and one
/// wait is enough.
const PATIENCE: Duration = Duration::from_secs(8);

/// Permits, returned when they are dropped.
#[derive(Debug)]
pub struct Queue {
    turns: usize,
    free: Semaphore,
}

impl Queue {
    /// A queue with this many permits.
    pub const fn of(turns: usize) -> Self {
        Self { turns, free: Semaphore::const_new(turns) }
    }

    /// True if no permit is taken.
    pub fn is_idle(&self) -> bool {
        self.free.available_permits() == self.turns
    }

    /// A permit, however long it takes: for work that nobody waits for within seconds.
    pub async fn turn_at_last(&self) -> Option<SemaphorePermit<'_>> {
        // None only if the queue is closed, which nobody does.
        self.free.acquire().await.ok()
    }

    /// A permit, as soon as one is free; none after eight seconds.
    pub async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        timeout(PATIENCE, self.free.acquire()).await.ok()?.ok()
    }
}
