//! The `matchbook` program: pages, live matches, and the database they stand on.
//!
//! Imports run one way: the base (`mint`, `keys`, `database`, `fetch`, `signing`, `cosigning`, `book`, `account`, `page`)
//! below the features (`api`, `archive`, `people`, `events`, `feeds`, `statistics`, `verify`, `rules`, `sign_in`, `umpire`, `importing`,
//! `log`, `play`, `live`, `webhooks`, `whatif`, `witness`, `discord`), which never know each other; above them `app`, then `cli`.

pub mod account;
pub mod api;
pub mod app;
pub mod archive;
mod assets;
pub mod audit;
pub mod book;
pub mod cli;
pub mod cosigning;
pub mod database;
mod demo;
pub mod discord;
mod events;
mod feeds;
pub mod fetch;
pub mod importing;
pub mod keys;
pub mod live;
pub mod log;
pub mod mint;
pub mod page;
mod people;
pub mod play;
mod queue;
pub mod rules;
pub mod sign_in;
pub mod signing;
pub mod statistics;
pub mod umpire;
pub mod verify;
pub mod webhooks;
mod whatif;
pub mod witness;
