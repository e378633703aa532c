//! The public log: tiles, proofs, checkpoints and bundles. It serves only entries that a signed checkpoint covers.

mod beacon_rounds;
mod bundle;
mod cannot_wait;
mod evidence;
mod last_checkpoint;
mod no_beacon;
mod player_chains;
mod proofs;
mod receipt_proofs;
mod witness_wait;
mod witnesses;

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, OnceLock};

use ledger::{LeafIndex, MatchId, Seq, TreeSize};
use lru::LruCache;
use record::body::Tree;
use tokio::sync::watch;

pub use cannot_wait::CannotWait;
pub use last_checkpoint::{LastCheckpointError, Unconfirmed};
pub use no_beacon::CannotDraw;
pub use player_chains::StoredChain;
pub use proofs::{EntryProof, ProofError};
pub use witness_wait::WitnessCount;
pub(crate) use witness_wait::WitnessedTree;

use crate::cosigning::Cosigning;
use crate::error::AppError;
use crate::logs::Logs;
use crate::scope::Scope;
use crate::signing::{Signer, SigningError};
use crate::system::System;
use last_checkpoint::LastCheckpoint;

const CACHED_PLACES: NonZeroUsize = NonZeroUsize::new(2_000).unwrap();

/// The signed log. Practice is never signed.
#[derive(Debug)]
pub struct PublicLog {
    logs: Arc<Logs>,
    system: Arc<System>,
    signer: Signer,
    cosigning: OnceLock<Cosigning>,
    answers: watch::Sender<()>,
    last: LastCheckpoint,
    /// The places of the last questions that somebody answered. A place never changes.
    places: Mutex<LruCache<(MatchId, Seq), LeafIndex>>,
}

impl PublicLog {
    pub(crate) fn new(logs: Arc<Logs>, system: Arc<System>, signer: Signer) -> Self {
        let (answers, last) = (watch::Sender::new(()), LastCheckpoint::new());
        let places = Mutex::new(LruCache::new(CACHED_PLACES));
        Self { logs, system, signer, cosigning: OnceLock::new(), answers, last, places }
    }

    #[must_use]
    pub const fn signer(&self) -> &Signer {
        &self.signer
    }

    pub(crate) fn appended(&self, match_id: MatchId, size: TreeSize) {
        if Scope::of(match_id) == Scope::Record {
            self.signer.note_size(size);
        }
    }

    /// Whether anything new is accepted. A log that is not signed may have to go back to what was signed last, and what the
    /// database acknowledged since would be gone, practice included.
    pub fn accepts(&self) -> Result<(), AppError> {
        if self.signer.stopped().is_some() { Err(AppError::ReadOnly) } else { Ok(()) }
    }

    /// A signed tree that covers these seals; nothing is opened before. Practice is never signed.
    pub(crate) async fn signed(&self, match_id: MatchId, sealed: Tree) -> Result<Tree, AppError> {
        if Scope::of(match_id) == Scope::Practice {
            return Ok(sealed);
        }
        match self.signer.covering(TreeSize(sealed.size)).await {
            Ok(signed) => Ok(Tree { size: signed.size.0, root: signed.root }),
            Err(SigningError::Stopped { .. }) => Err(AppError::ReadOnly),
            Err(SigningError::Timeout) => Err(AppError::Stopped),
        }
    }
}
