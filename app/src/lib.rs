//! The application: commands, queries, background workers, and permissions. It serves no HTTP.
//!
//! Imports run one way: `system`, `scope`, `keys`, `vault`, `queue`, `fetch`, `readers` and `workers` are below `signing`,
//! `cosigning` and `audit`; those are below `logs`, `feed` and `matches`; these below `public_log`, `archive`, `receipts`
//! and the [`Recorder`](recorder::Recorder); and that is below `commands`, `submissions`, `registered_players`, `imports` and `deadlines`.

pub mod account;
mod act;
mod app;
pub mod archive;
mod arrivals;
pub mod beacon_rounds;
pub mod cache;
mod caches;
mod checks;
pub mod commands;
pub mod comments;
mod common_clauses;
pub mod cosigning;
pub mod day;
pub mod deadlines;
pub mod discord;
mod due;
mod durable;
mod error;
pub mod event_sheets;
pub mod fetch;
mod half_hash;
pub mod heartbeat;
pub mod imports;
pub mod keys;
pub mod known_results;
pub mod last_backup;
pub mod likeness;
mod live_feed;
pub mod log_key;
mod logs;
mod matches;
mod metrics;
pub mod monitoring;
pub mod new_match;
pub mod obstacle;
#[cfg(test)]
#[path = "../../record/tests/record/book.rs"]
#[expect(dead_code, reason = "fewer kinds of matches are looked at here than the record's own tests play")]
mod played;
mod protocol_trace;
pub mod public_log;
pub mod queue;
pub mod reader_threads;
pub mod readiness;
pub mod receipts;
pub mod recorder;
pub mod registered_players;
mod scope;
pub mod seats;
pub mod signing;
mod slug;
pub mod statistics;
mod stored_submissions;
pub mod submission_journal;
pub mod submissions;
pub mod system;
pub mod text;
pub mod tournament;
pub mod umpire_act;
pub mod umpires;
mod unfit;
mod vault;
pub mod views;
pub mod webhooks;
pub mod workers;

pub use act::{Act, by_umpire, form_of};
pub use app::{App, check_keys};
pub use arrivals::{InFlight, with_retries};
pub use common_clauses::{COMMON_CLAUSES, CommonClause, named_clauses};
pub use error::AppError;
pub use half_hash::half_hash;
pub use live_feed::{MatchFeed, News};
pub use matches::MatchVersion;
pub use metrics::{Metrics, OpenStream};
pub use scope::{LOG, Scope, is_practice};
pub use slug::slug;
pub use umpire_act::UmpireAct;
pub use vault::Vault;
