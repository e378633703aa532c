//! `/checkpoint`, `/tile/<L>/<N>[.p/<W>]` and `/tile/entries/<N>[.p/<W>]`, as defined by C2SP tlog-tiles.

use std::sync::Arc;

use app::book::Book;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use ledger::tile::TilePath;

use super::{FOR_ALL, TEXT, UNKEPT};
use crate::page::Problem;

/// A tile never changes, and a width that was published once exists forever.
const KEPT: (HeaderName, HeaderValue) =
    (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=31536000, immutable"));

const BYTES: (HeaderName, HeaderValue) = (header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));

/// `GET /checkpoint`: the last checkpoint, or one a few seconds older that has the cosignatures required by the policy.
pub(super) async fn checkpoint(State(book): State<Arc<Book>>) -> Result<Response, Problem> {
    if let Some(why) = book.signer().stopped() {
        let said = format!("This log is not signed any more, and this is no checkpoint: {why}.\nSee /log.\n");
        return Ok((StatusCode::SERVICE_UNAVAILABLE, [TEXT, FOR_ALL, UNKEPT], said).into_response());
    }
    let Some(signed) = book.signer().latest() else {
        let said = "No checkpoint is signed yet. Ask again in a moment.\n";
        return Ok((StatusCode::SERVICE_UNAVAILABLE, [TEXT, FOR_ALL, UNKEPT], said).into_response());
    };
    Ok(([TEXT, FOR_ALL, UNKEPT], book.shown_checkpoint(&signed).await?).into_response())
}

/// `GET /tile/...`
pub(super) async fn tile(State(book): State<Arc<Book>>, uri: Uri) -> Result<Response, Problem> {
    // The path must be unescaped: a path with percent-encoding is another notation, and only one is valid.
    let path: TilePath =
        uri.path().trim_start_matches('/').parse().map_err(|error: ledger::tile::TilePathError| {
            Problem::not_found(format!("There is nothing here: {error}."))
        })?;
    let found = match path {
        TilePath::Hashes(tile) => book.tile(tile).await?,
        TilePath::Entries { index, width } => book.entry_bundle(index, width).await?,
    };
    let none = || {
        Problem::not_found(
            "No signed checkpoint covers this tile, so it is not served (yet). Ask for /checkpoint first.",
        )
    };
    Ok(([BYTES, FOR_ALL, KEPT], found.ok_or_else(none)?).into_response())
}
