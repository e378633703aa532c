//! All SQL, and the private PostgreSQL.
//!
//! [`Store`] is the stored log: append-only, with one statement for each append. [`database`] finds or starts the
//! server, migrates it and provides connections. Nothing here knows about HTTP, and nothing above this crate writes
//! SQL.

pub mod accounts;
pub mod database;
pub mod discord;
pub mod idempotency;
mod log;
pub mod statistics;
pub mod webhooks;

pub use database::MIGRATIONS;
pub use log::*;
