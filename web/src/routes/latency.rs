//! Measures how long answers take, by the pattern of their address.

use std::sync::Arc;

use app::App;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;

/// The route of an address that has none.
const NO_ROUTE: &str = "none";

/// Measures the time until an answer begins.
pub(super) async fn measure(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let (method, route) = (request.method().clone(), request.extensions().get::<MatchedPath>().cloned());
    let began = app.system().ticking();
    let response = next.run(request).await;
    let took = app.system().ticking().saturating_sub(began);
    let route = route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str);
    app.metrics().answered(method.as_str(), route, response.status().as_u16(), took);
    response
}
