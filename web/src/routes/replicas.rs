//! Who may be answered by a read replica: readers who send nothing that says who they are, and only read.

use std::sync::Arc;

use app::App;
use app::replicas::{Choice, may_lag};
use axum::body::{Body, HttpBody};
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware::Next;
use axum::response::Response;
use futures_util::{StreamExt, stream};

/// Says by how many seconds an answer may be behind. Without it the primary answered.
const BEHIND: HeaderName = HeaderName::from_static("matchbook-behind");

/// Lets a replica answer a reader. Umpires, players and programs with a token read the primary: they expect to see what they
/// just did.
pub(super) async fn may_answer(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let only_reads = matches!(*request.method(), Method::GET | Method::HEAD);
    let is_somebody = [header::COOKIE, header::AUTHORIZATION].iter().any(|name| request.headers().contains_key(name));
    if !only_reads || is_somebody {
        return next.run(request).await;
    }
    may_lag(async {
        let mut response = next.run(request).await;
        if let Some(behind) = app.logs.replicas().behind()
            && let Ok(seconds) = HeaderValue::try_from(format!("{:.3}", behind.as_secs_f64()))
        {
            response.headers_mut().insert(BEHIND, seconds);
        }
        match Choice::here() {
            Some(choice) if is_file(&response) => response.map(|body| goes_on(choice, body)),
            _ => response,
        }
    })
    .await
}

/// True if an answer is written while it is read, to its end. A page that watches a match reads for hours: by then another
/// replica may be better.
fn is_file(response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE);
    response.body().size_hint().exact().is_none() && kind.is_none_or(|kind| kind != "text/event-stream")
}

/// Reads the rest of an answer where its beginning was read.
fn goes_on(choice: Choice, body: Body) -> Body {
    let mut pieces = body.into_data_stream();
    Body::from_stream(stream::poll_fn(move |context| choice.go_on(|| pieces.poll_next_unpin(context))))
}
