//! For search engines: what they may read, and all addresses.

mod robots;
mod sitemap;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::routing::get;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/robots.txt", get(robots::robots))
        .route("/sitemap.xml", get(sitemap::index))
        .route("/sitemap/{name}", get(sitemap::part))
}
