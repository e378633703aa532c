//! The pages that cost the server much, and how much one address may ask for.
//!
//! A cost is about 5 ms of a core. An address has 240 of them at once, and four more each second; then the answer is 429.
//! Everything that is not in the table takes about a millisecond at most, is cached, or is limited in another way: forms and
//! the API by their own counts, streams by their number. The requests of a whole range of addresses are counted, too.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use app::App;
use app::account::{RateLimit, RateLimits, subnet};
use axum::Extension;
use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::time::sleep;

use web_http::Problem;
use web_http::visitor::{Peer, UndeclaredProxy};

/// The dear addresses with their costs.
const COSTS: [(&str, NonZeroU32); 13] = [
    // Folds every match of the list.
    ("/archive.dmn", cost(40)),
    ("/archive.csv", cost(12)),
    ("/archive.json", cost(12)),
    ("/archive.ndjson", cost(12)),
    // A bundle with its proofs is read and checked, and fills a file of 800 kB.
    ("/m/{slug}/verify.html", cost(8)),
    ("/m/{slug}/verify", cost(4)),
    // Any situation may be asked for, so nothing is counted before.
    ("/statistics/{game}/{ruleset}/explore", cost(4)),
    ("/statistics/{game}/{ruleset}/explore/matches", cost(4)),
    ("/statistics/{game}/{ruleset}/matches", cost(4)),
    // The answers of up to 700 seats.
    ("/players/{name}/prepare", cost(8)),
    // Thousands of names are compared with what was typed.
    ("/suggest.json", cost(1)),
    // One query over all matches, and up to 50,000 addresses.
    ("/sitemap.xml", cost(20)),
    ("/sitemap/{name}", cost(60)),
];

/// Addresses that are dear as a picture of pixels alone, with its ending and its cost. An animated one is up to sixty
/// pictures of a match, or those of a row.
const PICTURES: [(&str, &str, NonZeroU32); 5] = [
    ("/m/{name}", ".gif", cost(80)),
    ("/m/{slug}/r/{row}", ".gif", cost(12)),
    ("/m/{name}", ".png", cost(4)),
    ("/m/{slug}/r/{row}/{beat}", ".png", cost(4)),
    ("/m/{slug}/struck/{entry}/r/{row}/{beat}", ".png", cost(4)),
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

/// How long a range of addresses that asks for too much waits to hear that, so that it cannot ask again at once.
const REFUSED_AFTER: Duration = Duration::from_millis(500);

pub(super) async fn limit(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    proxy: UndeclaredProxy,
    request: Request,
    next: Next,
) -> Response {
    let reads = matches!(*request.method(), Method::GET | Method::HEAD);
    if let Some(address) = Peer::of(request.extensions()).outside(proxy).filter(|_| reads)
        && let Err(many) = limits.count(app.system(), RateLimit::Subnet, &subnet(address))
    {
        sleep(REFUSED_AFTER).await;
        return Problem::too_many(many.retry_seconds).into_response();
    }
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
        assert_eq!(costs("/m/{name}", "/m/4kd2m9x7qp.png"), 4);
        assert_eq!(costs("/m/{name}", "/m/4kd2m9x7qp.gif"), 80);
        assert_eq!(costs("/m/{name}", "/m/4kd2m9x7qp.gi%66"), 80);
        assert_eq!(costs("/m/{slug}/r/{row}/{beat}", "/m/4kd2m9x7qp/r/3/after"), 0);
        assert_eq!(costs("/m/{slug}/r/{row}/{beat}", "/m/4kd2m9x7qp/r/3/after.png"), 4);
        assert_eq!(costs("/m/{slug}/verify", "/m/4kd2m9x7qp/verify"), 4);
    }
}
