//! The states of the witnesses, for the pages that show them and for the matches that wait.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use ledger::{Moment, TreeSize};
use store::{SignedCheckpoint, Term};
use tokio::sync::watch;

use super::client::Witness;
use super::witnessed_checkpoint::WitnessedCheckpoint;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessState {
    pub name: String,
    pub key: String,
    pub prefix: String,
    pub cosigned: Option<(TreeSize, Moment)>,
    pub failure: Option<(Moment, String)>,
    /// True if it answers, and counts as away: it contradicts the log without proof, or its clock is off.
    pub left_out: bool,
}

impl WitnessState {
    #[must_use]
    pub fn behind(&self, newest: TreeSize) -> u64 {
        newest.0.saturating_sub(self.cosigned.map_or(0, |(size, _)| size.0))
    }
}

#[derive(Debug, Clone)]
pub(super) struct WitnessStates {
    shared: Arc<Mutex<States>>,
    answers: watch::Sender<()>,
    wants: watch::Sender<()>,
}

#[derive(Debug, Default)]
struct States {
    states: Vec<WitnessState>,
    witnessed: Option<WitnessedCheckpoint>,
    answered: BTreeSet<String>,
    wanted: Option<(TreeSize, Moment)>,
    target: Option<SignedCheckpoint>,
    /// It was sent to one of them. Until then a larger one may take its place, and serve more who wait.
    is_sent: bool,
}

impl WitnessStates {
    pub(super) fn new(witnesses: &[Witness], answers: watch::Sender<()>) -> Self {
        let state = |witness: &Witness| WitnessState {
            name: witness.name.clone(),
            key: witness.key.to_string(),
            prefix: witness.prefix.clone(),
            cosigned: None,
            failure: None,
            left_out: false,
        };
        let states = States { states: witnesses.iter().map(state).collect(), ..States::default() };
        Self { shared: Arc::new(Mutex::new(states)), answers, wants: watch::Sender::new(()) }
    }

    pub(super) fn states(&self) -> Vec<WitnessState> {
        self.lock().states.clone()
    }

    pub(super) fn cosigned(&self, name: &str, size: TreeSize, at: Moment) {
        self.change(name, |state| {
            (state.failure, state.left_out) = (None, false);
            state.cosigned = Some((size, at));
        });
    }

    pub(super) fn failed(&self, name: &str, at: Moment, what: String, left_out: bool) -> bool {
        let mut is_news = false;
        self.change(name, |state| {
            is_news = left_out && !state.left_out;
            (state.failure, state.left_out) = (Some((at, what)), left_out);
        });
        self.answers.send_replace(());
        is_news
    }

    /// A witness has cosigned a tree of this log since the start, and so knows of no larger one.
    pub(super) fn answered(&self, name: &str) {
        self.lock().answered.insert(name.to_owned());
        self.answers.send_replace(());
    }

    pub(super) fn has_answered(&self, name: &str) -> bool {
        self.lock().answered.contains(name)
    }

    pub(super) fn want(&self, size: TreeSize, checkpoint: SignedCheckpoint, until: Moment) {
        let mut states = self.lock();
        let place = |signed: &SignedCheckpoint| (signed.term, signed.tree.size.0);
        if !states.is_sent && states.target.as_ref().is_none_or(|target| place(target) < place(&checkpoint)) {
            states.target = Some(checkpoint);
        }
        let (most, last) = states.wanted.unwrap_or((size, until));
        let more = states.wanted.is_none() || size > most;
        states.wanted = Some((most.max(size), last.max(until)));
        drop(states);
        if more {
            self.wants.send_replace(());
        }
    }

    pub(super) fn is_wanted(&self, now: Moment) -> bool {
        self.lock().wanted.is_some_and(|(_, until)| now < until)
    }

    pub(super) fn wants(&self) -> watch::Receiver<()> {
        self.wants.subscribe()
    }

    pub(super) fn answers(&self) -> watch::Receiver<()> {
        self.answers.subscribe()
    }

    /// The checkpoint to send to a witness that has cosigned `known` entries of this term. It is the newest; but while
    /// somebody waits, all witnesses get the same one until the policy is satisfied by it. Otherwise two slow witnesses of
    /// a busy log would each cosign other trees, and none would ever reach the quorum.
    pub(super) fn choose(&self, newest: SignedCheckpoint, known: TreeSize, now: Moment) -> SignedCheckpoint {
        let mut states = self.lock();
        let place = |term: Term, size: TreeSize| (term, size.0);
        let reached = states.witnessed.as_ref().map(WitnessedCheckpoint::place);
        let waits = states.wanted.is_some_and(|(size, until)| {
            now < until && reached.is_none_or(|reached| reached < place(newest.term, size))
        });
        if !waits {
            (states.wanted, states.target, states.is_sent) = (None, None, false);
            return newest;
        }
        let still = |target: &&SignedCheckpoint| {
            let of = place(target.term, target.tree.size);
            target.term == newest.term && target.tree.size >= known && reached.is_none_or(|reached| reached < of)
        };
        states.is_sent = true;
        match states.target.as_ref().filter(still) {
            Some(target) => target.clone(),
            None => states.target.insert(newest).clone(),
        }
    }

    pub(super) fn witnessed(&self) -> Option<WitnessedCheckpoint> {
        self.lock().witnessed.clone()
    }

    pub(super) fn is_witnessed(&self, checkpoint: WitnessedCheckpoint) {
        let mut known = self.lock();
        if known.witnessed.as_ref().is_none_or(|earlier| earlier.place() <= checkpoint.place()) {
            known.witnessed = Some(checkpoint);
        }
        drop(known);
        self.answers.send_replace(());
    }

    fn change(&self, name: &str, change: impl FnOnce(&mut WitnessState)) {
        if let Some(state) = self.lock().states.iter_mut().find(|state| state.name == name) {
            change(state);
        }
    }

    /// No change under the lock can fail halfway, so a poisoned lock is still valid.
    fn lock(&self) -> std::sync::MutexGuard<'_, States> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
