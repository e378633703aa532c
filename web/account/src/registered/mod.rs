//! Registered players: the page where a key is registered, and the page of each player with its chain. The keys are made
//! and used by a browser's script or by `matchbook player`; the server gets what they signed.

mod player;
mod register;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::routing::get;
use record::body::SignedAct;
use serde::Deserialize;

use web_http::Problem;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/registered", get(register::show).post(register::register))
        .route("/registered/{player}", get(player::show).post(player::enter))
        .route("/registered/{player}/chain.ndjson", get(player::chain))
}

#[derive(Deserialize)]
struct Fields {
    signed: String,
}

impl Fields {
    fn act(&self) -> Result<SignedAct, Problem> {
        serde_json::from_str(self.signed.trim()).map_err(|_| {
            Problem::refused(
                "This is not what the browser or the command signed: one line that begins with { and ends with }.",
            )
        })
    }
}
