//! The heart of this node beats, and what it does first after it has missed some.

use std::sync::Arc;

use super::Recorder;
use crate::error::AppError;
use crate::heartbeat::{BEAT, Unfit};
use crate::journal::JournalState;

impl Recorder {
    /// Whether this node may close decisions and call moves late.
    ///
    /// # Errors
    /// [`Unfit`].
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
    ///
    /// # Errors
    /// The database or the journal.
    pub async fn beat(&self) -> Result<(), AppError> {
        let beaten = self.write_beat().await;
        match (&beaten, self.journal.state()) {
            (Err(_), JournalState::Settled) => self.journal.set(JournalState::Behind),
            (Ok(()), JournalState::Behind) => drop(self.put_back().await?),
            _ => {}
        }
        beaten
    }

    /// One beat and no more, unless the journal cannot be written: nothing can be acknowledged then.
    ///
    /// # Errors
    /// The database or the journal.
    pub async fn write_beat(&self) -> Result<(), AppError> {
        if let Err(error) = self.journal.check(self.system.ticking()).await {
            self.heartbeat.leave_out();
            return Err(error.into());
        }
        self.heartbeat.beat().await
    }

    /// Beats for as long as the program runs.
    pub async fn beats(self: Arc<Self>) {
        let mut fit = Ok(());
        loop {
            let missed = self.beat().await.err().map(|error| error.to_string());
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
