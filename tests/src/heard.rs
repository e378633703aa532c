//! The log of a program that runs within a test.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tracing_subscriber::fmt::MakeWriter;

/// The captured log of the program.
#[derive(Clone, Default)]
pub(crate) struct Heard(Arc<Mutex<Vec<u8>>>);

impl io::Write for Heard {
    fn write(&mut self, said: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(said);
        Ok(said.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Heard {
    type Writer = Self;
    fn make_writer(&self) -> Self {
        self.clone()
    }
}

impl Heard {
    /// Captures the log on this thread, which runs the whole test.
    pub(crate) fn listening() -> (Self, tracing::subscriber::DefaultGuard) {
        // The most verbose level that an operator may set for this program; libraries log their timing to the
        // millisecond.
        Self::listening_to("matchbook=trace,web=trace,ledger=trace,tower_http=trace,warn")
    }
    /// The same with these levels.
    pub(crate) fn listening_to(levels: &str) -> (Self, tracing::subscriber::DefaultGuard) {
        let heard = Self::default();
        let writer = heard.clone();
        let log = tracing_subscriber::fmt().with_writer(writer).with_ansi(false).without_time();
        (heard, tracing::subscriber::set_default(log.with_env_filter(levels).finish()))
    }
    pub(crate) fn said(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
    /// The same without the answers that a busy machine gave up: they are asked for again, and say nothing about the match.
    pub(crate) fn said_in_time(&self) -> String {
        let late = |line: &&str| line.contains("The answer takes too long just now");
        self.said().lines().filter(|line| !late(line)).collect::<Vec<_>>().join("\n")
    }
}
