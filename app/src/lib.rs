//! The application: commands, queries, background workers, and permissions. It serves no HTTP.
//!
//! Imports run one way: `system`, `keys`, `queue`, `fetch` below `signing`, `cosigning` and `audit`, and those below `book` and
//! `account`.

pub mod account;
pub mod audit;
pub mod app;
pub mod cosigning;
pub mod discord;
pub mod fetch;
pub mod keys;
pub mod system;
pub mod queue;
pub mod signing;
pub mod statistics;
pub mod views;
pub mod webhooks;
pub mod workers;
