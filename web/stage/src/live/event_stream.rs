//! The stream of events of a match, or of all matches that a browser shows: it may open few streams, and has many pages. A
//! reader who loses it reconnects with the last event seen, and gets the missed ones.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;

use app::{App, AppError, OpenStream, by_umpire, slug};
use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream::{BoxStream, SelectAll, StreamExt, select_all, unfold};
use ledger::{Author, MatchId, Seq};
use serde::Deserialize;
use tokio::sync::broadcast::{self, error::RecvError};

use super::connection_limit::{self, LimitReached, StreamPermit};
use super::event::{sent, stream_start};
use super::feed_registry::FeedRegistry;
use web_http::visitor::{Peer, UndeclaredProxy, Visitor};
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
    spectate(&app, &registry, &[(match_id, seen)], Vec::new(), (peer, proxy)).await
}

#[derive(Debug, Deserialize)]
pub(super) struct MatchesQuery {
    of: String,
}

/// `GET /live/events?of=`: each event names its match. Matches that do not exist any more are left out. An umpire is also told
/// of each submission in a match of theirs.
pub(super) async fn stream_of_many(
    State(app): State<Arc<App>>,
    Extension(registry): Extension<Arc<FeedRegistry>>,
    Query(query): Query<MatchesQuery>,
    visitor: Visitor,
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
    let led = match &visitor.umpire {
        Some(umpire) => led(&app, &watched, &by_umpire(&umpire.id)).await?,
        None => Vec::new(),
    };
    spectate(&app, &registry, &watched, led, from).await
}

/// The matches that this umpire leads or helps in.
async fn led(app: &App, watched: &[(MatchId, Option<Seq>)], umpire: &Author) -> Result<Vec<MatchId>, Problem> {
    let mut led = Vec::new();
    for (match_id, _) in watched {
        let history = app.matches.history(*match_id).await?;
        match app.umpires.check(&history, umpire).await {
            Ok(()) => led.push(*match_id),
            Err(AppError::NotYourMatch) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(led)
}

async fn spectate(
    app: &Arc<App>,
    registry: &Arc<FeedRegistry>,
    watched: &[(MatchId, Option<Seq>)],
    led: Vec<MatchId>,
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
    if !led.is_empty() {
        queues.push(submissions(app.feed.submissions(), led));
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

/// The submissions in these matches. Whoever is too far behind looks from time to time as well.
fn submissions(queue: broadcast::Receiver<MatchId>, led: Vec<MatchId>) -> BoxStream<'static, Option<Bytes>> {
    let next = |(mut queue, led): (broadcast::Receiver<MatchId>, Vec<MatchId>)| async move {
        loop {
            match queue.recv().await {
                Ok(match_id) if led.contains(&match_id) => return Some((Some(sent(&slug(match_id))), (queue, led))),
                Ok(_) | Err(RecvError::Lagged(_)) => {}
                Err(RecvError::Closed) => return None,
            }
        }
    };
    unfold((queue, led), next).boxed()
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
