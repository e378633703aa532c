//! Tournaments: their matches, the standings of their players, and what their hosts tell.

mod changes;
mod edit;
mod event;
mod list;
mod plan_view;
mod season;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::routing::get;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/events", get(list::list))
        .route("/events/{name}", get(event::event))
        .route("/events/{name}/changes", get(changes::changes))
}

/// The form of an event's page, for umpires.
pub fn edit_routes() -> Router<Arc<App>> {
    Router::new()
        .route("/events/{name}/edit", get(edit::show).post(edit::send))
        .route("/umpire/event", get(edit::start))
}
