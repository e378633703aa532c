//! Refused rights and exceeded limits in the program's log: few lines in a minute, however many there are, and no secret.
//!
//! A line about a seat has neither route nor address: these would tell the operator when a player acts.

use std::sync::atomic::Ordering;

use app::App;
use app::account::{RateLimit, RateLimits};
use axum::extract::MatchedPath;
use axum::http::Method;

use web_http::visitor::Peer;
use web_http::{ErrorKind, Problem};

const fn is_logged(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NoToken
            | ErrorKind::WrongToken
            | ErrorKind::NotChecked
            | ErrorKind::NotYourMatch
            | ErrorKind::AdminsOnly
            | ErrorKind::NotYourSeat
            | ErrorKind::TooManyRequests
            | ErrorKind::TooManyStreams
    )
}

pub(super) fn write(
    app: &App,
    limits: &RateLimits,
    problem: &Problem,
    method: &Method,
    route: Option<&MatchedPath>,
    peer: Peer,
) {
    if !is_logged(problem.kind) {
        return;
    }
    if limits.count(app.system(), RateLimit::RefusalLine, &[]).is_err() {
        limits.unlogged.fetch_add(1, Ordering::Relaxed);
        return;
    }
    let (title, unlogged) = (problem.title(), limits.unlogged.swap(0, Ordering::Relaxed));
    let route = route.map_or("no route", MatchedPath::as_str);
    if route.starts_with("/play") || route.starts_with("/api/v1/seat") {
        tracing::info!(unlogged, "refused to a seat: {title}");
    } else {
        tracing::info!(unlogged, %method, route, address = peer.words(), "refused: {title}");
    }
}
