//! Practice matches: the same addresses and pages over the practice book, each marked as practice.
//!
//! The short name in an address decides its book. Pages are marked here, after they are made, so that no page can
//! forget the mark. An address without a short name never leads to the practice book. The API chooses by itself
//! (`api/book_of.rs`), because a seat's token also names a match, and says in its answers which matches they are about.

use std::sync::Arc;

use app::account::Limits;
use app::book::{Book, BookError, is_practice};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state, map_response};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use tokio::sync::OnceCell;
use tower_service::Service;

use super::limit_seats;
use crate::page::{OfPractice, Problem};
use crate::{archive, live, log, play, umpire, verify, whatif};

/// The largest page: a long match with all of its entries has a few MB.
const PAGE_MAX_BYTES: usize = 64 * 1024 * 1024;
/// The beginning of every practice page.
const MARK: &str = "<div class=\"notice\" data-kind=\"practice\"><p><b>Practice: not in the record.</b> Nothing of this match is \
                    in the log or in the archive. Its umpire can delete it whole, and then nothing shows that it was \
                    played.</p></div>\n";
/// The same for its umpires.
const MARK_UMPIRE: &str = "<div class=\"notice\" data-kind=\"practice\"><p><b>Practice: not in the record.</b> Nothing of this \
                           match is in the log or in the archive, whatever these forms say of recording. \
                           <a href=\"DELETE\">Delete it whole</a> when you need it no more.</p></div>\n";

/// The site over the practice book, made on the first request for it.
#[derive(Clone)]
pub(super) struct Practice {
    official: Arc<Book>,
    limits: Arc<Limits>,
    site: Arc<OnceCell<Router>>,
}

impl Practice {
    pub(super) fn beside(official: Arc<Book>, limits: Arc<Limits>) -> Self {
        Self { official, limits, site: Arc::default() }
    }

    async fn site(&self) -> Result<&Router, BookError> {
        self.site
            .get_or_try_init(async || {
                let book = self.official.practice().await?.clone();
                let site = Router::new()
                    .merge(archive::routes())
                    .merge(verify::routes())
                    .merge(umpire::routes())
                    .merge(log::routes())
                    .merge(play::routes())
                    .merge(live::routes())
                    .merge(whatif::routes())
                    .layer(from_fn_with_state(book.clone(), limit_seats))
                    .layer(Extension(self.limits.clone()))
                    .fallback(async || Problem::not_found("Practice matches have no such page."))
                    .with_state(book)
                    .layer(map_response(unlisted));
                Ok(site)
            })
            .await
    }
}

/// Sends a request to the book of its address.
pub(super) async fn choose(State(practice): State<Practice>, request: Request, next: Next) -> Response {
    if !short_name(request.uri().path()).is_some_and(is_practice) {
        let practised = api_name(request.uri().path()).is_some_and(is_practice);
        let mut response = next.run(request).await;
        if practised {
            return unlisted(response).await;
        }
        return match response.extensions_mut().remove::<OfPractice>() {
            Some(OfPractice) => marked(response, MARK).await,
            None => response,
        };
    }
    let mark = mark(request.uri().path());
    match practice.site().await {
        // A router is always ready.
        Ok(site) => match site.clone().call(request).await {
            // The mark of a missing match needs no link to delete it.
            Ok(response) if response.status() == StatusCode::NOT_FOUND => marked(response, MARK).await,
            Ok(response) => marked(response, &mark).await,
            Err(never) => match never {},
        },
        Err(error) => Problem::from(error).into_response(),
    }
}

/// The short name in an address: the text after `/m/`, up to a dot or the next part.
fn short_name(path: &str) -> Option<&str> {
    let mut parts = path.split('/').skip_while(|part| *part != "m");
    parts.nth(1)?.split('.').next()
}

/// The short name in an address of the API.
fn api_name(path: &str) -> Option<&str> {
    path.strip_prefix("/api/v1/matches/")?.split('/').next()
}

/// The mark at the beginning of a page at this address.
fn mark(path: &str) -> String {
    match short_name(path) {
        Some(slug) if path.starts_with("/umpire/") => {
            MARK_UMPIRE.replace("DELETE", &format!("/umpire/m/{slug}/delete"))
        }
        _ => MARK.to_owned(),
    }
}

/// Marks a page; other answers are unchanged.
async fn marked(response: Response, mark: &str) -> Response {
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    if !kind.is_some_and(|kind| kind.starts_with("text/html")) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let body = match to_bytes(body, PAGE_MAX_BYTES).await {
        Ok(body) => body,
        Err(error) => return Problem::broken(&error).into_response(),
    };
    let page = String::from_utf8_lossy(&body).replacen("<title>", "<title>Practice: ", 1);
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(begun_with(mark, &page)))
}

/// A page with this mark at the beginning of its content.
fn begun_with(mark: &str, page: &str) -> String {
    let parts = page.split_once("<main").and_then(|(before, rest)| Some((before, rest.split_once('>')?)));
    let Some((before, (tag, rest))) = parts else { return page.to_owned() };
    format!("{before}<main{tag}>\n{mark}{rest}")
}

/// Keeps practice out of search engines.
async fn unlisted(mut response: Response) -> Response {
    let robots = HeaderName::from_static("x-robots-tag");
    response.headers_mut().insert(robots, HeaderValue::from_static("noindex"));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_marked_where_its_own_words_begin() {
        assert_eq!(begun_with("!", "<p><main id=\"page\">a<main>b"), "<p><main id=\"page\">\n!a<main>b");
        for none in ["", "<main", "<p>a</p>"] {
            assert_eq!(begun_with("!", none), none);
        }
    }

    #[test]
    fn the_short_name_is_found_in_every_address_of_a_match() {
        for path in [
            "/m/0123456789",
            "/m/0123456789.json",
            "/m/0123456789/r/7b/after.svg",
            "/m/0123456789/verify.html",
            "/umpire/m/0123456789/record",
            "/play/m/0123456789/p1/receipt/d1/0/file",
            "/embed/m/0123456789",
        ] {
            assert_eq!(short_name(path), Some("0123456789"), "{path}");
        }
        for path in ["/", "/m", "/archive", "/umpire/open", "/play/0123456789", "/api/v1/matches/0123456789"] {
            assert_eq!(short_name(path), None, "{path}");
        }
        for path in ["/api/v1/matches/0123456789", "/api/v1/matches/0123456789/moves"] {
            assert_eq!(api_name(path), Some("0123456789"), "{path}");
        }
    }
}
