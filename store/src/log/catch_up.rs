//! Reading new entries of the log that this node does not know: other nodes' entries, or its own after a lost
//! connection.

use std::collections::{HashMap, HashSet};

use ledger::{Frontier, Hash, Head, LeafIndex, LogId, MatchId, Moment};
use sqlx::PgConnection;

use super::checkpoints::last_succession;
use super::identity::PRACTICE;
use super::plan::Plan;
use super::read::{Stored, entries_from, newest_head};
use super::tips::{Tip, Tips};
use super::{StoreError, lookup};

/// The number of entries read at once. It is larger than a batch, so that a batch is found whole or not at all.
const PAGE: u32 = 1024;

#[derive(Debug)]
pub(super) struct LogEnd {
    pub(super) log_id: LogId,
    pub(super) frontier: Frontier,
    pub(super) tips: Tips,
    last: Option<Hash>,
    at: Moment,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LookResult {
    /// The plan is at its position, so it is committed. It is not yet part of the known end.
    Ours,
    /// Entries of another writer, now part of the known end. There may be more.
    Others,
    Nothing,
}

impl LogEnd {
    /// Reads the end of the log: its newest tree, the last entry under it, and any later entries.
    ///
    /// Entries and tree head are written in one statement, so there should be no later entries, even after a crash.
    /// They are checked all the same, because everything from here on is hashed on top of them.
    pub(super) async fn read(connection: &mut PgConnection, log_id: LogId, tips: Tips) -> Result<Self, StoreError> {
        let newest = newest_head(&mut *connection, log_id).await?;
        let frontier = newest.map(|(_, frontier)| frontier).unwrap_or_default();
        let (mut last, mut at) = (None, Moment::MIN);
        if let Some(index) = frontier.size().0.checked_sub(1).map(LeafIndex) {
            let page = entries_from(&mut *connection, log_id, index, 1).await?;
            let entry = page.first().filter(|entry| entry.index == index).ok_or_else(|| lost(index))?;
            if !may_be_gone(log_id, entry) {
                at = entry.read()?.at;
            }
            last = Some(entry.leaf);
        }
        let mut end = Self { log_id, frontier, tips, last, at };
        while end.look(connection, None).await? == LookResult::Others {}
        Ok(end)
    }

    pub(super) async fn tips_of(
        &mut self,
        connection: &mut PgConnection,
        matches: impl Iterator<Item = MatchId>,
    ) -> Result<HashMap<MatchId, Tip>, StoreError> {
        let (mut tips, mut unknown) = (HashMap::new(), HashSet::new());
        for match_id in matches {
            match self.tips.get(match_id) {
                Some(tip) => drop(tips.insert(match_id, tip)),
                None => drop(unknown.insert(match_id)),
            }
        }
        if !unknown.is_empty() {
            // This may see entries of another writer beyond the end that this node knows. Then those entries have the
            // position that the plan will ask for, the plan fails, and the data read here are dropped with it.
            let unknown: Vec<_> = unknown.into_iter().collect();
            tips.extend(lookup::tips(connection, self.log_id, &unknown).await?);
        }
        Ok(tips)
    }

    pub(super) fn advance(&mut self, plan: &Plan) {
        if plan.rows.is_empty() {
            // It was never compared with the log, so the ends it was made from may be ahead of this one.
            return;
        }
        self.frontier = plan.frontier.clone();
        self.last = plan.rows.last().map_or(self.last, |row| Some(row.placed.leaf));
        self.at = plan.rows.last().map_or(self.at, |row| row.placed.at);
        for (match_id, tip) in &plan.tips {
            self.tips.learn(*match_id, *tip);
        }
    }

    /// As [`look`](Self::look). But after a succession the log goes on without what the operator gave up, whatever this node
    /// knows of it. An entry from after the succession was never given up.
    pub(super) async fn look_on(
        &mut self,
        connection: &mut PgConnection,
        plan: Option<&Plan>,
    ) -> Result<LookResult, StoreError> {
        match self.look(connection, plan).await {
            Err(error @ StoreError::Corrupt { .. }) => {
                if last_succession(connection, self.log_id).await?.is_none_or(|succeeded| succeeded < self.at) {
                    return Err(error);
                }
                *self = Self::read(connection, self.log_id, self.tips.emptied()).await?;
                Ok(LookResult::Others)
            }
            looked => looked,
        }
    }

    /// Reads beyond the known end, one page at a time. [`StoreError::Corrupt`] if the log no longer contains what this
    /// node knows, has a gap, or has an entry that does not follow the one before it: a restored backup, or a failover
    /// that lost acknowledged entries.
    pub(super) async fn look(
        &mut self,
        connection: &mut PgConnection,
        plan: Option<&Plan>,
    ) -> Result<LookResult, StoreError> {
        // The last known entry is read once more: if it is gone, appending after it would leave a permanent gap.
        let known = self.frontier.size();
        let from = LeafIndex(known.0.saturating_sub(u64::from(self.last.is_some())));
        let page = entries_from(connection, self.log_id, from, PAGE).await?;
        let mut new = page.as_slice();
        if let Some(last) = self.last {
            let (first, rest) = page.split_first().ok_or_else(|| lost(from))?;
            if first.index != from || first.leaf != last {
                return Err(lost(from));
            }
            new = rest;
        }
        if new.is_empty() {
            return Ok(LookResult::Nothing);
        }
        if plan.is_some_and(|plan| is_there(plan, new)) {
            return Ok(LookResult::Ours);
        }
        for entry in new {
            self.follow(entry)?;
        }
        Ok(LookResult::Others)
    }

    fn follow(&mut self, stored: &Stored) -> Result<(), StoreError> {
        let expected = self.frontier.size().next_leaf();
        if stored.index != expected {
            return Err(stored.corrupt(&format!("position {expected} is missing before it")));
        }
        if may_be_gone(self.log_id, stored) {
            self.frontier.push(stored.leaf);
            self.last = Some(stored.leaf);
            return Ok(());
        }
        let entry = stored.read()?;
        // For a match that is not in memory, only the entry itself can be checked here; an audit reads the match whole.
        if let Some(tip) = self.tips.get(stored.match_id)
            && (entry.seq, entry.prev) != (tip.head.next, tip.head.leaf)
        {
            return Err(stored.corrupt("it does not follow the entry before it in its match"));
        }
        let next = entry.seq.next().ok_or_else(|| stored.corrupt("it is the last that fits"))?;
        self.tips.learn(entry.match_id, Tip { head: Head { next, leaf: stored.leaf }, at: entry.at });
        self.frontier.push(stored.leaf);
        (self.last, self.at) = (Some(stored.leaf), entry.at);
        Ok(())
    }
}

/// True if the plan is at its position. A leaf hash covers match, place, predecessor, clock and body, and a batch is
/// committed whole, so equal hashes mean the same batch.
fn is_there(plan: &Plan, new: &[Stored]) -> bool {
    new.len() >= plan.rows.len()
        && plan
            .rows
            .iter()
            .zip(new)
            .all(|(row, stored)| row.placed.index == stored.index && row.placed.leaf == stored.leaf)
}

/// True if only the leaf of an entry is left, in the only log where this is allowed.
fn may_be_gone(log_id: LogId, stored: &Stored) -> bool {
    log_id == PRACTICE && stored.is_deleted()
}

fn lost(index: LeafIndex) -> StoreError {
    StoreError::Corrupt { what: format!("position {index} no longer holds the entry that was acknowledged") }
}
