//! The HTTP of Matchbook: pages, the API, Discord, feeds, tiles and assets.
//!
//! Imports run one way: the base (`assets`, `http`, `page`, `visitor`) is below the features (`api`, `archive`, `crawlers`,
//! `discord`, `events`, `feeds`, `guess`, `guide`, `importing`, `live`, `log`, `people`, `play`, `registered`, `rules`,
//! `security`, `sign_in`, `statistics`, `style`, `umpire`, `verify`, `webhooks`, `whatif`, `witness`), which never import each other. `routes` is above them.

pub mod api;
pub mod archive;
mod assets;
mod crawlers;
pub mod discord;
mod events;
mod feeds;
mod guess;
mod guide;
pub mod http;
pub mod importing;
pub mod live;
pub mod log;
pub mod page;
mod people;
pub mod play;
mod registered;
pub mod routes;
pub mod rules;
pub mod security;
pub mod sign_in;
pub mod statistics;
mod style;
pub mod umpire;
pub mod verify;
pub mod visitor;
pub mod webhooks;
mod whatif;
pub mod witness;
