//! `/checkpoint`, `/tile/<L>/<N>[.p/<W>]` and `/tile/entries/<N>[.p/<W>]`, as defined by C2SP tlog-tiles.

use std::sync::Arc;

use app::App;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use ledger::TreeSize;
use ledger::tile::TilePath;
use serde::Deserialize;

use super::proof::unread;
use super::{FOR_ALL, TEXT, UNKEPT};
use web_http::Problem;

/// A tile never changes, and a width that was published once exists forever.
const KEPT: (HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));

const BYTES: (HeaderName, HeaderValue) = (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));

#[derive(Deserialize)]
pub(super) struct CheckpointQuery {
    #[serde(default)]
    covers: u64,
}

/// `GET /checkpoint[?covers=N]`: the last checkpoint, or one a few seconds older that has the cosignatures required by the policy.
pub(super) async fn checkpoint(
    State(app): State<Arc<App>>,
    query: Result<Query<CheckpointQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(CheckpointQuery { covers }) = query.map_err(|error| unread(&error, "covers, or nothing"))?;
    if let Some(why) = app.signer().stopped() {
        let said = format!("This log is not signed any more, and this is no checkpoint: {why}.\nSee /log.\n");
        return Ok((StatusCode::SERVICE_UNAVAILABLE, [TEXT, FOR_ALL, UNKEPT], said).into_response());
    }
    let Some(signed) = app.signer().latest() else {
        let said = "No checkpoint is signed yet. Ask again in a moment.\n";
        return Ok((StatusCode::SERVICE_UNAVAILABLE, [TEXT, FOR_ALL, UNKEPT], said).into_response());
    };
    Ok(([TEXT, FOR_ALL, UNKEPT], app.public_log.shown_checkpoint(&signed, TreeSize(covers)).await?).into_response())
}

pub(super) async fn tile(State(app): State<Arc<App>>, uri: Uri) -> Result<Response, Problem> {
    // The path must be unescaped: a path with percent-encoding is another notation, and only one is valid.
    let path: TilePath =
        uri.path().trim_start_matches('/').parse().map_err(|error: ledger::tile::TilePathError| {
            Problem::not_found(format!("There is nothing here: {error}."))
        })?;
    let found = match path {
        TilePath::Hashes(tile) => app.public_log.tile(tile).await?,
        TilePath::Entries { index, width } => app.public_log.entry_bundle(index, width).await?,
    };
    let none = || {
        Problem::not_found(
            "No signed checkpoint covers this tile, so it is not served (yet). Ask for /checkpoint first.",
        )
    };
    Ok(([BYTES, FOR_ALL, KEPT], found.ok_or_else(none)?).into_response())
}
