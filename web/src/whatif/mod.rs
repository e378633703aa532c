//! Another move from a moment of a match that is over, and what would have come of it by the rules.
//!
//! A line of thought stands in the address of its page and nowhere else: nothing is kept, nothing enters the record, and
//! nothing is drawn. Of the book a history is read, and only of a match whose result was entered.

mod answer;
mod question;
mod show;
mod start;
mod thought;

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread::available_parallelism;

use app::book::Book;
use axum::routing::get;
use axum::{Extension, Router};
use tokio::sync::Semaphore;

/// Turns to think, as many as there are processors: a request plays up to forty lines.
#[derive(Debug)]
struct Turns(Semaphore);

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Book>> {
    let turns = Turns(Semaphore::new(available_parallelism().map_or(1, NonZeroUsize::get)));
    Router::new()
        .route("/m/{slug}/r/{row}/{beat}/what-if", get(show::show))
        .route("/m/{slug}/struck/{entry}/r/{row}/{beat}/what-if", get(show::struck))
        .layer(Extension(Arc::new(turns)))
}
