//! Guess the move: a finished match from its beginning, one player's move asked before each reveal.
//!
//! Nothing is stored. The guesses are in the address, one digit each, so the score is counted anew from the record by
//! whoever opens it.

mod guesses;
mod question;
mod show;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::routing::get;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/m/{slug}/guess", get(show::choose)).route("/m/{slug}/guess/{seat}", get(show::show))
}
