//! A cache of list pages, valid until anything in the lists changes.
//!
//! A list page depends only on its address and on the archive. Its version of the archive is read before the page is
//! made, so the page is at least as new as the version that it is stored under. The version is read again for each
//! reader, so nobody sees less than existed when they asked. Umpires who are signed in have pages of their own.

use std::sync::Arc;

use app::App;
use app::archive::ListPlace;
use app::cache::Cache;
use app::queue::Queue;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use web_http::visitor::session_token;
use web_http::{Problem, is_known, site};

/// The number of pages made at the same time: while one waits for the database, another is drawn.
const CONCURRENT_MAX: usize = 4;
const PAGE_MAX_BYTES: usize = 4 * 1024 * 1024;

#[derive(Clone)]
pub(super) struct ListCache {
    app: Arc<App>,
    pages: Arc<Cache<ListPlace>>,
    readers: Arc<Queue>,
}

#[derive(Clone)]
struct Page {
    headers: HeaderMap,
    body: Bytes,
}

impl ListCache {
    pub(super) fn of(app: Arc<App>) -> Self {
        let pages = app.archive().cache();
        Self { app, pages, readers: Arc::new(Queue::of(CONCURRENT_MAX)) }
    }
}

pub(super) async fn serve(State(cache): State<ListCache>, request: Request, next: Next) -> Response {
    // A HEAD request is answered by making the page.
    if request.method() != Method::GET {
        let _turn = cache.readers.turn().await;
        return next.run(request).await;
    }
    // Also for umpires: the data cached below the page is as new as this version.
    let version = match cache.app.archive().archive_version().await {
        Ok(version) => version,
        Err(error) => return Problem::from(error).into_response(),
    };
    // Anybody can send a session cookie, so pages for signed-in umpires wait in the queue as well.
    if session_token(request.headers()).is_some() {
        let _turn = cache.readers.turn().await;
        return next.run(request).await;
    }
    let asked = request.uri().path_and_query().map_or_else(String::new, ToString::to_string);
    let place = (version, format!("page {} {asked}", site(request.headers())).into());
    let headers = request.headers().clone();
    let make = async {
        let _turn = cache.readers.turn().await;
        let page = Page::of(next.run(request).await).await?;
        let bytes = u64::try_from(asked.len() + page.body.len()).unwrap_or(u64::MAX);
        Ok((page, bytes))
    };
    match cache.pages.get_or_make::<_, Response>(&place, make).await {
        Ok(page) => page.answer(&headers),
        Err(response) => response,
    }
}

impl Page {
    async fn of(response: Response) -> Result<Self, Response> {
        if response.status() != StatusCode::OK {
            return Err(response);
        }
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, PAGE_MAX_BYTES).await.map_err(|error| Problem::broken(&error).into_response())?;
        let mut headers = parts.headers;
        let mark: String = Sha256::digest(&body).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        if let Ok(tag) = HeaderValue::from_str(&format!("W/\"{mark}\"")) {
            headers.insert(header::ETAG, tag);
        }
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        headers.insert(header::VARY, HeaderValue::from_static("cookie"));
        Ok(Self { headers, body })
    }

    fn answer(self, request: &HeaderMap) -> Response {
        let tag = self.headers.get(header::ETAG).and_then(|tag| tag.to_str().ok());
        if tag.is_some_and(|tag| is_known(request, tag)) {
            (StatusCode::NOT_MODIFIED, self.headers).into_response()
        } else {
            (self.headers, Body::from(self.body)).into_response()
        }
    }
}
