//! This program as a witness of other logs (C2SP tlog-witness): it cosigns a checkpoint only if that was proven to
//! extend the last one that it cosigned.
//!
//! The order is important: decide, store, sign, answer. A crash between any two leaves a tree that was seen and has no
//! cosignature; the next request learns this and can continue. It never leaves a cosignature of a forgotten tree.

mod about;
mod add_checkpoint;
mod key_file;
mod logs;
mod monitoring;

use std::sync::Arc;

use app::system::System;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use ledger::CosignerKey;
use store::{PgPool, StoreError, WitnessedTrees};
use thiserror::Error;

pub use key_file::{KeyError, make_key, read_key};
pub use logs::{LogKey, LogKeyError, Logs};

/// The largest request: 63 hashes, and a checkpoint with 16 signatures of the largest kind (C2SP signed-note).
const REQUEST_MAX_BYTES: usize = 128 * 1024;

#[derive(Debug)]
pub struct Witness {
    key: CosignerKey,
    logs: Logs,
    seen: WitnessedTrees,
    system: System,
}

#[derive(Debug, Error)]
pub enum WitnessError {
    #[error("a witness needs a log to watch: name each with --log origin=key")]
    NoLog,
    /// A witness with the log's own key: the log would vouch for itself.
    #[error("the witness has the key of the log {0}: make a key of its own for it")]
    OwnLog(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Witness {
    pub async fn open(key: CosignerKey, logs: Logs, pool: PgPool, system: System) -> Result<Self, WitnessError> {
        let own = key.verifier().public();
        for (origin, keys) in logs.iter() {
            if keys.iter().any(|log| log.public() == own) {
                return Err(WitnessError::OwnLog(origin.to_string()));
            }
        }
        if logs.iter().next().is_none() {
            return Err(WitnessError::NoLog);
        }
        Ok(Self { key, logs, seen: WitnessedTrees::open(pool).await?, system })
    }
}

pub fn routes(witness: Arc<Witness>) -> Router {
    Router::new()
        .route("/", get(about::about))
        .route("/add-checkpoint", post(add_checkpoint::add_checkpoint))
        .route("/{origin}/checkpoint", get(monitoring::checkpoint))
        .layer(DefaultBodyLimit::max(REQUEST_MAX_BYTES))
        .with_state(witness)
}
