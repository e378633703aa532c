//! Fair queues: a fixed number at a time, in order of arrival, so that later readers never delay earlier ones; and the same
//! for each sender, so that whoever asks for much waits for itself.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use tokio::time::timeout;

/// The longest wait for a turn. After it a reader proceeds without one: then everybody waits for the database, and one
/// wait is enough.
const PATIENCE: Duration = Duration::from_secs(8);

#[derive(Debug)]
pub struct Queue {
    turns: usize,
    free: Semaphore,
}

impl Queue {
    pub const fn of(turns: usize) -> Self {
        Self { turns, free: Semaphore::const_new(turns) }
    }

    pub fn is_idle(&self) -> bool {
        self.free.available_permits() == self.turns
    }

    /// A permit, however long it takes: for work that nobody waits for within seconds.
    pub async fn turn_at_last(&self) -> Option<SemaphorePermit<'_>> {
        // None only if the queue is closed, which nobody does.
        self.free.acquire().await.ok()
    }

    pub async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        timeout(PATIENCE, self.free.acquire()).await.ok()?.ok()
    }
}

#[derive(Debug)]
pub struct SenderQueues {
    turns: usize,
    of: Mutex<Option<HashMap<Vec<u8>, Arc<Semaphore>>>>,
}

const QUEUES: usize = 1_000;

impl SenderQueues {
    pub const fn of(turns: usize) -> Self {
        Self { turns, of: Mutex::new(None) }
    }

    pub async fn turn(&self, sender: Vec<u8>) -> Option<OwnedSemaphorePermit> {
        let queue = {
            let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
            let of = of.get_or_insert_default();
            if of.len() >= QUEUES {
                of.retain(|_, queue| Arc::strong_count(queue) > 1);
            }
            of.entry(sender).or_insert_with(|| Arc::new(Semaphore::new(self.turns))).clone()
        };
        queue.acquire_owned().await.ok()
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[tokio::test]
    async fn a_sender_of_much_waits_for_itself_alone() {
        let queues = SenderQueues::of(2);
        let turn = |sender: &[u8]| queues.turn(sender.to_vec()).now_or_never();
        let (one, _other) = (turn(b"one"), turn(b"one"));
        assert!(one.is_some() && turn(b"one").is_none());
        assert!(turn(b"two").is_some());
        drop(one);
        assert!(turn(b"one").is_some());
        for n in 0..2 * QUEUES {
            assert!(queues.turn(n.to_be_bytes().to_vec()).await.is_some());
        }
        let kept = queues.of.lock().unwrap().as_ref().unwrap().len();
        assert!(kept <= QUEUES && turn(b"one").is_some() && turn(b"one").is_some(), "{kept}");
    }
}
