//! The pages on which umpires set up webhooks.

mod form;
mod list;
mod show;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::get;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/umpire/webhooks", get(list::show).post(list::add))
        .route("/umpire/webhooks/{id}", get(show::show).post(show::act))
        .layer(map_response(unkept))
}

/// Some of these answers contain a secret, so no cache may store them.
async fn unkept(mut response: Response) -> Response {
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
