//! The `matchbook` program: its command line, and the connection of its parts. It is a library, so that tests can use
//! it.

pub mod cli;
mod demo;
