//! The request of somebody who reads the archive. Its answer may be cached and revalidated.

use std::convert::Infallible;
use std::sync::Arc;

use app::App;
use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::response::Response;
use ledger::Hash;
use serde::Serialize;

use web_http::{Answer, Problem, fresh};

pub(super) struct ReadRequest {
    pub(super) app: Arc<App>,
    pub(super) headers: HeaderMap,
}

impl FromRequestParts<Arc<App>> for ReadRequest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Infallible> {
        Ok(Self { app: app.clone(), headers: parts.headers.clone() })
    }
}

impl ReadRequest {
    /// JSON whose tag names the head.
    pub(super) fn json(&self, head: Hash, body: &impl Serialize) -> Result<Response, Problem> {
        let bytes = serde_json::to_vec(body).map_err(|error| Problem::broken(&error))?;
        Ok(fresh(&self.headers, head, Answer::data("application/json", bytes)))
    }
}
