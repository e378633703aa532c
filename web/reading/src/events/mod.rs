//! Tournaments: their matches, and the standings of their players.

mod event;
mod list;
mod season;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::routing::get;

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/events", get(list::list)).route("/events/{name}", get(event::event))
}
