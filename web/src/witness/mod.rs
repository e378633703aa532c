//! This program as a witness of other logs (C2SP tlog-witness): it cosigns a checkpoint that was shown to extend the one
//! that it cosigned before, and never another.
//!
//! The order is what matters: decide, store, sign, answer. A crash between any two leaves a tree that was seen and has no
//! cosignature, which whoever asks again is told and can take up; never a cosignature of a tree that is forgotten.

mod about;
mod add_checkpoint;
mod key;
mod logs;
mod monitoring;

use std::sync::Arc;

use app::mint::Mint;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use ledger::CosignerKey;
use sqlx::PgPool;
use store::{StoreError, Witnessed};
use thiserror::Error;

pub use key::{KeyError, make_key, read_key};
pub use logs::{LogKey, LogKeyError, Logs};

/// The largest request: 63 hashes, and a checkpoint with 16 signatures of the largest kind (C2SP signed-note).
const REQUEST_MAX_BYTES: usize = 128 * 1024;

/// A witness: who it is, what it watches, and what it has seen.
#[derive(Debug)]
pub struct Witness {
    key: CosignerKey,
    logs: Logs,
    seen: Witnessed,
    mint: Mint,
}

/// Why a witness cannot start.
#[derive(Debug, Error)]
pub enum WitnessError {
    /// There is nothing to watch.
    #[error("a witness needs a log to watch: name each with --log origin=key")]
    NoLog,
    /// A witness that signs as the log would say of itself that it is consistent.
    #[error("the witness has the key of the log {0}: make a key of its own for it")]
    OwnLog(String),
    /// The database.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Witness {
    /// A witness with this key, of these logs, on a migrated database.
    ///
    /// # Errors
    /// [`WitnessError`].
    pub async fn open(key: CosignerKey, logs: Logs, pool: PgPool, mint: Mint) -> Result<Self, WitnessError> {
        let own = key.verifier().public();
        for (origin, keys) in logs.iter() {
            if keys.iter().any(|log| log.public() == own) {
                return Err(WitnessError::OwnLog(origin.to_string()));
            }
        }
        if logs.iter().next().is_none() {
            return Err(WitnessError::NoLog);
        }
        Ok(Self { key, logs, seen: Witnessed::open(pool).await?, mint })
    }
}

/// The addresses of a witness; submission and monitoring prefix are the same.
pub fn routes(witness: Arc<Witness>) -> Router {
    Router::new()
        .route("/", get(about::about))
        .route("/add-checkpoint", post(add_checkpoint::add_checkpoint))
        .route("/{origin}/checkpoint", get(monitoring::checkpoint))
        .layer(DefaultBodyLimit::max(REQUEST_MAX_BYTES))
        .with_state(witness)
}
