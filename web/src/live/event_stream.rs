//! The stream of a match's events. A reader who loses it reconnects with the last event seen, and gets the missed ones.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use app::{App, OpenStream};
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::unfold;
use ledger::Seq;
use serde::Deserialize;
use tokio::sync::broadcast;

use super::connection_limit::{self, LimitReached, StreamPermit};
use super::event::stream_start;
use super::feed_registry::FeedRegistry;
use crate::http::{ErrorKind, Problem, Segments};
use crate::visitor::{Peer, UndeclaredProxy};

/// The seconds to wait before a retry if there is no place.
const RETRY_AFTER_SECONDS: &str = "30";

/// The events that a reader already has.
#[derive(Debug, Default, Deserialize)]
pub(super) struct EventsQuery {
    /// The last entry that the page showed.
    after: Option<u32>,
}

/// `GET /m/{slug}/events`: a reconnecting browser names its last event in `Last-Event-ID`; a newly opened page uses
/// `?after=`.
pub(super) async fn stream(
    State(app): State<Arc<App>>,
    Extension(registry): Extension<Arc<FeedRegistry>>,
    Segments(slug): Segments<String>,
    query: Result<Query<EventsQuery>, QueryRejection>,
    (peer, proxy): (Peer, UndeclaredProxy),
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let match_id = app.matches.match_of(&slug).await?;
    let permit = match registry.limit.acquire(connection_limit::counted_address(peer, proxy)) {
        Ok(permit) => permit,
        Err(reached) => return Ok(limit_reached(reached)),
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.trim().parse().ok());
    let seen = last.or(query.ok().and_then(|query| query.0.after)).map(Seq);
    let joined = registry.join(&app, match_id, seen).await?;
    let first = [stream_start(app.system().now())].into_iter().chain(joined.missed).collect();
    let spectator = Spectator { first, queue: joined.queue, _permit: permit, _counted: app.metrics().open_stream() };
    let body = Body::from_stream(unfold(spectator, |mut spectator| async {
        let event = spectator.next().await?;
        Some((Ok::<Bytes, Infallible>(event), spectator))
    }));
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-store"),
        // Pages of any site may show a match.
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        // A proxy must forward each event at once, without buffering.
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, body).into_response())
}

struct Spectator {
    first: VecDeque<Bytes>,
    queue: broadcast::Receiver<Bytes>,
    /// Released when the connection ends.
    _permit: StreamPermit,
    _counted: OpenStream,
}

impl Spectator {
    /// The next event; none at the end of the stream: the node stops, or this reader is too far behind and should
    /// reconnect.
    async fn next(&mut self) -> Option<Bytes> {
        match self.first.pop_front() {
            Some(first) => Some(first),
            None => self.queue.recv().await.ok(),
        }
    }
}

fn limit_reached(reached: LimitReached) -> Response {
    let (kind, detail) = match reached {
        LimitReached::Address => (
            ErrorKind::TooManyStreams,
            "So many streams are open from your address that there is no place for another. Close one, or open the page \
             again later: it shows the newest moment also without a stream.",
        ),
        LimitReached::Node => (
            ErrorKind::Full,
            "More people watch than this server has places for. The page shows the newest moment also without a stream.",
        ),
    };
    let mut response = Problem::of(kind, detail).into_response();
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static(RETRY_AFTER_SECONDS));
    response
}
