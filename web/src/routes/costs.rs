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

/// Addresses that are dear as a picture of pixels alone, with its ending and its cost. An animated one is up to sixty
/// pictures of a match, or those of a row.
const PICTURES: [(&str, &str, NonZeroU32); 5] = [
    ("/m/{name}", ".gif", cost(20)),
    ("/m/{slug}/r/{row}", ".gif", cost(3)),
    ("/m/{name}", ".png", cost(1)),
    ("/m/{slug}/r/{row}/{beat}", ".png", cost(1)),
    ("/m/{slug}/struck/{entry}/r/{row}/{beat}", ".png", cost(1)),
];

/// What a page costs; none for a cheap one. `route` is the address with names in the places of what varies. No address of a
/// picture needs a letter that is escaped, and one that has some counts as the dearest.
fn cost_of(route: &str, address: &str) -> Option<NonZeroU32> {
    let page = COSTS.iter().find(|(dear, _)| *dear == route).map(|(_, cost)| *cost);
    let picture = PICTURES
        .iter()
        .find(|(dear, ending, _)| *dear == route && (address.ends_with(ending) || address.contains('%')));
    page.or_else(|| picture.map(|(.., cost)| *cost))
}

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
    if let Some(cost) = cost_of(path, request.uri().path()) {
        let from = Peer::of(request.extensions()).counted();
        if let Err(many) = limits.count_many(app.system(), RateLimit::DearPage, &from, cost) {
            return Problem::too_many(many.retry_seconds).into_response();
        }
    }
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_of_pixels_cost_and_the_pages_beside_them_do_not() {
        let costs = |route, address| cost_of(route, address).map_or(0, NonZeroU32::get);
        assert_eq!(costs("/m/{name}", "/m/4kd2m9x7qp"), 0);
        assert_eq!(costs("/m/{name}", "/m/4kd2m9x7qp.svg"), 0);
        assert_eq!(costs("/m/{name}", "/m/4kd2m9x7qp.png"), 1);
        assert_eq!(costs("/m/{name}", "/m/4kd2m9x7qp.gif"), 20);
        assert_eq!(costs("/m/{name}", "/m/4kd2m9x7qp.gi%66"), 20);
        assert_eq!(costs("/m/{slug}/r/{row}/{beat}", "/m/4kd2m9x7qp/r/3/after"), 0);
        assert_eq!(costs("/m/{slug}/r/{row}/{beat}", "/m/4kd2m9x7qp/r/3/after.png"), 1);
        assert_eq!(costs("/m/{slug}/verify", "/m/4kd2m9x7qp/verify"), 1);
    }
}
