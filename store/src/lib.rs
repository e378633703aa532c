//! Everything that is SQL, and the private PostgreSQL.
//!
//! [`Store`] is the log as it is kept: append-only, in one statement an append. [`database`] finds or starts the server,
//! migrates it and hands out connections. Nothing in here knows of HTTP, and nothing above this crate writes SQL.

pub mod database;
mod log;

pub use database::MIGRATIONS;
pub use log::*;
