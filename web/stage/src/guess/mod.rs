//! Guess the move: a finished match from its beginning, one player's move asked before each reveal.
//!
//! Nothing is stored. The guesses are in the address, one digit each, so the score is counted anew from the record by
//! whoever opens it.

mod guesses;
mod question;
mod show;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use app::App;
use app::reader_threads::compute;
use axum::routing::get;
use axum::{Extension, Router};
use tokio::sync::Semaphore;

use web_http::Problem;

#[derive(Debug)]
struct QuestionPermits(Semaphore);

impl QuestionPermits {
    async fn draw<T: Send + 'static>(
        &self,
        draw: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        // None when the program shuts down.
        let _permit = self.0.acquire().await.ok();
        compute(draw).await.map_err(|error| Problem::broken(&error))?
    }
}

pub fn routes() -> Router<Arc<App>> {
    let permits = QuestionPermits(Semaphore::new(available_parallelism().map_or(1, NonZeroUsize::get)));
    Router::new()
        .route("/m/{slug}/guess", get(show::choose))
        .route("/m/{slug}/guess/{seat}", get(show::show))
        .layer(Extension(Arc::new(permits)))
}
