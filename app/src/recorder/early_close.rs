//! Questions that close early, in a match that allows it: as soon as the last answer of every seat that is asked is final.
//! The store closes such a question only if that is so at the very moment, so a mark that is taken back is never too
//! late.
//!
//! A question that closes early without final answers, and not by an umpire, fails its match. So the rows of a close say
//! which umpire made it: another node may have to finish a close that was cut short.

use std::sync::Arc;

use ledger::{Author, DecisionId, Sealer};
use record::body::Closing;
use record::{History, OpenDecision};
use store::StoredSubmission;

use super::Recorder;
use super::rounds::sealer;
use crate::due::{TICK, closes_at, deadline_of, later};
use crate::error::AppError;
use crate::slug::slug;

#[derive(Clone, Copy, Debug)]
pub(crate) enum CloseRule<'a> {
    /// None; with the umpire whom the rows name.
    Always(Option<&'a Author>),
    IfFinal,
}

pub(crate) fn told_closer<'a>(open: &OpenDecision, by: &'a Author) -> Option<&'a Author> {
    (open.asked.closes == Closing::AllIn && matches!(by, Author::Umpire(_))).then_some(by)
}

/// The author of a close with these rows: the umpire whom they name, or else `by`.
pub(super) fn closer(rows: &[StoredSubmission], by: &Author) -> Author {
    let named = rows.iter().filter(|row| row.closes()).find_map(|row| row.sent_by.clone());
    named.unwrap_or_else(|| by.clone())
}

fn is_all_final(open: &OpenDecision, rows: &[StoredSubmission]) -> bool {
    open.asked.seats.iter().all(|seat| {
        rows.iter().rfind(|row| row.seat == sealer(seat.0)).is_some_and(|last| !last.closes() && last.is_final)
    })
}

impl Recorder {
    /// Closes a question early if all answers to it are final and its clock runs. True if it was closed, or if it is tried
    /// again in a moment. The caller holds the match's lock.
    pub(super) async fn close_final(&self, history: &Arc<History>, open: &OpenDecision) -> Result<bool, AppError> {
        let (match_id, decision) = (history.match_id, &open.asked.decision);
        let now = self.system.now();
        // Before its clock begins the question may not be posted yet; after the deadline it closes anyway.
        if deadline_of(history, open).is_none_or(|deadline| now >= closes_at(deadline)) {
            return Ok(false);
        }
        let rows = self.logs.store(match_id).submissions(match_id, decision).await?;
        if !is_all_final(open, &rows) {
            return Ok(false);
        }
        let last = rows.iter().map(|row| row.at).max().unwrap_or(now);
        if self.arrivals.has_in_flight(&slug(match_id), last) || self.has_answer_beside(history, decision).await? {
            // It came before, and may take a mark back; or it closes its own question first.
            self.due.add(later(now, TICK), match_id, decision);
            return Ok(true);
        }
        let seats: Vec<Sealer> = open.asked.seats.iter().map(|seat| seat.sealer()).collect();
        let rows = self.close_seats(match_id, decision, &seats, open.leaf, CloseRule::IfFinal).await?;
        if !rows.iter().any(StoredSubmission::closes) {
            return Ok(false);
        }
        // A crash before this leaves a close that settle() finishes.
        self.close_locked(match_id, &closer(&rows, &Author::Server), history, decision).await?;
        Ok(true)
    }

    /// True if another open question waits only for its first answer and has one. It is closed first.
    async fn has_answer_beside(&self, history: &History, decision: &DecisionId) -> Result<bool, AppError> {
        let beside = history.open.iter().filter(|open| open.asked.closes == Closing::FirstValid);
        for other in beside.map(|open| &open.asked.decision).filter(|other| *other != decision) {
            if self.answered_at(history.match_id, other).await?.is_some() {
                self.due.close_soon(history.match_id, other);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The author of the close of a question whose seals have entered; `by` unless its rows name an umpire.
    pub(super) async fn closer_of(
        &self,
        history: &History,
        open: &OpenDecision,
        by: &Author,
    ) -> Result<Author, AppError> {
        if open.asked.closes != Closing::AllIn {
            return Ok(by.clone());
        }
        let match_id = history.match_id;
        Ok(closer(&self.logs.store(match_id).submissions(match_id, &open.asked.decision).await?, by))
    }
}
