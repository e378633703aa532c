//! The writer's queries before it can plan: the ends of matches, and earlier submit ids.

use std::collections::HashMap;

use ledger::{Entry, Head, LogId, MatchId, SubmitId};
use sqlx::{PgConnection, Row};

use super::StoreError;
use super::append::{AppendResult, EntryPlace};
use super::plan::Earlier;
use super::read::{Stored, head_covering, narrow, stored};
use super::tips::Tip;

pub(super) async fn tips(
    connection: &mut PgConnection,
    log_id: LogId,
    matches: &[MatchId],
) -> Result<HashMap<MatchId, Tip>, StoreError> {
    let rows = sqlx::query(
        "select last.* from unnest($2::uuid[]) as wanted (match_id) cross join lateral (\
             select pos, match_id, seq, leaf, bytes from entries \
             where log_id = $1 and entries.match_id = wanted.match_id order by seq desc limit 1\
         ) as last",
    )
    .bind(log_id.0)
    .bind(matches.iter().map(|id| id.0).collect::<Vec<_>>())
    .fetch_all(connection)
    .await?;
    let mut tips = HashMap::new();
    for row in &rows {
        let last = stored(row)?;
        tips.insert(last.match_id, last.verified()?.1);
    }
    Ok(tips)
}

pub(super) async fn earlier(
    connection: &mut PgConnection,
    log_id: LogId,
    submits: &[SubmitId],
) -> Result<HashMap<SubmitId, Earlier>, StoreError> {
    let rows = sqlx::query(
        "select entries.pos, entries.match_id, entries.seq, entries.leaf, entries.bytes, \
             opening.submit_id, opening.submit_digest \
         from entries as opening join entries on entries.log_id = opening.log_id \
             and entries.pos >= opening.pos and entries.pos < opening.pos + opening.submit_len \
         where opening.log_id = $1 and opening.submit_id = any($2) order by entries.pos",
    )
    .bind(log_id.0)
    .bind(submits.iter().map(|id| id.0.as_slice()).collect::<Vec<_>>())
    .fetch_all(&mut *connection)
    .await?;
    let mut found: HashMap<SubmitId, Earlier> = HashMap::new();
    for row in &rows {
        let entry = stored(row)?;
        let id = SubmitId(narrow(row.try_get::<&[u8], _>("submit_id")?, "submit_id")?);
        let digest = narrow(row.try_get::<&[u8], _>("submit_digest")?, "submit_digest")?;
        let (placed, tip) = entry.verified()?;
        if let Some(earlier) = found.get_mut(&id) {
            earlier.appended.entries.push(placed);
            earlier.appended.head = tip.head;
        } else {
            // Its entries were one batch, so the tree that covers the first covers them all.
            let tree = head_covering(&mut *connection, log_id, entry.index)
                .await?
                .ok_or_else(|| StoreError::Corrupt { what: format!("no tree head covers position {}", entry.index) })?;
            let appended = AppendResult { entries: vec![placed], head: tip.head, tree };
            found.insert(id, Earlier { digest, appended });
        }
    }
    Ok(found)
}

impl Stored {
    pub(super) fn verified(&self) -> Result<(EntryPlace, Tip), StoreError> {
        let entry = self.read()?;
        let Self { index, seq, leaf, .. } = *self;
        let next = seq.next().ok_or_else(|| self.corrupt("it is the last that fits"))?;
        let placed = EntryPlace { index, seq, leaf, at: entry.at };
        Ok((placed, Tip { head: Head { next, leaf }, at: entry.at }))
    }

    pub(super) fn read(&self) -> Result<Entry, StoreError> {
        let entry = Entry::read(&self.bytes).map_err(|error| self.corrupt(&error.to_string()))?;
        if ledger::leaf_hash(&self.bytes) != self.leaf {
            return Err(self.corrupt("its bytes do not have the leaf hash beside them"));
        }
        if (entry.match_id, entry.seq) != (self.match_id, self.seq) {
            return Err(self.corrupt("it does not belong to the match or place beside it"));
        }
        Ok(entry)
    }

    pub(super) fn corrupt(&self, what: &str) -> StoreError {
        StoreError::Corrupt { what: format!("position {}: {what}", self.index) }
    }
}
