//! The `matchbook` program: pages, live matches, and the database they stand on.

pub mod cli;
pub mod database;
pub mod mint;
