//! Matches that wait for the log's witnesses: their decisions are sealed, and open once an answer of a witness allows it, or
//! once the limit has passed. Nobody holds the match's lock in between.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ledger::{Author, DecisionId, LeafIndex, MatchId};
use record::body::Tree;
use record::write::Cover;
use record::{History, Waiting};

use super::Recorder;
use crate::error::AppError;
use crate::public_log::WitnessedTree;

#[derive(Debug, Default)]
pub(crate) struct WaitList(Mutex<HashMap<MatchId, (DecisionId, Author)>>);

impl WaitList {
    /// The first to add a decision is whoever closed it.
    fn add(&self, match_id: MatchId, decision: &DecisionId, by: &Author) {
        let mut list = self.lock();
        if list.get(&match_id).is_none_or(|(known, _)| known != decision) {
            list.insert(match_id, (decision.clone(), by.clone()));
        }
    }

    pub(super) fn remove(&self, match_id: MatchId) {
        self.lock().remove(&match_id);
    }

    fn all(&self) -> Vec<(MatchId, DecisionId)> {
        self.lock().iter().map(|(match_id, (decision, _))| (*match_id, decision.clone())).collect()
    }

    fn closed_by(&self, match_id: MatchId, decision: &DecisionId) -> Option<Author> {
        self.lock().get(&match_id).filter(|(known, _)| known == decision).map(|(_, by)| by.clone())
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<MatchId, (DecisionId, Author)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Recorder {
    /// The tree under which a decision that waits opens, with whoever closed it; none as long as it waits. Then the worker
    /// for deadlines tries again.
    pub(super) async fn cover_of(
        &self,
        match_id: MatchId,
        by: &Author,
        waiting: &Waiting,
    ) -> Result<Option<(Cover, Author)>, AppError> {
        let sealed = self.tree_of(match_id, waiting).await?;
        let decision = &waiting.decision;
        match self.public_log.witnessed(sealed, waiting).await {
            WitnessedTree::Ready(cover) => {
                let by = self.waits.closed_by(match_id, decision).unwrap_or_else(|| by.clone());
                Ok(Some((cover, by)))
            }
            WitnessedTree::Waits(again) => {
                self.waits.add(match_id, decision, by);
                if let Some(again) = again {
                    self.due.add(again, match_id, decision);
                }
                Ok(None)
            }
        }
    }

    async fn tree_of(&self, match_id: MatchId, waiting: &Waiting) -> Result<Tree, AppError> {
        let store = self.logs.store(match_id);
        let unreadable = || AppError::Unreadable("a seal is not in the log".to_owned());
        let entries = store.match_entries_since(match_id, waiting.sealed).await?;
        let index: LeafIndex = entries.first().ok_or_else(unreadable)?.index;
        let head = store.tree_head_covering(index).await?.ok_or_else(unreadable)?;
        Ok(Tree { size: head.size.0, root: head.root })
    }

    /// Checks that no decision of a match waits for the witnesses. One whose openings are lost waits for the umpire alone.
    pub(crate) async fn not_waiting(&self, history: &History) -> Result<(), AppError> {
        let Some(waiting) = history.waiting() else { return Ok(()) };
        match self.matches.lost_openings(history).await? {
            Some(lost) if lost.has_moves() => Ok(()),
            _ => Err(AppError::Waits { until: waiting.until }),
        }
    }

    pub(crate) fn try_waiting(&self) {
        for (match_id, decision) in self.waits.all() {
            self.due.close_soon(match_id, &decision);
        }
    }
}
