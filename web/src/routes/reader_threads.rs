//! Where requests are answered. What a clock depends on is answered on the program's own threads. Everything else is answered
//! on the threads of readers, a few requests of each sender at a time: whoever asks for much waits for itself.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use app::App;
use app::queue::SenderQueues;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;

use super::compression::Compressed;
use web_http::accepts_gzip;
use web_http::visitor::Peer;

/// The requests of a sender that are answered at the same time, for each core.
const EACH: usize = 4;

pub(super) struct ReaderState {
    app: Arc<App>,
    compressed: Compressed,
    queues: SenderQueues,
}

impl ReaderState {
    pub(super) fn of(app: Arc<App>) -> Arc<Self> {
        let cores = available_parallelism().map_or(2, NonZeroUsize::get);
        Arc::new(Self {
            compressed: Compressed::of(app.cache_size()),
            queues: SenderQueues::of(EACH.saturating_mul(cores)),
            app,
        })
    }
}

fn is_timed(method: &Method, path: &str) -> bool {
    let changes = !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS);
    changes && ["/play/", "/umpire/m/", "/api/", "/discord/"].iter().any(|place| path.starts_with(place))
}

pub(super) async fn serve(State(readers): State<Arc<ReaderState>>, request: Request, next: Next) -> Response {
    if is_timed(request.method(), request.uri().path()) {
        return next.run(request).await;
    }
    let _turn = readers.queues.turn(Peer::of(request.extensions()).counted()).await;
    let (here, accepts) = (readers.clone(), accepts_gzip(request.headers()));
    let answer = async move { here.compressed.answer(&here.app, accepts, next.run(request).await).await };
    readers.app.readers().run(answer).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_clock_waits_for_is_no_reader_s() {
        for (method, path, timed) in [
            (Method::POST, "/play/m/4kd2m9x7qp/p1/submit", true),
            (Method::POST, "/umpire/m/4kd2m9x7qp/close", true),
            (Method::POST, "/api/v1/seat/submissions", true),
            (Method::DELETE, "/api/v1/matches/4kd2m9x7qp", true),
            (Method::POST, "/discord/interactions", true),
            (Method::GET, "/play/m/4kd2m9x7qp/p1", false),
            (Method::HEAD, "/umpire/m/4kd2m9x7qp", false),
            (Method::POST, "/sign-in", false),
            (Method::GET, "/style", false),
        ] {
            assert_eq!(is_timed(&method, path), timed, "{method} {path}");
        }
    }
}
