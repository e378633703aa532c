//! All addresses on one screen, and the rules for every answer.

mod compression;
mod costs;
mod latency;
mod list_cache;
mod practice;
mod reader_threads;
mod refusal_log;

use std::sync::Arc;
use std::time::Duration;

use app::App;
use app::account::{Authorization, RateLimit, RateLimits};
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{DefaultBodyLimit, MatchedPath, RawPathParams, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, Version, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Router};
use tokio::time::timeout;

use self::list_cache::ListCache;
use self::reader_threads::ReaderState;
use account::{registered, sign_in, webhooks};
use discord::Discord;
use page::assets;
use reading::{archive, crawlers, events, feeds, guide, log, people, rules, security, statistics, style, verify};
use stage::{guess, importing, live, play, umpire, whatif};
use web_http::visitor::{Peer, cookie, seat_cookie};
use web_http::{ErrorKind, PendingProblem, Problem, SiteAddress, Waited, is_https};

/// The time limit for a page. A database that stops in the middle of an answer reports nothing at all.
const PAGE_TIME_MAX: Duration = Duration::from_secs(15);
/// What no page here asks a browser for.
const UNUSED_FEATURES: &str =
    "camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), usb=()";
/// The largest form: an imported match is a few kB.
const BODY_MAX_BYTES: usize = 256 * 1024;

pub fn app(app: Arc<App>) -> Router {
    site(app, Arc::default(), DiscordApps::default())
}

#[derive(Clone, Debug, Default)]
pub struct DiscordApps {
    pub commands: Option<Arc<Discord>>,
    pub sign_in: Option<Arc<Authorization>>,
}

pub fn site(app: Arc<App>, limits: Arc<RateLimits>, discord_apps: DiscordApps) -> Router {
    let lists = Router::new()
        .merge(archive::lists())
        .merge(people::routes())
        .merge(events::routes())
        .merge(feeds::routes())
        .merge(statistics::routes())
        .merge(style::routes())
        .route_layer(from_fn_with_state(ListCache::of(app.clone()), list_cache::serve));
    let of_any_match = Router::new()
        .merge(archive::routes(&app))
        .merge(verify::routes(&app))
        .merge(umpire::routes())
        .merge(log::routes())
        .merge(play::routes())
        .merge(live::routes())
        .merge(whatif::routes())
        .merge(guess::routes())
        .merge(api::routes(&app))
        .merge(guide::routes())
        .merge(assets::routes());
    let of_the_record = Router::new()
        .merge(lists)
        .merge(registered::routes())
        .merge(rules::routes())
        .merge(security::routes())
        .merge(crawlers::routes())
        .merge(sign_in::routes(discord_apps.sign_in))
        .merge(importing::routes())
        .merge(archive::known_results())
        .merge(events::edit_routes())
        .merge(webhooks::routes())
        .merge(discord::routes(discord_apps.commands))
        .route_layer(from_fn(practice::record_only));
    let all = of_any_match
        .merge(of_the_record)
        .fallback(nowhere)
        .method_not_allowed_fallback(async || {
            let detail = "This address takes no such request. If you came back to a form, open it again.";
            Problem::of(ErrorKind::MethodNotAllowed, detail)
        })
        .layer(from_fn_with_state(app.clone(), costs::limit))
        .layer(from_fn_with_state(app.clone(), limit_seats))
        .layer(from_fn_with_state(app.clone(), note_route))
        .layer(from_fn_with_state(app.clone(), acknowledge))
        .layer(from_fn_with_state(app.clone(), latency::measure))
        .layer(Extension(limits))
        .with_state(app.clone());
    // What follows is outside the routes: these add the Allow header, which the guard reads.
    Router::new()
        .fallback_service(all)
        .layer(from_fn(practice::unlisted))
        .layer(DefaultBodyLimit::max(BODY_MAX_BYTES))
        .layer(from_fn(guard))
        .layer(from_fn_with_state(app.clone(), close_when_draining))
        .layer(from_fn_with_state(ReaderState::of(app), reader_threads::serve))
}

/// The answer for unknown addresses. An address with a slash too many leads to the one without.
async fn nowhere(uri: Uri) -> Response {
    match without_slash(&uri) {
        Some(page) => Redirect::permanent(&page).into_response(),
        None => Problem::not_found("There is no page at this address.").into_response(),
    }
}

/// An address without its trailing slash; none if it has no trailing slash. It begins with exactly one slash: with two
/// it would be the address of another site, and browsers read a backslash as a slash.
fn without_slash(uri: &Uri) -> Option<String> {
    let page = uri.path().strip_suffix('/')?.trim_matches(['/', '\\']);
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    (!page.is_empty()).then(|| format!("/{page}{query}"))
}

/// Counts a browser's requests for a seat by the seat's cookie, because many players may share an address.
///
/// The address is read as its handler reads it: an escaped letter is a letter.
async fn limit_seats(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    parts: Result<RawPathParams, RawPathParamsRejection>,
    request: Request,
    next: Next,
) -> Response {
    let part = |name| parts.iter().flatten().find(|(known, _)| *known == name).map(|(_, part)| part);
    if request.method() == Method::POST
        && let (Some(slug), Some(seat)) = (part("slug"), part("seat"))
        && let Some(cookie) = cookie(request.headers(), &seat_cookie(request.headers(), slug, seat))
        && let Err(many) = limits.count(app.system(), RateLimit::Seat, cookie.hash().bytes())
    {
        return Problem::too_many(many.retry_seconds).into_response();
    }
    next.run(request).await
}

/// Answers an act once the standbys have what it committed, or what it found committed by the same act before.
async fn acknowledge(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD) {
        return next.run(request).await;
    }
    let acknowledges = |response: &Response| {
        let is_error = response.status().is_client_error() || response.status().is_server_error();
        !is_error && response.extensions().get::<Waited>().is_none()
    };
    app.kept(next.run(request), acknowledges).await.unwrap_or_else(|error| Problem::from(error).into_response())
}

/// Closes connections after their answers while this node is about to stop: a proxy that sends its next request over one
/// of them, at the very moment when it is closed, could not know if that was read.
async fn close_when_draining(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    if app.is_draining() {
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Leaves the route's pattern on an answer that reports an error, for the log. An address itself can have a secret in it.
/// A refused right and an exceeded limit are logged here.
async fn note_route(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    request: Request,
    next: Next,
) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let (method, peer) = (request.method().clone(), Peer::of(request.extensions()));
    let mut response = next.run(request).await;
    if let Some(problem) = response.extensions().get::<Problem>() {
        refusal_log::write(&app, &limits, problem, &method, route.as_ref(), peer);
    }
    if let Some(route) = route.filter(|_| response.extensions().get::<Problem>().is_some()) {
        response.extensions_mut().insert(route);
    }
    response
}

fn log_failure(method: &Method, response: &Response) {
    let route = response.extensions().get::<MatchedPath>().map_or("no route", MatchedPath::as_str);
    let is_pending = response.extensions().get::<PendingProblem>().is_some();
    match response.extensions().get::<Problem>() {
        // A form that is shown again with its refusal is no error of a request.
        Some(problem) if is_pending || problem.status().is_server_error() => problem.log(method, route),
        None if response.status() == StatusCode::INTERNAL_SERVER_ERROR => {
            tracing::error!(%method, "a request failed without a reason");
        }
        _ => {}
    }
}

/// True if a path stands for control characters. No address here has any, and no header can repeat them.
fn has_control(path: &str) -> bool {
    let escapes = path.as_bytes().windows(3).filter(|escape| escape.first() == Some(&b'%'));
    escapes
        .filter_map(|escape| str::from_utf8(escape.get(1..)?).ok())
        .any(|digits| u8::from_str_radix(digits, 16).is_ok_and(|byte| byte.is_ascii_control()))
}

/// Refuses forms from other sites, answers programs in a format that they can read, and sets the headers of every
/// answer.
async fn guard(mut request: Request, next: Next) -> Response {
    let (format, uri) = (RefusalFormat::of(request.headers(), request.uri().path()), request.uri().clone());
    let method = request.method().clone();
    let changes = request.method() != Method::GET && request.method() != Method::HEAD;
    // Programs send a token with every request, and cookies have no effect there: another site cannot make them send a
    // token.
    let by_token = request.uri().path().starts_with("/api/");
    let foreign = changes && !by_token && is_foreign(request.headers(), request.uri().path());
    let hosts = request.headers().get_all(header::HOST).iter().count();
    let ambiguous = hosts > 1 || (hosts == 0 && request.version() == Version::HTTP_11);
    // From here on, the request has this site's own address in place of the one that it claims.
    if let Some(site) = request.extensions().get::<SiteAddress>().cloned() {
        site.apply(request.headers_mut());
    }
    let https = is_https(request.headers());
    let mut response = if ambiguous {
        // RFC 9112, section 3.2: a proxy in front may have read another one than we would.
        let detail = "A request has exactly one Host header. Name the site that you ask, once.";
        Problem::of(ErrorKind::Malformed, detail).into_response()
    } else if method == Method::OPTIONS && (by_token || would_read(request.headers())) {
        api::preflight(if by_token { "GET, POST, DELETE" } else { "GET, HEAD" })
    } else if has_control(uri.path()) {
        Problem::not_found("There is no page at this address.").into_response()
    } else if foreign {
        let detail = "This form was sent by another site, so nothing was done. Open the page here and send it again.";
        Problem::of(ErrorKind::ForeignForm, detail).into_response()
    } else if changes {
        next.run(request).await
    } else {
        let late = |_| Problem::away("The answer takes too long just now. Ask again in a moment.").into_response();
        timeout(PAGE_TIME_MAX, next.run(request)).await.unwrap_or_else(late)
    };
    log_failure(&method, &response);
    let pending = response.extensions_mut().remove::<PendingProblem>().is_some();
    if let Some(mut problem) = response.extensions_mut().remove::<Problem>()
        && (pending || format != RefusalFormat::Page)
    {
        if format != RefusalFormat::Page && problem.kind == ErrorKind::MethodNotAllowed {
            problem.detail = api::untaken(&method, response.headers());
        }
        let mut refusal = format.write(&problem, &uri);
        for (name, value) in response.headers() {
            if name != header::CONTENT_TYPE && name != header::CONTENT_LENGTH {
                refusal.headers_mut().insert(name, value.clone());
            }
        }
        // Any page that a program runs in may read the reason of a refusal: no cookie influences it.
        if format != RefusalFormat::Page && (by_token || !changes) {
            refusal.headers_mut().insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
            let exposed = refusal.headers_mut().entry(header::ACCESS_CONTROL_EXPOSE_HEADERS);
            exposed.or_insert(HeaderValue::from_static("retry-after"));
        }
        response = refusal;
    } else if response.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let detail = "This is larger than any form of ours: at most 256 kB.";
        response = format.write(&Problem::of(ErrorKind::TooLarge, detail), &uri);
    }
    set_headers(response.headers_mut(), https);
    response
}

fn set_headers(headers: &mut HeaderMap, https: bool) {
    let policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; font-src 'self'; \
                  connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
    if https {
        let year = HeaderValue::from_static("max-age=31536000");
        headers.entry(header::STRICT_TRANSPORT_SECURITY).or_insert(year);
    }
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("permissions-policy"), UNUSED_FEATURES),
    ] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RefusalFormat {
    Page,
    Json,
    Text,
}

impl RefusalFormat {
    fn of(headers: &HeaderMap, path: &str) -> Self {
        let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
        let person = accept.contains("text/html");
        let ends_in = |formats: &[&str]| formats.iter().any(|format| path.ends_with(format));
        let json = path.starts_with("/api/") || path == "/oembed" || ends_in(&[".json", ".ndjson"]);
        if json || (accept.contains("json") && !person) {
            Self::Json
        } else if ends_in(&[".csv", ".dmn", ".png", ".gif", ".svg"]) && !person {
            Self::Text
        } else {
            Self::Page
        }
    }

    fn write(self, problem: &Problem, uri: &Uri) -> Response {
        match self {
            Self::Page => page::problem_page(problem, practice::mark_of_error(uri, problem.status())),
            Self::Json => problem.to_json(),
            Self::Text => problem.to_text(),
        }
    }
}

/// True if a browser asks on behalf of another site's page that wants to read the answer.
fn would_read(headers: &HeaderMap) -> bool {
    let method = headers.get(header::ACCESS_CONTROL_REQUEST_METHOD);
    method.is_some_and(|method| method == Method::GET.as_str() || method == Method::HEAD.as_str())
}

/// True if a browser says that another site sent this. Programs do not say so, and never carry our cookies by accident.
///
/// The players' pages send no referrer, so a browser that sends nothing more calls their origin `null`. Their cookies
/// are sent only from this site's own pages.
fn is_foreign(headers: &HeaderMap, path: &str) -> bool {
    let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
    match text(HeaderName::from_static("sec-fetch-site")) {
        Some(site) => !matches!(site, "same-origin" | "none"),
        None => match (text(header::ORIGIN), text(header::HOST)) {
            (Some("null"), _) if path.starts_with("/play/") => false,
            (Some(origin), Some(host)) => origin.split_once("://").is_none_or(|(_, from)| from != host),
            _ => false,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn a_slash_too_many_leads_to_no_other_site() {
        for (asked, found) in [
            ("/archive/?q=a", Some("/archive?q=a")),
            ("/players//", Some("/players")),
            ("//example.com/", Some("/example.com")),
            ("/\\example.com/", Some("/example.com")),
            ("/\\/\\example.com//", Some("/example.com")),
            ("/archive", None),
            ("/", None),
            ("//", None),
        ] {
            let asked: Uri = asked.parse().unwrap();
            assert_eq!(without_slash(&asked).as_deref(), found, "{asked}");
        }
    }

    #[test]
    fn forms_of_other_sites_are_foreign() {
        assert!(is_foreign(&headers(&[("sec-fetch-site", "cross-site")]), "/umpire"));
        assert!(is_foreign(&headers(&[("sec-fetch-site", "same-site")]), "/umpire"));
        assert!(is_foreign(&headers(&[("origin", "https://evil.example"), ("host", "127.0.0.1:8080")]), "/umpire"));
        assert!(is_foreign(&headers(&[("origin", "null"), ("host", "127.0.0.1:8080")]), "/umpire"));
        assert!(!is_foreign(&headers(&[("origin", "http://127.0.0.1:8080"), ("host", "127.0.0.1:8080")]), "/umpire"));
        assert!(!is_foreign(&headers(&[("sec-fetch-site", "same-origin")]), "/umpire"));
        assert!(!is_foreign(&headers(&[]), "/umpire"));
        assert!(!is_foreign(&headers(&[("origin", "null"), ("host", "127.0.0.1:8080")]), "/play/m/x/p1/submit"));
        assert!(is_foreign(&headers(&[("sec-fetch-site", "cross-site"), ("origin", "null")]), "/play/m/x/p1/submit"));
    }

    #[test]
    fn control_characters_are_found_however_they_are_written() {
        for path in ["/play/m/%0d%0aX/p1/submit", "/players/a%00", "/%7F", "/a%1f"] {
            assert!(has_control(path), "{path}");
        }
        for path in ["/", "/players/j%C3%A4n", "/players/a%20b", "/%", "/%zz", "/%0"] {
            assert!(!has_control(path), "{path}");
        }
    }

    #[test]
    fn programs_are_answered_as_they_can_read_it() {
        assert_eq!(RefusalFormat::of(&headers(&[("accept", "application/json")]), "/m/x"), RefusalFormat::Json);
        assert_eq!(RefusalFormat::of(&headers(&[]), "/m/x.json"), RefusalFormat::Json);
        assert_eq!(RefusalFormat::of(&headers(&[("accept", "*/*")]), "/archive.csv"), RefusalFormat::Text);
        assert_eq!(RefusalFormat::of(&headers(&[("accept", "text/html,*/*")]), "/archive.csv"), RefusalFormat::Page);
        assert_eq!(
            RefusalFormat::of(&headers(&[("accept", "text/html,application/json")]), "/m/x"),
            RefusalFormat::Page
        );
    }
}
