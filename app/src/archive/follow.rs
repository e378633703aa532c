//! Following the log: entries of other nodes, entries that a crash left out, and deriving everything again.

use std::collections::HashSet;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

use chrono::{DateTime, Utc};
use ledger::{LeafIndex, MatchId};
use store::archive::index::is_value_refused;
use store::archive::{cursor, matches};
use store::matches::{comments, recordings, withdrawals};
use tokio::task::JoinSet;

use super::Index;
use crate::error::AppError;
use crate::scope::{LOG, Scope};

const FOLLOWED: u32 = 1_000;
/// The matches that are derived at the same time, when all are.
const AT_ONCE: usize = 4;
const MATCHES: u32 = 1_000;

#[derive(Debug)]
pub(crate) struct Seen<T> {
    ids: HashSet<T>,
    since: Option<DateTime<Utc>>,
}

impl<T> Default for Seen<T> {
    fn default() -> Self {
        Self { ids: HashSet::new(), since: None }
    }
}

impl Index {
    pub(crate) async fn running(&self, scope: Scope) -> Result<Vec<MatchId>, AppError> {
        Ok(matches::running(self.logs.pool(), scope.log_id(), None).await?)
    }

    pub(crate) async fn running_live(&self, scope: Scope) -> Result<Vec<MatchId>, AppError> {
        Ok(matches::running(self.logs.pool(), scope.log_id(), Some("live")).await?)
    }

    pub async fn is_of_older_rules(&self) -> Result<bool, AppError> {
        for scope in Scope::ALL {
            if cursor::is_of_older_rules(self.logs.pool(), scope.log_id()).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Derives the matches with new entries, of other nodes or left out by a crash. If nothing was ever derived, it
    /// derives all matches. One that cannot be read is skipped and logged.
    pub async fn follow(self: &Arc<Self>) -> Result<usize, AppError> {
        self.umpires.learn_names().await?;
        self.forget_withdrawn().await?;
        self.forget_missing().await?;
        self.forget_commented().await?;
        let mut indexed = 0;
        for scope in Scope::ALL {
            indexed += self.follow_log(scope).await?;
        }
        Ok(indexed)
    }

    async fn follow_log(self: &Arc<Self>, scope: Scope) -> Result<usize, AppError> {
        let (pool, log_id) = (self.logs.pool(), scope.log_id());
        if cursor::get(pool, log_id).await?.is_none() {
            return self.reindex(scope).await;
        }
        let mut indexed = 0;
        loop {
            let from = cursor::get(pool, log_id).await?.unwrap_or(LeafIndex(0));
            let entries = self.logs.in_scope(scope).store.entries_from(from, FOLLOWED).await?;
            let Some(last) = entries.last() else { return Ok(indexed) };
            let next = LeafIndex(last.index.0.saturating_add(1));
            let mut matches: Vec<MatchId> =
                entries.iter().filter(|entry| !entry.is_deleted()).map(|entry| entry.match_id).collect();
            matches.sort_unstable();
            matches.dedup();
            for match_id in matches {
                indexed += usize::from(self.derived(match_id).await?);
            }
            cursor::advance(pool, log_id, next).await?;
            self.forget_withdrawn().await?;
        }
    }

    /// Derives all matches again, for `matchbook db migrate --reindex`. Rows are replaced, so the lists stay complete
    /// meanwhile.
    pub async fn reindex(self: &Arc<Self>, scope: Scope) -> Result<usize, AppError> {
        // Entries that are appended meanwhile are followed afterwards.
        let size = self.logs.in_scope(scope).store.tree_head().await?.size;
        let (mut after, mut indexed) = (None, 0);
        loop {
            let matches = self.logs.in_scope(scope).store.matches_after(after, MATCHES).await?;
            let Some(last) = matches.last() else { break };
            after = Some(*last);
            let mut deriving = JoinSet::new();
            for match_id in matches.into_iter().filter(|id| !id.0.is_nil()) {
                if deriving.len() >= AT_ONCE {
                    indexed += joined(deriving.join_next().await)?;
                }
                let index = self.clone();
                deriving.spawn(async move { index.derived(match_id).await });
            }
            while let Some(derived) = deriving.join_next().await {
                indexed += joined(Some(derived))?;
            }
            self.forget_withdrawn().await?;
            if indexed >= 10_000 && indexed % 10_000 < MATCHES as usize {
                tracing::info!("{indexed} matches are in the archive again");
            }
        }
        if scope == Scope::Record {
            indexed += self.relist_known_results().await?;
        }
        cursor::advance(self.logs.pool(), scope.log_id(), LeafIndex(size.0)).await?;
        Ok(indexed)
    }

    /// Derives a match. False if it cannot be read, which is logged; and for the chain of a registered player, which is
    /// no match and has no row in any list.
    async fn derived(&self, match_id: MatchId) -> Result<bool, AppError> {
        match self.update(match_id).await {
            Ok(()) => Ok(true),
            Err(AppError::Store(error)) if !is_value_refused(&error) => Err(error.into()),
            Err(AppError::NoMatch) => Ok(false),
            Err(error) => {
                tracing::error!(%match_id, %error, "a match is left out of the archive");
                Ok(false)
            }
        }
    }

    /// Forgets the matches from which another node withdrew words since the last look. A withdrawal has the time at which
    /// it began, so the minutes before that look are read again.
    async fn forget_withdrawn(&self) -> Result<(), AppError> {
        let since = self.seen_withdrawals.lock().unwrap_or_else(PoisonError::into_inner).since;
        let (withdrawn, now) = withdrawals::since(self.logs.pool(), LOG, since).await?;
        for withdrawal in &withdrawn {
            let known =
                self.seen_withdrawals.lock().unwrap_or_else(PoisonError::into_inner).ids.contains(&withdrawal.id);
            if !known {
                self.matches.forget(MatchId(withdrawal.match_id));
                self.derived(MatchId(withdrawal.match_id)).await?;
                self.seen_withdrawals.lock().unwrap_or_else(PoisonError::into_inner).ids.insert(withdrawal.id);
            }
        }
        let mut seen_withdrawals = self.seen_withdrawals.lock().unwrap_or_else(PoisonError::into_inner);
        *seen_withdrawals = Seen { ids: withdrawn.iter().map(|withdrawal| withdrawal.id).collect(), since: Some(now) };
        Ok(())
    }

    /// Forgets the pages of matches in which another node wrote or withdrew a comment or a recording since the last look.
    /// The minutes before that look are read again, as for withdrawals.
    async fn forget_commented(&self) -> Result<(), AppError> {
        let since = self.seen_comments.lock().unwrap_or_else(PoisonError::into_inner).since;
        let (mut changes, now) = comments::changed_since(self.logs.pool(), since).await?;
        changes.extend(recordings::changed_since(self.logs.pool(), since.unwrap_or(now)).await?);
        let mut seen = self.seen_comments.lock().unwrap_or_else(PoisonError::into_inner);
        for change in changes.iter().filter(|change| !seen.ids.contains(change)) {
            self.matches.caches.forget(change.match_id);
        }
        *seen = Seen { ids: changes.into_iter().collect(), since: Some(now) };
        Ok(())
    }

    /// Forgets the matches of which another node found submissions missing since the last look: their pages say so. A note
    /// is never removed, so a number that is the same means that nothing was found.
    async fn forget_missing(&self) -> Result<(), AppError> {
        let record = self.logs.record();
        let number = record.missing_count().await?.number;
        if number != self.seen_missing.load(Ordering::SeqCst) {
            for noted in record.missing_submissions(None).await?.newest {
                self.matches.caches.forget(noted.match_id);
            }
            self.seen_missing.store(number, Ordering::SeqCst);
        }
        Ok(())
    }
}

fn joined(derived: Option<Result<Result<bool, AppError>, tokio::task::JoinError>>) -> Result<usize, AppError> {
    match derived {
        Some(Ok(derived)) => derived.map(usize::from),
        // A task that panicked derived nothing; the log of the program has its details.
        Some(Err(_)) | None => Ok(0),
    }
}
