//! The states of the witnesses, for the pages that show them.

use std::sync::{Arc, Mutex, PoisonError};

use ledger::{Moment, TreeSize};

use super::client::Witness;
use super::witnessed_checkpoint::WitnessedCheckpoint;

/// The state of a witness.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessState {
    /// Its name in the policy.
    pub name: String,
    /// Its verifier key.
    pub key: String,
    /// The prefix of its address.
    pub prefix: String,
    /// The largest tree that it is known to have cosigned, and the time of that cosignature.
    pub cosigned: Option<(TreeSize, Moment)>,
    /// The time and text of the last failure; none once a request has succeeded again.
    pub failure: Option<(Moment, String)>,
}

impl WitnessState {
    /// The number of entries by which it is behind a tree.
    #[must_use]
    pub fn behind(&self, newest: TreeSize) -> u64 {
        newest.0.saturating_sub(self.cosigned.map_or(0, |(size, _)| size.0))
    }
}

/// The shared states of all witnesses, and the witnessed checkpoint.
#[derive(Debug, Clone, Default)]
pub(super) struct WitnessStates(Arc<Mutex<States>>);

#[derive(Debug, Default)]
struct States {
    states: Vec<WitnessState>,
    witnessed: Option<WitnessedCheckpoint>,
}

impl WitnessStates {
    pub(super) fn new(witnesses: &[Witness]) -> Self {
        let state = |witness: &Witness| WitnessState {
            name: witness.name.clone(),
            key: witness.key.to_string(),
            prefix: witness.prefix.clone(),
            cosigned: None,
            failure: None,
        };
        Self(Arc::new(Mutex::new(States { states: witnesses.iter().map(state).collect(), witnessed: None })))
    }

    pub(super) fn states(&self) -> Vec<WitnessState> {
        self.lock().states.clone()
    }

    pub(super) fn cosigned(&self, name: &str, size: TreeSize, at: Moment) {
        self.change(name, |state| {
            state.cosigned = Some((size, at));
            state.failure = None;
        });
    }

    pub(super) fn failed(&self, name: &str, at: Moment, what: String) {
        self.change(name, |state| state.failure = Some((at, what)));
    }

    pub(super) fn witnessed(&self) -> Option<WitnessedCheckpoint> {
        self.lock().witnessed.clone()
    }

    /// Replaces an earlier checkpoint.
    pub(super) fn is_witnessed(&self, checkpoint: WitnessedCheckpoint) {
        let mut known = self.lock();
        if known.witnessed.as_ref().is_none_or(|earlier| earlier.place() <= checkpoint.place()) {
            known.witnessed = Some(checkpoint);
        }
    }

    fn change(&self, name: &str, change: impl FnOnce(&mut WitnessState)) {
        if let Some(state) = self.lock().states.iter_mut().find(|state| state.name == name) {
            change(state);
        }
    }

    /// No change under the lock can fail halfway, so a poisoned lock is still valid.
    fn lock(&self) -> std::sync::MutexGuard<'_, States> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
