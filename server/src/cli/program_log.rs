//! The program's own log, on the standard error: lines for people, or JSON for programs.

use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};

use store::StandbyWarnings;
use tracing_subscriber::fmt::layer;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Says something while the site serves: a line for people, or an object of the log.
macro_rules! tell {
    ($($text:tt)*) => {
        if $crate::cli::program_log::is_json() {
            tracing::info!($($text)*);
        } else {
            let _ = say!($($text)*);
        }
    };
}

pub(super) fn is_json() -> bool {
    IS_JSON.load(Ordering::Relaxed)
}

/// The format of the program's log.
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
pub(crate) enum LogFormat {
    /// A line for people, in colours on a terminal.
    #[default]
    Text,
    /// A JSON object on each line: `timestamp`, `level`, `message`, and what belongs to it.
    Json,
}

impl LogFormat {
    pub(super) fn start(self) {
        IS_JSON.store(matches!(self, Self::Json), Ordering::Relaxed);
        let filter = EnvFilter::try_from_env("MATCHBOOK_LOG").unwrap_or_else(|_| EnvFilter::new("info,sqlx=warn"));
        let lines = layer().with_target(false).with_writer(io::stderr);
        let written = match self {
            Self::Text => lines.with_ansi(io::stderr().is_terminal()).boxed(),
            Self::Json => lines.json().flatten_event(true).boxed(),
        };
        tracing_subscriber::registry().with(written.with_filter(filter)).with(StandbyWarnings::layer()).init();
    }
}
