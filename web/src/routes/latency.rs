//! Measures how long answers take, by the pattern of their address.

use std::sync::Arc;
use std::time::Duration;

use app::App;
use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;

const NO_ROUTE: &str = "none";

/// A request that is measured until this is dropped: with its answer, or because nobody waits for that any more.
struct Measured {
    app: Arc<App>,
    method: Method,
    route: Option<MatchedPath>,
    began: Duration,
    status: Option<u16>,
}

impl Drop for Measured {
    fn drop(&mut self) {
        let took = self.app.system().ticking().saturating_sub(self.began);
        let route = self.route.as_ref().map_or(NO_ROUTE, MatchedPath::as_str);
        self.app.metrics().answered(self.method.as_str(), route, self.status, took);
    }
}

pub(super) async fn measure(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let began = app.system().ticking();
    let (method, route) = (request.method().clone(), request.extensions().get::<MatchedPath>().cloned());
    let mut measured = Measured { app, method, route, began, status: None };
    let response = next.run(request).await;
    measured.status = Some(response.status().as_u16());
    response
}
