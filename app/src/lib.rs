//! The application: commands, queries, background workers, and permissions. It serves no HTTP.
//!
//! Imports run one way: `mint`, `keys`, `queue`, `fetch` below `signing`, `cosigning` and `audit`, and those below `book` and
//! `account`.

pub mod account;
pub mod audit;
pub mod book;
pub mod cosigning;
pub mod discord;
pub mod fetch;
pub mod keys;
pub mod mint;
pub mod queue;
pub mod signing;
pub mod statistics;
pub mod views;
pub mod webhooks;
pub mod workers;
