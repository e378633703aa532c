//! Collecting cosignatures: every checkpoint signed here is sent to the witnesses of the policy, and their signatures
//! are stored beside it (C2SP tlog-witness, the client's side).
//!
//! Witnesses delay only the matches that were opened to wait for them. Signing does not wait, and an unreachable witness is
//! asked again at growing intervals.

mod client;
mod collector;
mod policy;
mod witness_states;
mod witnessed_checkpoint;

use std::sync::Arc;

use ledger::{Moment, TreeSize};
use store::{SignedCheckpoint, Store};
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::signing::Terms;
use crate::system::System;

pub use client::Witness;
pub use collector::OtherHistory;
pub use policy::{PolicyFileError, PolicyStatus, SitePolicy};
pub use witness_states::WitnessState;
pub use witnessed_checkpoint::WitnessedCheckpoint;

use client::WitnessClient;
use collector::{Collector, LastCosigned};
use witness_states::WitnessStates;

#[derive(Debug)]
pub struct Cosigning {
    states: WitnessStates,
    policy: Arc<SitePolicy>,
    _tasks: JoinSet<()>,
}

impl Cosigning {
    /// Follows the witnesses of a policy that have an address. `stop` gets the reason if one has cosigned another
    /// history: nothing more may be signed then.
    pub fn start<T: Send + Sync + 'static>(
        store: &Store,
        system: &Arc<System>,
        policy: &Arc<SitePolicy>,
        log: &Terms,
        news: &watch::Receiver<T>,
        stop: impl Fn(OtherHistory) + Send + Sync + 'static,
        answers: &watch::Sender<()>,
    ) -> Self {
        let client = WitnessClient::new();
        let states = WitnessStates::new(&policy.witnesses(), answers.clone());
        let stop: collector::Stop = Arc::new(stop);
        let mut tasks = JoinSet::new();
        for witness in policy.witnesses() {
            let collector = Collector {
                store: store.clone(),
                system: system.clone(),
                client: client.clone(),
                witness,
                policy: policy.clone(),
                log: log.clone(),
                states: states.clone(),
                stop: stop.clone(),
                known: LastCosigned::default(),
            };
            tasks.spawn(collector.follow(news.clone()));
        }
        Self { states, policy: policy.clone(), _tasks: tasks }
    }

    #[must_use]
    pub fn witnessed(&self) -> Option<WitnessedCheckpoint> {
        self.states.witnessed()
    }

    /// Somebody waits, until a moment, for a witnessed tree of at least this size, and this checkpoint would do. Witnesses
    /// are asked once for all who wait.
    pub fn want(&self, size: TreeSize, checkpoint: SignedCheckpoint, until: Moment) {
        self.states.want(size, checkpoint, until);
    }

    /// True if enough witnesses have cosigned a tree since the start, and so know of no larger one.
    #[must_use]
    pub fn quorum_answered(&self) -> bool {
        self.policy.policy().is_met_by(|witness| self.states.has_answered(&witness.name.to_string()))
    }

    #[must_use]
    pub fn quorum_answers(&self) -> bool {
        let states = self.states();
        let answers = |state: &&WitnessState| state.cosigned.is_some() && state.failure.is_none();
        self.policy
            .policy()
            .is_met_by(|witness| states.iter().filter(answers).any(|state| state.name == witness.name.to_string()))
    }

    #[must_use]
    pub fn all_tried(&self) -> bool {
        self.states().iter().all(|state| state.failure.is_some() || self.states.has_answered(&state.name))
    }

    #[must_use]
    pub fn policy(&self) -> &SitePolicy {
        &self.policy
    }

    #[must_use]
    pub fn states(&self) -> Vec<WitnessState> {
        self.states.states()
    }
}
