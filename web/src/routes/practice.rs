//! Practice matches: the same addresses and pages as the record, each marked as practice.
//!
//! The short name in an address says if its match is practice. Some pages are for the record alone.

use app::is_practice;
use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use page::PracticeMark;
use web_http::Problem;

fn short_name(path: &str) -> Option<&str> {
    let mut parts = path.split('/').skip_while(|part| *part != "m");
    parts.nth(1)?.split('.').next()
}

fn api_name(path: &str) -> Option<&str> {
    path.strip_prefix("/api/v1/matches/")?.split('/').next()
}

/// Pages for the record alone: at the address of a practice match there is none.
pub(super) async fn record_only(request: Request, next: Next) -> Response {
    match short_name(request.uri().path()).filter(|slug| is_practice(slug)) {
        Some(_) => Problem::not_found("Practice matches have no such page.").into_response(),
        None => next.run(request).await,
    }
}

pub(super) async fn unlisted(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let practice = short_name(path).or_else(|| api_name(path)).is_some_and(is_practice);
    let mut response = next.run(request).await;
    if practice {
        let robots = HeaderName::from_static("x-robots-tag");
        response.headers_mut().insert(robots, HeaderValue::from_static("noindex"));
    }
    response
}

/// The mark of the page of an error at this address. A missing match needs no link to delete it.
pub(super) fn mark_of_error(uri: &Uri, status: StatusCode) -> Option<PracticeMark> {
    let slug = short_name(uri.path()).filter(|slug| is_practice(slug))?;
    let for_umpire = uri.path().starts_with("/umpire/") && status != StatusCode::NOT_FOUND;
    Some(PracticeMark { delete: for_umpire.then(|| format!("/umpire/m/{slug}/delete")) })
}

#[cfg(test)]
mod tests {
    use super::*;

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
