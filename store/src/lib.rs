//! All SQL, and the private PostgreSQL.
//!
//! [`Store`] is the stored log: append-only, with one statement for each append. [`database`] finds or starts the
//! server, migrates it and provides connections. The other modules are rows by what they are about, with one file for
//! each table or two, as functions over a pool: they decide nothing, and read neither the clock nor entropy. Nothing
//! here knows about HTTP, and nothing above this crate writes SQL.

pub mod accounts;
pub mod archive;
pub mod database;
pub mod discord;
pub mod heartbeat;
pub mod idempotency;
mod log;
pub mod matches;
pub mod statistics;
pub mod timestamp;
mod transaction;
pub mod webhooks;

pub use database::MIGRATIONS;
pub use log::*;
/// Connections to a database, for whoever only passes them on.
pub use sqlx::{PgConnection, PgPool};
