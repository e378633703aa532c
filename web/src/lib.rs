//! The site: all addresses, and the rules for every answer.
//!
//! Crates import one way: `http` and `page` are below `account`, `api`, `discord`, `reading` and `stage`, which never import
//! each other, as the features in them never do. `routes` is above them.

pub mod routes;

pub use reading::{security, verify};
pub use stage::live;
pub use {account, api, discord, page, web_http as http, web_http::visitor};
