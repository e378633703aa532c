//! `robots.txt` (RFC 9309): everything may be read, except variants of pages and what is for one person alone.
//!
//! It keeps nothing secret. It saves search engines from a page for each view of each moment.

use axum::http::{HeaderMap, header};
use axum::response::IntoResponse;

use web_http::site;

const RULES: &str = "\
User-agent: *
# The same pages for one seat, without spoilers, in another order, or in the dark.
Disallow: /*?as=
Disallow: /*&as=
Disallow: /*spoilers=
Disallow: /*sort=
Disallow: /*theme=
# Lines that nobody played, and every combination of filters.
Disallow: /*/what-if
Disallow: /*/explore
Disallow: /archive?
Disallow: /archive.
# For one person alone, for forms, and for programs.
Disallow: /play/
Disallow: /umpire
Disallow: /account
Disallow: /sign-in
Disallow: /withdraw
Disallow: /embed/
Disallow: /api/v1/
Disallow: /suggest.json
Disallow: /m/*/events
Disallow: /tile/
";

pub(super) async fn robots(request: HeaderMap) -> impl IntoResponse {
    let site = site(&request);
    let sitemap = if site.is_empty() { String::new() } else { format!("Sitemap: {site}/sitemap.xml\n") };
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{RULES}{sitemap}"))
}
