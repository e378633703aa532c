//! Signals that stop the program, and the order in which the site stops: first it is not ready, so that a proxy sends
//! requests elsewhere; then it accepts no connections; then what is in flight is answered, bodies included.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use app::App;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::sleep;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StopSignal {
    Interrupt,
    Terminate,
}

/// Both signals. From [`StopSignals::listen`] on neither ends the program by itself.
pub(super) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    /// To be called before the program says that it serves.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) -> StopSignal {
        tokio::select! {
            _ = self.interrupt.recv() => StopSignal::Interrupt,
            _ = self.terminate.recv() => StopSignal::Terminate,
        }
    }
}

pub(super) async fn stopped(mut signals: StopSignals) {
    signals.next().await;
    tell!("Stopping.");
}

/// Waits until no more connections may be accepted: at once after Ctrl-C or the end of a worker, and this long after
/// SIGTERM, or after a newer program has changed the database so that this one must leave it. A second signal ends that
/// time. Event streams end with it: they have no end of their own.
pub(super) async fn drained(mut signals: StopSignals, app: Arc<App>, time: Duration) {
    let watched = app.workers().clone();
    let signalled = tokio::select! {
        signal = signals.next() => Some(signal),
        () = app.heartbeat.superseded() => Some(StopSignal::Terminate),
        _ = watched.wait() => None,
    };
    app.drain();
    if signalled == Some(StopSignal::Terminate) && !time.is_zero() {
        tell!("Stopping in {} s, so that a proxy finds out first. A second signal stops at once.", time.as_secs());
        tokio::select! {
            () = sleep(time) => {}
            _ = signals.next() => {}
            _ = watched.wait() => {}
        }
    }
    tell!("Stopping.");
    app.feed.end();
}
