//! Signals that stop the program, and the order in which the site stops: first it is not ready, so that a proxy sends
//! requests elsewhere; then it accepts no connections; then what is in flight is answered, bodies included.

use std::sync::Arc;
use std::time::Duration;

use app::App;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::sleep;

/// A signal that stops the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StopSignal {
    /// Ctrl-C: somebody waits for the end.
    Interrupt,
    /// SIGTERM.
    Terminate,
}

/// Waits for Ctrl-C, or for the system's request to stop.
pub(super) async fn stopped() {
    stop_signal().await;
    let _ = say!("Stopping.");
}

/// Waits until no more connections may be accepted: at once after Ctrl-C or the end of a worker, and this long after
/// SIGTERM. A second signal ends that time. Event streams end with it: they have no end of their own.
pub(super) async fn drained(app: Arc<App>, time: Duration) {
    let watched = app.workers().clone();
    let signalled = tokio::select! {
        signal = stop_signal() => Some(signal),
        _ = watched.wait() => None,
    };
    app.drain();
    if signalled == Some(StopSignal::Terminate) && !time.is_zero() {
        let _ =
            say!("Stopping in {} s, so that a proxy finds out first. A second signal stops at once.", time.as_secs());
        tokio::select! {
            () = sleep(time) => {}
            _ = stop_signal() => {}
            _ = watched.wait() => {}
        }
    }
    let _ = say!("Stopping.");
    app.feed.end();
}

async fn stop_signal() -> StopSignal {
    let terminated = async {
        match signal(SignalKind::terminate()) {
            Ok(mut terminated) => drop(terminated.recv().await),
            Err(_) => std::future::pending().await,
        }
    };
    tokio::select! {
        _ = tokio::signal::ctrl_c() => StopSignal::Interrupt,
        () = terminated => StopSignal::Terminate,
    }
}
