//! The last cosigned checkpoint, for monitors of the logs (C2SP tlog-witness, "Monitor Retrieval Mechanism").

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::Witness;

pub(super) async fn checkpoint(State(witness): State<Arc<Witness>>, Path(hash): Path<String>) -> Response {
    let Some(origin) = hash.parse().ok().and_then(|hash| witness.logs.by_hash(&hash)) else {
        return (StatusCode::NOT_FOUND, "This witness watches no log whose origin has this SHA-256.\n").into_response();
    };
    match witness.seen.note(origin.as_str()).await {
        Ok(Some(note)) => {
            let headers = [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
            (headers, note).into_response()
        }
        Ok(None) => {
            (StatusCode::NOT_FOUND, "This witness has not cosigned a checkpoint of this log.\n").into_response()
        }
        Err(error) => {
            tracing::error!(%error, "a checkpoint could not be read");
            (StatusCode::INTERNAL_SERVER_ERROR, "The database does not answer.\n").into_response()
        }
    }
}
