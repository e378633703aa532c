//! Collecting cosignatures: every checkpoint signed here is sent to the witnesses of the policy, and their signatures
//! are stored beside it (C2SP tlog-witness, the client's side).
//!
//! Witnesses never delay anything. Signing does not wait for them, and an unreachable witness is asked again at growing
//! intervals.

mod asking;
mod collecting;
mod served;
mod state;
mod trust;

use std::sync::Arc;

use ledger::ed25519::PublicKey;
use store::Store;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::system::System;

pub use asking::Witness;
pub use collecting::OtherHistory;
pub use served::WitnessedCheckpoint;
pub use state::WitnessState;
pub use trust::{Standing, Trust, TrustError};

use asking::Asking;
use collecting::{Collecting, Known};
use state::Board;

/// The tasks that follow witnesses, for as long as this lives.
#[derive(Debug)]
pub struct Cosigning {
    board: Board,
    trust: Arc<Trust>,
    /// They end with this.
    _tasks: JoinSet<()>,
}

impl Cosigning {
    /// Follows the witnesses of a policy that have an address. `news` announces that something may have been signed;
    /// `log` is the signing key; `stop` gets the reason if a witness has cosigned another history, so that nothing more
    /// may be signed.
    pub fn start<T: Send + Sync + 'static>(
        store: &Store,
        system: &Arc<System>,
        trust: &Arc<Trust>,
        log: PublicKey,
        news: &watch::Receiver<T>,
        stop: impl Fn(OtherHistory) + Send + Sync + 'static,
    ) -> Self {
        let (asking, board) = (Asking::new(), Board::new(&trust.witnesses()));
        let stop: collecting::Stop = Arc::new(stop);
        let mut tasks = JoinSet::new();
        for witness in trust.witnesses() {
            let collecting = Collecting {
                store: store.clone(),
                system: system.clone(),
                asking: asking.clone(),
                witness,
                trust: trust.clone(),
                log,
                board: board.clone(),
                stop: stop.clone(),
                known: Known::default(),
            };
            tasks.spawn(collecting.follow(news.clone()));
        }
        Self { board, trust: trust.clone(), _tasks: tasks }
    }

    /// The newest checkpoint known to satisfy the policy, to be published if it [stands
    /// for](WitnessedCheckpoint::stands_for) the newest.
    #[must_use]
    pub fn witnessed(&self) -> Option<WitnessedCheckpoint> {
        self.board.witnessed()
    }

    /// The policy.
    #[must_use]
    pub fn trust(&self) -> &Trust {
        &self.trust
    }

    /// The state of each witness, in the order of the policy.
    #[must_use]
    pub fn states(&self) -> Vec<WitnessState> {
        self.board.states()
    }
}
