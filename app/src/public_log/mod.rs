//! The log as others follow it, and what it proves of a match: tiles, proofs, checkpoints and bundles. Of a signed
//! checkpoint it shows what it covers and nothing more.

mod bundle;
mod evidence;
mod proofs;
mod receipt_proofs;
mod witnesses;

use std::sync::{Arc, OnceLock};

use ledger::{MatchId, TreeSize};
use record::body::Tree;

pub use proofs::{EntryProof, ProofError};

use crate::cosigning::Cosigning;
use crate::error::AppError;
use crate::logs::Logs;
use crate::scope::Scope;
use crate::signing::{Signer, Unsigned};
use crate::system::System;
use crate::vault::Vault;

/// The signed log. Practice is never signed.
#[derive(Debug)]
pub struct PublicLog {
    logs: Arc<Logs>,
    vault: Vault,
    system: Arc<System>,
    signer: Signer,
    /// The witnesses that are asked, if a policy names some.
    cosigning: OnceLock<Cosigning>,
}

impl PublicLog {
    pub(crate) const fn new(logs: Arc<Logs>, vault: Vault, system: Arc<System>, signer: Signer) -> Self {
        Self { logs, vault, system, signer, cosigning: OnceLock::new() }
    }

    /// What signs the log.
    #[must_use]
    pub const fn signer(&self) -> &Signer {
        &self.signer
    }

    /// The log of a match has grown to this size.
    pub(crate) fn appended(&self, match_id: MatchId, size: TreeSize) {
        if Scope::of(match_id) == Scope::Record {
            self.signer.entered(size);
        }
    }

    /// A signed tree that covers these seals: nothing opens before there is one. If the log must not be signed any more,
    /// matches go on under the tree as it was appended, and their verification says that no signed checkpoint covers
    /// it. Practice always does.
    pub(crate) async fn signed(&self, match_id: MatchId, sealed: Tree) -> Result<Tree, AppError> {
        if Scope::of(match_id) == Scope::Practice {
            return Ok(sealed);
        }
        match self.signer.covering(TreeSize(sealed.size)).await {
            Ok(signed) => Ok(Tree { size: signed.size.0, root: signed.root }),
            Err(Unsigned::Stopped { .. }) => Ok(sealed),
            Err(Unsigned::Timeout) => Err(AppError::Stopped),
        }
    }
}
