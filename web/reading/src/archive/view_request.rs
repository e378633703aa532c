//! A reader's request for a match or for a moment of it.

use std::sync::Arc;

use app::App;
use axum::extract::{FromRequestParts, Query};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use super::picture::PictureQuery;
use web_http::visitor::Visitor;
use web_http::{Problem, ViewParams};

pub(super) struct ViewRequest {
    pub(super) visitor: Visitor,
    pub(super) params: ViewParams,
    pub(super) picture: PictureQuery,
    pub(super) headers: HeaderMap,
}

impl FromRequestParts<Arc<App>> for ViewRequest {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        let params = ViewParams::from_request_parts(parts, app).await?;
        let picture = Query::from_request_parts(parts, app).await.map(|Query(picture)| picture).unwrap_or_default();
        Ok(Self { visitor, params, picture, headers: parts.headers.clone() })
    }
}
