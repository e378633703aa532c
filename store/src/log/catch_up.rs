//! Reading what is in the log beyond what this node knows: entries of other nodes, or its own after a lost connection.

use ledger::Frontier;
use ledger::Hash;
use ledger::Head;
use ledger::{LeafIndex, LogId};
use sqlx::PgConnection;

use super::StoreError;
use super::identity::PRACTICE;
use super::plan::Plan;
use super::read::{Stored, entries_from, newest_head};
use super::tips::{Tip, Tips};

/// Entries a look takes at once. More than a batch has, so that a batch is found whole or not at all.
const PAGE: u32 = 1024;

/// The log as far as this node knows it.
#[derive(Debug)]
pub(super) struct LogEnd {
    pub(super) log_id: LogId,
    pub(super) frontier: Frontier,
    pub(super) tips: Tips,
    /// The last entry's leaf hash.
    last: Option<Hash>,
}

/// What a look beyond the known end found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// The plan, at its position: it is committed. It is not yet part of the known end.
    Ours,
    /// Entries of somebody else, now part of the known end. There may be more.
    Others,
    /// Nothing.
    Nothing,
}

impl LogEnd {
    /// Reads where the log ends: its newest tree, the last entry under that, and whatever may follow.
    ///
    /// Entries and tree head come in one statement, so nothing should follow, and a crash changes nothing in that. What is
    /// read is checked all the same, because everything from here on is hashed on top of it.
    pub(super) async fn read(connection: &mut PgConnection, log_id: LogId, tips: Tips) -> Result<Self, StoreError> {
        let newest = newest_head(&mut *connection, log_id).await?;
        let frontier = newest.map(|(_, frontier)| frontier).unwrap_or_default();
        let mut last = None;
        if let Some(index) = frontier.size().0.checked_sub(1).map(LeafIndex) {
            let page = entries_from(&mut *connection, log_id, index, 1).await?;
            let entry = page.first().filter(|entry| entry.index == index).ok_or_else(|| lost(index))?;
            if !may_be_gone(log_id, entry) {
                entry.read()?;
            }
            last = Some(entry.leaf);
        }
        let mut end = Self { log_id, frontier, tips, last };
        while end.look(connection, None).await? == Found::Others {}
        Ok(end)
    }

    /// Takes note of a plan that is committed.
    pub(super) fn advance(&mut self, plan: &Plan) {
        if plan.rows.is_empty() {
            // It was never compared with the log, so the ends it was made from may be ahead of this one.
            return;
        }
        self.frontier = plan.frontier.clone();
        self.last = plan.rows.last().map_or(self.last, |row| Some(row.placed.leaf));
        for (match_id, tip) in &plan.tips {
            self.tips.learn(*match_id, *tip);
        }
    }

    /// Looks beyond the known end, one page at a time.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the log no longer holds what this node knows, has a gap, or an entry in it does not
    /// follow the one before it: a restored backup, or a failover that lost what was acknowledged.
    pub(super) async fn look(
        &mut self,
        connection: &mut PgConnection,
        plan: Option<&Plan>,
    ) -> Result<Found, StoreError> {
        // The last known entry is read once more: if it is gone, appending after it would leave a gap for ever.
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
            return Ok(Found::Nothing);
        }
        if plan.is_some_and(|plan| is_there(plan, new)) {
            return Ok(Found::Ours);
        }
        for entry in new {
            self.follow(entry)?;
        }
        Ok(Found::Others)
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
        // Of a match that is not remembered only the entry itself can be checked here; an audit reads it whole.
        if let Some(tip) = self.tips.get(stored.match_id)
            && (entry.seq, entry.prev) != (tip.head.next, tip.head.leaf)
        {
            return Err(stored.corrupt("it does not follow the entry before it in its match"));
        }
        let next = entry.seq.next().ok_or_else(|| stored.corrupt("it is the last that fits"))?;
        self.tips.learn(entry.match_id, Tip { head: Head { next, leaf: stored.leaf }, at: entry.at });
        self.frontier.push(stored.leaf);
        self.last = Some(stored.leaf);
        Ok(())
    }
}

/// Whether the plan stands at its position. A leaf hash covers match, place, predecessor, clock and body, and a batch is
/// committed whole, so equal hashes are the same batch.
fn is_there(plan: &Plan, new: &[Stored]) -> bool {
    new.len() >= plan.rows.len()
        && plan
            .rows
            .iter()
            .zip(new)
            .all(|(row, stored)| row.placed.index == stored.index && row.placed.leaf == stored.leaf)
}

/// Whether nothing but the leaf is left of an entry, in the one log where that may be.
fn may_be_gone(log_id: LogId, stored: &Stored) -> bool {
    log_id == PRACTICE && stored.is_deleted()
}

fn lost(index: LeafIndex) -> StoreError {
    StoreError::Corrupt { what: format!("position {index} no longer holds the entry that was acknowledged") }
}
