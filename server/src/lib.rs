//! The `matchbook` program: its command line, and how its parts are put together. A library, so that tests can use it.

pub mod cli;
mod demo;
