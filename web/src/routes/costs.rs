//! The pages that cost the server much, and how much one address may ask for.
//!
//! A cost is about 20 ms of a core. An address has 60 of them at once, and one more each second; then the answer is 429.
//! Everything that is not in the table is cheap, cached, or limited in another way: forms and the API by their own counts,
//! streams by their number.

use std::num::NonZeroU32;
use std::sync::Arc;

use app::App;
use app::account::{RateLimit, RateLimits};
use axum::Extension;
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::http::Problem;
use crate::visitor::Peer;

/// The dear addresses with their costs.
const COSTS: [(&str, NonZeroU32); 13] = [
    // Folds every match of the list.
    ("/archive.dmn", cost(10)),
    ("/archive.csv", cost(3)),
    ("/archive.json", cost(3)),
    ("/archive.ndjson", cost(3)),
    // A bundle with its proofs is read and checked, and fills a file of 800 kB.
    ("/m/{slug}/verify.html", cost(2)),
    ("/m/{slug}/verify", cost(1)),
    // Any situation may be asked for, so nothing is counted before.
    ("/statistics/{game}/{ruleset}/explore", cost(1)),
    ("/statistics/{game}/{ruleset}/explore/matches", cost(1)),
    ("/statistics/{game}/{ruleset}/matches", cost(1)),
    ("/statistics/{game}/{ruleset}/followed", cost(1)),
    // The answers of up to 700 seats.
    ("/players/{name}/prepare", cost(2)),
    // One query over all matches, and up to 50,000 addresses.
    ("/sitemap.xml", cost(5)),
    ("/sitemap/{name}", cost(15)),
];

/// Addresses that are dear as an animated picture alone, with its cost: up to sixty pictures of a match, or those of a row.
const ANIMATED: [(&str, NonZeroU32); 2] = [("/m/{name}", cost(20)), ("/m/{slug}/r/{row}", cost(3))];

const fn cost(units: u32) -> NonZeroU32 {
    match NonZeroU32::new(units) {
        Some(units) => units,
        None => NonZeroU32::MIN,
    }
}

/// Counts a request for a dear page by the address that it comes from.
pub(super) async fn limit(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str).unwrap_or_default();
    let animated = request.uri().path().ends_with(".gif");
    let dear = COSTS.iter().chain(ANIMATED.iter().filter(|_| animated)).find(|(dear, _)| *dear == path);
    if let Some((_, cost)) = dear {
        let from = Peer::of(request.extensions()).counted();
        if let Err(many) = limits.count_many(app.system(), RateLimit::DearPage, &from, *cost) {
            return Problem::too_many(many.retry_seconds).into_response();
        }
    }
    next.run(request).await
}
