//! The stream of events of a match, or of all matches that a browser shows: it may open few streams, and has many pages. A
//! reader who loses it reconnects with the last event seen, and gets the missed ones.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use app::{App, AppError, OpenStream};
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{BoxStream, SelectAll, StreamExt, select_all, unfold};
use ledger::{MatchId, Seq};
use serde::Deserialize;
use tokio::sync::broadcast;

use super::connection_limit::{self, LimitReached, StreamPermit};
use super::event::stream_start;
use super::feed_registry::FeedRegistry;
use web_http::visitor::{Peer, UndeclaredProxy};
use web_http::{ErrorKind, Problem, Segments};

/// The seconds to wait before a retry if there is no place.
const RETRY_AFTER_SECONDS: &str = "30";
/// The most matches of a stream. The pages of others look for news from time to time.
const MATCHES_MAX: usize = 24;

#[derive(Debug, Default, Deserialize)]
pub(super) struct EventsQuery {
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
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.trim().parse().ok());
    let seen = last.or(query.ok().and_then(|query| query.0.after)).map(Seq);
    let match_id = app.matches.match_of(&slug).await?;
    spectate(&app, &registry, &[(match_id, seen)], (peer, proxy)).await
}

#[derive(Debug, Deserialize)]
pub(super) struct MatchesQuery {
    of: String,
}

/// `GET /live/events?of=`: each event names its match. Matches that do not exist any more are left out.
pub(super) async fn stream_of_many(
    State(app): State<Arc<App>>,
    Extension(registry): Extension<Arc<FeedRegistry>>,
    Query(query): Query<MatchesQuery>,
    from: (Peer, UndeclaredProxy),
) -> Result<Response, Problem> {
    let mut watched = Vec::new();
    for named in query.of.split(',').take(MATCHES_MAX) {
        let (slug, seen) = named.split_once('.').unwrap_or((named, ""));
        match app.matches.match_of(slug).await {
            Ok(match_id) => watched.push((match_id, seen.parse().ok().map(Seq))),
            Err(AppError::NoMatch) => {}
            Err(error) => return Err(error.into()),
        }
    }
    if watched.is_empty() {
        return Err(AppError::NoMatch.into());
    }
    spectate(&app, &registry, &watched, from).await
}

async fn spectate(
    app: &Arc<App>,
    registry: &Arc<FeedRegistry>,
    watched: &[(MatchId, Option<Seq>)],
    (peer, proxy): (Peer, UndeclaredProxy),
) -> Result<Response, Problem> {
    let permit = match registry.limit.acquire(connection_limit::counted_address(peer, proxy)) {
        Ok(permit) => permit,
        Err(reached) => return Ok(limit_reached(reached)),
    };
    let mut first = VecDeque::from([stream_start(app.system().now())]);
    let mut queues = Vec::new();
    for (match_id, seen) in watched {
        let joined = registry.join(app, *match_id, *seen).await?;
        first.extend(joined.missed);
        queues.push(events(joined.queue));
    }
    let queues = select_all(queues);
    let spectator = Spectator { first, queues, _permit: permit, _counted: app.metrics().open_stream() };
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

/// The events of a match, and none at their end: the node stops, or this reader is too far behind and should reconnect.
fn events(queue: broadcast::Receiver<Bytes>) -> BoxStream<'static, Option<Bytes>> {
    let next = |queue: Option<broadcast::Receiver<Bytes>>| async move {
        let mut queue = queue?;
        Some(queue.recv().await.map_or((None, None), |event| (Some(event), Some(queue))))
    };
    unfold(Some(queue), next).boxed()
}

struct Spectator {
    first: VecDeque<Bytes>,
    queues: SelectAll<BoxStream<'static, Option<Bytes>>>,
    _permit: StreamPermit,
    _counted: OpenStream,
}

impl Spectator {
    /// The next event; none at the end of the first match's events, where the reader should reconnect.
    async fn next(&mut self) -> Option<Bytes> {
        match self.first.pop_front() {
            Some(first) => Some(first),
            None => self.queues.next().await.flatten(),
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
