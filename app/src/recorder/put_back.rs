//! Acknowledged submissions that the database has lost come back from the journal, before anything closes. Those that come
//! too late for that are [missing](super::missing).

use std::collections::BTreeMap;

use futures_util::future::try_join_all;
use ledger::{DecisionId, Hash, MatchId};
use record::History;
use store::{AcknowledgedRow, PutBack, StoredSubmission, Submission, SubmissionError};
use tokio::time::timeout;

use super::{PATIENCE, Recorder};
use crate::due::awaited_openings;
use crate::error::AppError;
use crate::heartbeat::Unfit;
use crate::protocol_trace;
use crate::scope::Scope;
use crate::submission_journal::{Counts, JournalState, Line};

impl Recorder {
    pub fn accepts(&self) -> Result<(), AppError> {
        self.public_log.accepts()?;
        if let Some(failure) = self.journal.failure() {
            return Err(failure.into());
        }
        self.heartbeat.tells_time().map_err(|unfit| match unfit {
            off @ Unfit::ClockOff { .. } => AppError::ClockOff(off),
            Unfit::NotSigned => AppError::ReadOnly,
            Unfit::Away | Unfit::Denied(_) | Unfit::NoJournal => AppError::Returning,
        })?;
        match self.journal.state() {
            JournalState::Settled => Ok(()),
            JournalState::Behind => Err(match self.heartbeat.away() {
                Unfit::Denied(_) => AppError::ReadOnly,
                _ => AppError::Returning,
            }),
            JournalState::Contradicted(_) => Err(AppError::ReadOnly),
        }
    }

    /// Stores a submission of a decision whose asking entry has this leaf hash. It is in the journal before it is
    /// acknowledged. Practice is in no second place.
    pub(crate) async fn submit(
        &self,
        row: Submission,
        asked: Hash,
    ) -> Result<Result<StoredSubmission, SubmissionError>, AppError> {
        let compared = self.journal.comparisons();
        self.journal.try_again().await?;
        self.accepts()?;
        let kept = row.clone();
        let stored = timeout(PATIENCE, self.submissions.submit(row)).await.map_err(|_| AppError::Stopped)?;
        if let (Ok(stored), Scope::Record) = (&stored, Scope::of(kept.match_id)) {
            protocol_trace::of_submission("store", kept.match_id, &kept.decision, kept.seat, stored.ordinal.0);
            // A crash before this leaves a row that counts and that nobody has a receipt for.
            self.keep(&[self.row_of(&kept, stored).await?], asked, compared).await?;
            protocol_trace::of_submission("keep", kept.match_id, &kept.decision, kept.seat, stored.ordinal.0);
        }
        if stored.is_ok() {
            self.feed.received(kept.match_id);
        }
        Ok(stored)
    }

    /// The row that a submission became. Sent again, it was sealed anew, and its first seal and opening are the ones in the
    /// database.
    async fn row_of(&self, sent: &Submission, stored: &StoredSubmission) -> Result<AcknowledgedRow, AppError> {
        if sent.commitments == stored.commitments {
            return Ok(AcknowledgedRow::of(sent, stored));
        }
        let rows = self.logs.store(sent.match_id).acknowledged(sent.match_id, &sent.decision, sent.seat).await?;
        let first = rows.into_iter().find(|(row, _)| row.ordinal == stored.ordinal);
        first.map(|(_, row)| row).ok_or(AppError::Returning)
    }

    /// Keeps rows in the journal. They were stored after the database was compared with it for the `compared`th time, and if
    /// it was compared again since then, the database may have forgotten them: they are not kept, and not acknowledged.
    pub(super) async fn keep(&self, rows: &[AcknowledgedRow], asked: Hash, compared: u64) -> Result<(), AppError> {
        let kept = try_join_all(rows.iter().map(|row| self.journal.keep(row, asked, compared))).await?;
        if kept.into_iter().all(|counts| counts) { Ok(()) } else { Err(AppError::Returning) }
    }

    /// Puts acknowledged submissions back that the database has lost, and gives their number. Those whose questions have
    /// closed without them are noted.
    pub async fn put_back(&self) -> Result<u32, AppError> {
        self.journal.set(JournalState::Behind);
        let mut decisions: BTreeMap<(MatchId, DecisionId), Vec<Line>> = BTreeMap::new();
        for line in self.lost_lines().await? {
            decisions.entry((line.place.match_id, line.place.decision.clone())).or_default().push(line);
        }
        let mut restored = 0;
        for ((match_id, decision), lines) in decisions {
            restored += self.put_back_for(match_id, &decision, lines).await?;
        }
        if restored > 0 {
            tracing::error!(restored, "the database had lost acknowledged submissions, which are put back");
        }
        protocol_trace::put_back();
        self.journal.set(JournalState::Settled);
        if let Err(error) = self.keep_unclosed().await {
            tracing::warn!(%error, "submissions that are in the database could not be kept in the journal too");
        }
        Ok(restored)
    }

    /// Keeps the submissions of open questions that are in no journal of this machine: its journal was lost, or another machine
    /// took them. Of ended matches none is read: they may have moves that no close ever took, and a start would wait for all.
    async fn keep_unclosed(&self) -> Result<(), AppError> {
        let compared = self.journal.comparisons();
        let mut kept = 0;
        let running = self.index.running_live(Scope::Record).await?;
        for (match_id, decision, stored, row) in self.logs.record().unclosed(&running).await? {
            if self.journal.has_row(&row) {
                continue;
            }
            let Some(asked) = leaf(&*self.matches.history(match_id).await?, &decision) else { continue };
            protocol_trace::of_submission("store", match_id, &decision, stored.seat, stored.ordinal.0);
            self.keep(&[row], asked, compared).await?;
            protocol_trace::of_submission("keep", match_id, &decision, stored.seat, stored.ordinal.0);
            kept += 1;
        }
        if kept > 0 {
            tracing::warn!(kept, "submissions of open questions were in no journal of this machine, and are now");
        }
        Ok(())
    }

    async fn lost_lines(&self) -> Result<Vec<Line>, AppError> {
        let (mut lost, mut batches) = (Vec::new(), self.journal.read());
        while let Some(batch) = batches.recv().await {
            let mut kept = Vec::new();
            for (line, counts) in batch? {
                match counts {
                    Counts::Kept => kept.push(line),
                    // One line is withdrawn: another request may have kept the same row before.
                    Counts::Withdrawn => drop(take_last(&mut kept, &line).or_else(|| take_last(&mut lost, &line))),
                }
            }
            if kept.is_empty() {
                continue;
            }
            let rows: Vec<AcknowledgedRow> = kept.iter().map(|line| line.row.clone()).collect();
            let places = self.logs.record().missing(&rows).await?;
            lost.extend(places.into_iter().filter_map(|place| kept.get(place).cloned()));
        }
        Ok(lost)
    }

    async fn put_back_for(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        mut lines: Vec<Line>,
    ) -> Result<u32, AppError> {
        let lock = self.locks.of(match_id);
        let _guard = lock.lock().await;
        let history = match self.matches.history(match_id).await {
            // A log that lost what it signed is not signed any more, and what was never signed is found here alone.
            Err(AppError::NoMatch) => {
                self.note_missing(None, &lines).await?;
                return Ok(0);
            }
            history => history?,
        };
        let Some(asked) = leaf(&history, decision) else {
            self.note_missing(Some(&history), &lines).await?;
            return Ok(0);
        };
        lines.retain(|line| line.asked == asked);
        // A seat's rows come back in their order; one that is in two journals is there the second time.
        lines.sort_by(|one, other| (&one.place.seat, one.place.ordinal).cmp(&(&other.place.seat, other.place.ordinal)));
        let mut restored = 0;
        for line in lines {
            match self.logs.store(match_id).put_back(&line.row, self.system.now()).await? {
                PutBack::There | PutBack::Closed => {}
                PutBack::Restored => restored += 1,
                PutBack::Different => {
                    let what = format!(
                        "match {match_id}, {decision}, {} {}: the database has another submission than the one that was \
                         acknowledged",
                        line.place.seat, line.place.ordinal
                    );
                    self.journal.set(JournalState::Contradicted(what.clone()));
                    return Err(AppError::Unreadable(what));
                }
            }
        }
        Ok(restored)
    }
}

fn take_last(lines: &mut Vec<Line>, line: &Line) -> Option<Line> {
    let last = lines.iter().rposition(|kept| kept == line)?;
    Some(lines.remove(last))
}

fn leaf(history: &History, decision: &DecisionId) -> Option<Hash> {
    if let Some((_, list)) = awaited_openings(history).filter(|(name, _)| name == decision) {
        return Some(list.leaf);
    }
    let open = history.open.iter().find(|open| open.asked.decision == *decision)?;
    open.sealed.is_empty().then_some(open.leaf)
}
