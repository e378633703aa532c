//! The background workers of this process. None of them may end while the process serves: the first that does is reported
//! by `/healthz`, and `matchbook serve` stops with its reason, so that whoever supervises it can start it again.

use std::any::Any;
use std::fmt::Display;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use thiserror::Error;
use tokio::sync::watch;
use tokio::task::JoinHandle;

#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the {worker} of this process ended: {reason}")]
pub struct WorkerEnd {
    pub worker: &'static str,
    pub reason: String,
}

#[derive(Debug, Clone)]
pub struct Workers {
    first: Arc<watch::Sender<Option<WorkerEnd>>>,
}

impl Default for Workers {
    fn default() -> Self {
        Self { first: Arc::new(watch::Sender::new(None)) }
    }
}

impl Workers {
    /// Starts a worker that never ends by itself. Aborting its handle is no end.
    pub fn spawn(&self, worker: &'static str, work: impl Future<Output = ()> + Send + 'static) -> JoinHandle<()> {
        tokio::spawn(self.run(worker, work))
    }

    pub fn run(
        &self,
        worker: &'static str,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> impl Future<Output = ()> + Send + 'static {
        let workers = self.clone();
        async move {
            let reason = match AssertUnwindSafe(work).catch_unwind().await {
                Ok(()) => "it had nothing left to do".to_owned(),
                Err(panic) => panicked(panic.as_ref()),
            };
            workers.ended(worker, reason);
        }
    }

    pub fn watch<E: Display + Send + 'static>(&self, worker: &'static str, handle: JoinHandle<Result<(), E>>) {
        let workers = self.clone();
        tokio::spawn(async move {
            match handle.await {
                // Its last user is gone.
                Ok(Ok(())) => {}
                Ok(Err(error)) => workers.ended(worker, error.to_string()),
                Err(error) if error.is_panic() => workers.ended(worker, panicked(error.into_panic().as_ref())),
                Err(_) => {}
            }
        });
    }

    #[must_use]
    pub fn first_end(&self) -> Option<WorkerEnd> {
        self.first.borrow().clone()
    }

    pub async fn wait(&self) -> WorkerEnd {
        let mut news = self.first.subscribe();
        loop {
            if let Some(end) = news.borrow_and_update().clone() {
                return end;
            }
            if news.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    fn ended(&self, worker: &'static str, reason: String) {
        let end = WorkerEnd { worker, reason };
        tracing::error!("{end}");
        self.first.send_if_modified(|first| {
            let is_first = first.is_none();
            first.get_or_insert(end);
            is_first
        });
    }
}

fn panicked(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("it panicked: {}", said.unwrap_or("without a message"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_first_end_is_reported_with_its_reason() {
        let workers = Workers::default();
        assert_eq!(workers.first_end(), None);
        workers.spawn("queue of submissions", async { panic!("no room") });
        let first = WorkerEnd { worker: "queue of submissions", reason: "it panicked: no room".into() };
        assert_eq!(workers.wait().await, first);
        workers.watch("writer", tokio::spawn(async { Err::<(), _>("a broken log") }));
        workers.spawn("sweep", async {}).await.unwrap();
        assert_eq!(workers.first_end(), Some(first));
    }

    #[tokio::test]
    async fn a_worker_that_is_stopped_has_not_ended() {
        let workers = Workers::default();
        let worker = workers.spawn("sweep", std::future::pending());
        worker.abort();
        assert!(worker.await.unwrap_err().is_cancelled());
        workers.watch("writer", tokio::spawn(async { Ok::<(), String>(()) }));
        assert_eq!(workers.first_end(), None);
    }
}
