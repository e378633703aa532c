//! The threads of readers. Pages are drawn and lists are derived on them, with a lower priority and by connections of their
//! own. What a clock depends on runs on the program's other threads, where no reader can hold it up.

use std::panic::resume_unwind;
use std::pin::Pin;
use std::task::{Context, Poll};

use rustix::process::nice;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::{JoinError, JoinSet};
use tokio::task_local;
use tracing::instrument::WithSubscriber;

const NICE: i32 = 10;

task_local! {
    /// The threads of readers, for what runs on them.
    static HERE: Handle;
}

#[derive(Debug)]
pub struct Readers {
    /// None where the system gives no more threads: then readers are served by the others.
    threads: Option<Runtime>,
    /// The threads that began them. Sockets and timers are watched there, whoever uses them.
    main: Handle,
}

impl Readers {
    pub(crate) fn start() -> Self {
        // Where it may not give way, it is as urgent as the others.
        let gives_way = || {
            let _ = nice(NICE);
        };
        let started =
            Builder::new_multi_thread().thread_name("readers").on_thread_start(gives_way).enable_all().build();
        let threads = started.inspect_err(|error| tracing::warn!(%error, "readers have no threads of their own")).ok();
        Self { threads, main: Handle::current() }
    }

    /// Runs something on these threads. It ends early if nobody waits for it any more.
    pub async fn run<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> T {
        let mut one = self.begin(work);
        match one.join_next().await {
            Some(Ok(done)) => done,
            Some(Err(error)) if error.is_panic() => resume_unwind(error.into_panic()),
            // The program ends.
            _ => std::future::pending().await,
        }
    }

    #[must_use]
    pub fn begin<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> JoinSet<T> {
        let threads = self.threads.as_ref().map_or(&self.main, Runtime::handle);
        let mut one = JoinSet::new();
        let work = HERE.scope(threads.clone(), work.with_current_subscriber());
        let work = OnMain { main: self.main.clone(), work: Some(Box::pin(work)) };
        one.spawn_on(work, threads);
        one
    }

    #[must_use]
    pub fn are_here() -> bool {
        HERE.try_with(|_| ()).is_ok()
    }
}

impl Drop for Readers {
    fn drop(&mut self) {
        if let Some(threads) = self.threads.take() {
            // The last owner may be a task, which must not wait for other tasks.
            threads.shutdown_background();
        }
    }
}

/// Computes something on a thread of its own: one of the readers' where a reader waits for it.
pub async fn compute<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, JoinError> {
    HERE.try_with(Handle::clone).unwrap_or_else(|_| Handle::current()).spawn_blocking(work).await
}

/// Work whose sockets and timers are watched by the main threads: a connection that it opens is used by others later.
struct OnMain<F> {
    main: Handle,
    work: Option<Pin<Box<F>>>,
}

impl<F: Future> Future for OnMain<F> {
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let this = &mut *self;
        let _main = this.main.enter();
        this.work.as_mut().map_or(Poll::Pending, |work| work.as_mut().poll(context))
    }
}

impl<F> Drop for OnMain<F> {
    fn drop(&mut self) {
        let _main = self.main.enter();
        self.work = None;
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn readers_who_fill_their_threads_hold_up_nobody_else() {
        let readers = Readers::start();
        let (sent, came) = std::sync::mpsc::channel::<()>();
        let came = std::sync::Arc::new(std::sync::Mutex::new(came));
        let busy: Vec<_> = (0..64)
            .map(|_| {
                let came = came.clone();
                readers.begin(async move { drop(came.lock().map(|came| came.recv())) })
            })
            .collect();
        // Timers and tasks of the main thread go on.
        tokio::time::sleep(Duration::from_millis(1)).await;
        let (done, is_done) = oneshot::channel();
        tokio::spawn(async { done.send(Readers::are_here()) });
        assert_eq!(is_done.await, Ok(false));
        drop(sent);
        for mut one in busy {
            one.join_next().await.unwrap().unwrap();
        }
    }

    #[tokio::test]
    async fn a_reader_s_work_has_the_timers_of_the_program_and_threads_of_readers() {
        let readers = Readers::start();
        let main = thread::current().id();
        let work = async move {
            tokio::time::sleep(Duration::from_millis(1)).await;
            let computed = compute(|| thread::current().name().map(str::to_owned)).await.unwrap();
            (Readers::are_here(), thread::current().id() != main, computed)
        };
        assert_eq!(readers.run(work).await, (true, true, Some("readers".to_owned())));
        let computed = compute(|| thread::current().name().map(str::to_owned)).await.unwrap();
        assert_ne!(computed.as_deref(), Some("readers"));
    }
}
