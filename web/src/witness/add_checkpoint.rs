//! `POST /add-checkpoint` (C2SP tlog-witness): the one thing that a witness does.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ledger::store::StoreError;
use ledger::{CosignedAt, Signature, Tree};

use super::Witness;
use super::decision::{Refusal, Request};

/// How often a request is decided anew because another one was first. Each time one of them has advanced.
const TRIES_MAX: u32 = 8;

/// Why a request is not answered with a cosignature.
enum NotCosigned {
    Refused(Refusal),
    Store(StoreError),
    /// Others were first, again and again.
    Busy,
}

/// The request, answered by the status that the specification gives each case.
pub(super) async fn add_checkpoint(State(witness): State<Arc<Witness>>, body: Bytes) -> Response {
    match witness.cosign(&body).await {
        Ok(line) => ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{line}\n")).into_response(),
        Err(not) => not.into_response(),
    }
}

impl Witness {
    async fn cosign(&self, body: &[u8]) -> Result<Signature, NotCosigned> {
        let request = Request::read(body)?;
        let request = request.signed(|origin| self.logs.keys(origin))?;
        let origin = request.checkpoint.origin().as_str();
        for _ in 0..TRIES_MAX {
            let seen = self.seen.seen(origin).await?;
            // The cosignature says that nothing larger had been seen at its time. So the time is taken before the row is:
            // a request that advances the row afterwards has a later one.
            let now = self.mint.now();
            let next = request.decide(&seen.unwrap_or_else(Tree::empty))?;
            // A crash before this leaves nothing; after it, a tree that was seen and is not cosigned: whoever asks again
            // is told its size, and may ask for its cosignature.
            if !self.seen.advance(origin, seen, next, now).await? {
                continue;
            }
            let line = self.key.cosign(request.note.text(), CosignedAt::from(now));
            let mut shown = request.vouched_for();
            // There is room: lines that nobody here knows were left out.
            if shown.add(line.clone()).is_ok() {
                self.seen.keep_note(origin, next, &shown.to_string()).await?;
            }
            tracing::info!(origin, size = %next.size, "cosigned");
            return Ok(line);
        }
        Err(NotCosigned::Busy)
    }
}

impl From<Refusal> for NotCosigned {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<StoreError> for NotCosigned {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl IntoResponse for NotCosigned {
    fn into_response(self) -> Response {
        let refusal = match self {
            Self::Refused(refusal) => refusal,
            Self::Store(error) => {
                tracing::error!(%error, "a checkpoint was not cosigned");
                let said = "The database does not answer, so nothing was cosigned. Ask again in a moment.\n";
                return (StatusCode::INTERNAL_SERVER_ERROR, said).into_response();
            }
            Self::Busy => {
                let said = "Others ask for the same log at this moment. Ask again.\n";
                return (StatusCode::SERVICE_UNAVAILABLE, said).into_response();
            }
        };
        tracing::info!(%refusal, "not cosigned");
        if let Refusal::OtherSize { has, .. } = refusal {
            let size = [(header::CONTENT_TYPE, "text/x.tlog.size")];
            return (StatusCode::CONFLICT, size, format!("{has}\n")).into_response();
        }
        (status(&refusal), format!("{refusal}\n")).into_response()
    }
}

fn status(refusal: &Refusal) -> StatusCode {
    match refusal {
        Refusal::NotARequest
        | Refusal::OldSize
        | Refusal::Hash(..)
        | Refusal::TooManyHashes
        | Refusal::Note(_)
        | Refusal::Checkpoint(_)
        | Refusal::Shrinks { .. }
        | Refusal::TooLarge(_) => StatusCode::BAD_REQUEST,
        Refusal::UnknownLog(_) => StatusCode::NOT_FOUND,
        Refusal::NoSignature(_) | Refusal::NotSigned(_) => StatusCode::FORBIDDEN,
        Refusal::OtherSize { .. } => StatusCode::CONFLICT,
        Refusal::NotConsistent(_) => StatusCode::UNPROCESSABLE_ENTITY,
    }
}
