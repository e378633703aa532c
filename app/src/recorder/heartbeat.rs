//! The heart of this node beats, and what it does first after it has missed some.

use std::io;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use store::PgPool;
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;
use tokio::task::JoinSet;

use super::Recorder;
use crate::error::AppError;
use crate::heartbeat::{BEAT, Unfit};
use crate::submission_journal::JournalState;

impl Recorder {
    pub fn fit(&self) -> Result<(), Unfit> {
        if self.public_log.accepts().is_err() {
            return Err(Unfit::NotSigned);
        }
        if self.journal.failure().is_some() {
            return Err(Unfit::NoJournal);
        }
        match self.journal.state() {
            JournalState::Settled => self.heartbeat.fit(),
            JournalState::Behind | JournalState::Contradicted(_) => Err(self.heartbeat.away()),
        }
    }

    /// One beat of this node's heart. Once the database and the journal are back, nothing closes before the database has what
    /// was acknowledged.
    pub async fn beat(self: &Arc<Self>) -> Result<(), AppError> {
        self.beat_by(&self.heartbeat.connection(), &Handle::current()).await
    }

    async fn beat_by(self: &Arc<Self>, connection: &PgPool, others: &Handle) -> Result<(), AppError> {
        let beaten = self.write_beat_by(connection).await;
        match (&beaten, self.journal.state()) {
            (Err(_), JournalState::Settled) => self.journal.set(JournalState::Behind),
            (Ok(()), JournalState::Behind) => {
                // By the connections that serve, which belong to the other threads.
                let (recorder, mut one) = (self.clone(), JoinSet::new());
                one.spawn_on(async move { recorder.put_back().await }, others);
                one.join_next().await.transpose().map_err(|_| AppError::Stopped)?.transpose()?;
            }
            _ => {}
        }
        beaten
    }

    /// One beat and no more, unless the journal cannot be written: nothing can be acknowledged then.
    pub async fn write_beat(&self) -> Result<(), AppError> {
        self.write_beat_by(&self.heartbeat.connection()).await
    }

    async fn write_beat_by(&self, connection: &PgPool) -> Result<(), AppError> {
        if let Err(error) = self.journal.check(self.system.ticking()).await {
            self.heartbeat.leave_out();
            return Err(error.into());
        }
        self.heartbeat.beat_by(connection).await
    }

    /// Beats for as long as the program runs, on a thread of its own: an outage is what this node could not do, and never how
    /// busy its other threads are.
    pub async fn beats(self: Arc<Self>) {
        // Both are sent by being dropped.
        let (stop, stopped) = oneshot::channel::<()>();
        let (running, ended) = oneshot::channel::<()>();
        let others = Handle::current();
        let beat = move || -> io::Result<()> {
            let _running = running;
            let runtime = Builder::new_current_thread().enable_all().build()?;
            runtime.block_on(async {
                tokio::select! { () = self.keep_beating(&others) => {}, _ = stopped => {} }
            });
            // A name that is looked up holds up nobody.
            runtime.shutdown_background();
            Ok(())
        };
        let thread = match thread::Builder::new().name("heartbeat".to_owned()).spawn(beat) {
            Ok(thread) => Some(thread),
            Err(error) => return tracing::error!(%error, "the heart has no thread of its own"),
        };
        let mut heart = Heart { stop: Some(stop), thread };
        let _ = ended.await;
        match heart.thread.take().map(JoinHandle::join) {
            Some(Err(panic)) => resume_unwind(panic),
            Some(Ok(Err(error))) => tracing::error!(%error, "the heart has no thread of its own"),
            _ => {}
        }
    }

    async fn keep_beating(self: &Arc<Self>, others: &Handle) {
        let connection = self.heartbeat.connection();
        let mut fit = Ok(());
        loop {
            let missed = self.beat_by(&connection, others).await.err().map(|error| error.to_string());
            let now = self.fit();
            if now != fit {
                match now {
                    Ok(()) => tracing::info!("this node closes decisions again"),
                    // The signer has said why.
                    Err(Unfit::NotSigned) => {}
                    Err(unfit) => tracing::error!(cause = missed, "{unfit}"),
                }
                fit = now;
            }
            tokio::time::sleep(BEAT).await;
        }
    }
}

struct Heart {
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

impl Drop for Heart {
    fn drop(&mut self) {
        self.stop = None;
        // It has nothing to finish, and gives back what it holds of the app.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
