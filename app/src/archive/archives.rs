//! The archive at the primary and at its replicas: each keeps pages of its own version.

use std::sync::{Arc, OnceLock};

use store::PgPool;

use super::Archive;
use crate::logs::Logs;
use crate::signing::Signer;
use crate::umpires::Umpires;

/// The archive at each server that answers readers.
#[derive(Debug)]
pub(crate) struct Archives {
    primary: Arc<Archive>,
    at_replicas: OnceLock<Vec<Archive>>,
}

impl Archives {
    /// That at the primary.
    pub(crate) fn new(logs: &Logs, umpires: Arc<Umpires>, signer: Signer) -> Self {
        let pools = [logs.pool(), logs.reading_pool()].map(PgPool::clone);
        Self { primary: Arc::new(Archive::new(pools, umpires, signer)), at_replicas: OnceLock::new() }
    }

    /// The archive at the primary.
    pub(crate) const fn primary(&self) -> &Arc<Archive> {
        &self.primary
    }

    /// The archive at the replica with this number; at the primary if there is none.
    pub(crate) fn at(&self, replica: Option<usize>) -> &Archive {
        replica.and_then(|replica| self.at_replicas.get()?.get(replica)).unwrap_or(&self.primary)
    }

    /// Adds the archives at these replicas. False if it was done before.
    pub(crate) fn add(&self, replicas: &[PgPool], umpires: &Arc<Umpires>, signer: &Signer) -> bool {
        let archive = |pool: &PgPool| Archive::new([pool.clone(), pool.clone()], umpires.clone(), signer.clone());
        self.at_replicas.set(replicas.iter().map(archive).collect()).is_ok()
    }
}
