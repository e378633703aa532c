//! The `matchbook` program: pages, live matches, and the database they stand on.
//!
//! Imports run one way: the base (`mint`, `keys`, `database`, `fetch`, `signing`, `cosigning`, `book`, `account`, `page`)
//! below the features (`api`, `archive`, `people`, `events`, `feeds`, `statistics`, `verify`, `rules`, `sign_in`, `umpire`, `importing`,
//! `log`, `play`, `live`, `webhooks`, `whatif`, `witness`, `discord`), which never know each other; above them `app`, then `cli`.

pub mod api;
pub mod archive;
mod assets;
pub mod discord;
mod events;
mod feeds;
pub mod importing;
pub mod live;
pub mod log;
pub mod page;
mod people;
pub mod play;
pub mod routes;
pub mod rules;
pub mod sign_in;
pub mod statistics;
pub mod umpire;
pub mod verify;
pub mod visitor;
pub mod webhooks;
mod whatif;
pub mod witness;
