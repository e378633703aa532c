//! `POST /add-checkpoint` (C2SP tlog-witness): the only act of a witness.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ledger::note::{NoteError, VerifyError};
use ledger::witness::{AddCheckpoint, Decision, RequestError};
use ledger::{CosignedAt, Note, OriginLine, Signature, TreeSize};
use store::StoreError;
use thiserror::Error;

use super::Witness;

/// The number of times that a request is decided again because another one was first. Each time, one of them has
/// advanced.
const TRIES_MAX: u32 = 8;

#[derive(Debug, Error)]
enum NotCosigned {
    #[error(transparent)]
    Request(#[from] RequestError),
    #[error("no tree that can be stored has {0} entries")]
    TooLarge(TreeSize),
    #[error("unknown log: this witness does not watch {0}")]
    UnknownLog(OriginLine),
    #[error("invalid signature: {0}")]
    NotSigned(#[from] VerifyError),
    /// The text is a checkpoint, and its signature lines are invalid: no known key has signed it. Other witnesses and
    /// their tests answer 403 here, too.
    #[error("invalid signature: {0}")]
    NoSignature(NoteError),
    #[error("the old size is larger than that of the checkpoint")]
    OldAboveNew,
    /// The body of the answer is only the size, as programs expect it.
    #[error("{0}")]
    Conflict(TreeSize),
    #[error("the consistency proof does not show that this extends what was cosigned here: {0}")]
    Inconsistent(ledger::proof::ConsistencyError),
    #[error("the database does not answer, so nothing was cosigned: ask again in a moment")]
    Store(#[from] StoreError),
    #[error("others ask for the same log at this moment: ask again")]
    Busy,
}

pub(super) async fn add_checkpoint(State(witness): State<Arc<Witness>>, body: Bytes) -> Response {
    match witness.cosign(&body).await {
        Ok(line) => ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], format!("{line}\n")).into_response(),
        Err(not) => not.into_response(),
    }
}

impl Witness {
    async fn cosign(&self, body: &[u8]) -> Result<Signature, NotCosigned> {
        let request = AddCheckpoint::read(body).map_err(NotCosigned::unread)?;
        let keys = self.logs.keys(request.origin());
        let origin = request.origin().as_str();
        for _ in 0..TRIES_MAX {
            let seen = self.seen.seen(origin).await?;
            // The cosignature says that nothing larger had been seen at its time. So the time is taken before the row
            // is read: a request that advances the row afterwards has a later time.
            let now = self.system.now();
            let next = match request.decide(keys, seen) {
                Decision::Cosign(next) if i64::try_from(next.size.0).is_ok() => next,
                Decision::Cosign(next) => return Err(NotCosigned::TooLarge(next.size)),
                Decision::UnknownOrigin => return Err(NotCosigned::UnknownLog(request.origin().clone())),
                Decision::NotSigned => {
                    let why = request.note().verify(keys).err().unwrap_or(VerifyError::NoKnownKey);
                    return Err(NotCosigned::NotSigned(why));
                }
                Decision::OldAboveNew => return Err(NotCosigned::OldAboveNew),
                Decision::Conflict { last } => return Err(NotCosigned::Conflict(last)),
                Decision::Inconsistent(why) => return Err(NotCosigned::Inconsistent(why)),
            };
            // A crash before this line leaves nothing. A crash after it leaves a tree that was seen and is not
            // cosigned: the next request is told its size, and may ask for its cosignature.
            if !self.seen.advance(origin, seen, next, now).await? {
                continue;
            }
            let line = self.key.cosign(request.note().text(), CosignedAt::from(now));
            // Lines by unknown keys are not passed on, because nobody here has verified them.
            let known = |line: &&Signature| keys.iter().any(|key| key.is_named_by(line));
            let mut lines = request.note().signatures().iter().filter(known).cloned();
            let mut shown = lines.next().map(|first| Note::with_signature(request.note().text().clone(), first));
            if let Some(shown) = &mut shown {
                for more in lines.chain([line.clone()]) {
                    shown.add(more).map_err(|error| NotCosigned::unread(error.into()))?;
                }
                self.seen.keep_note(origin, next, &shown.to_string()).await?;
            }
            tracing::info!(origin, size = %next.size, "cosigned");
            return Ok(line);
        }
        Err(NotCosigned::Busy)
    }
}

impl NotCosigned {
    fn unread(error: RequestError) -> Self {
        match error {
            RequestError::Note(
                note @ (NoteError::NoSignatures | NoteError::TooManySignatures | NoteError::Signature(_)),
            ) => Self::NoSignature(note),
            error => Self::Request(error),
        }
    }

    const fn status(&self) -> StatusCode {
        match self {
            Self::Request(_) | Self::TooLarge(_) | Self::OldAboveNew => StatusCode::BAD_REQUEST,
            Self::UnknownLog(_) => StatusCode::NOT_FOUND,
            Self::NotSigned(_) | Self::NoSignature(_) => StatusCode::FORBIDDEN,
            Self::Conflict(_) => StatusCode::CONFLICT,
            Self::Inconsistent(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::Store(_) => StatusCode::INTERNAL_SERVER_ERROR,
            Self::Busy => StatusCode::SERVICE_UNAVAILABLE,
        }
    }
}

impl IntoResponse for NotCosigned {
    fn into_response(self) -> Response {
        match &self {
            Self::Store(error) => tracing::error!(%error, "a checkpoint was not cosigned"),
            other => tracing::info!(why = %other, "not cosigned"),
        }
        let content_type = match self {
            Self::Conflict(_) => "text/x.tlog.size",
            _ => "text/plain; charset=utf-8",
        };
        (self.status(), [(header::CONTENT_TYPE, content_type)], format!("{self}\n")).into_response()
    }
}
