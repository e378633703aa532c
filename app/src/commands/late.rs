//! Moves that a player sent elsewhere, typed by the umpire with the time of sending. In time, they are submissions like all
//! others; late ones are kept, and count only if a ruling admits them.

use engine::Seat;
use ledger::{DecisionId, MatchId, Moment};
use record::write::{self, WriteError};

use super::Commands;
use super::rounds::seat_submit;
use crate::act::Act;
use crate::recorder::{is_late, sealer, sent_at};
use crate::submissions::SubmissionRefusal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedOutcome {
    Stored,
    /// It was late. It is kept, and counts only if a ruling admits it.
    Late,
}

/// A move that an umpire types for a seat.
#[derive(Clone, Copy, Debug)]
pub struct TypedMove<'m> {
    pub decision: &'m DecisionId,
    pub seat: Seat,
    pub text: &'m str,
    /// The time when the player sent it; now if it is not given.
    pub sent: Option<Moment>,
    /// True if its text at the time of sending is not certain, as in an edited message: it is kept as a late one is.
    pub is_edited: bool,
}

impl Commands {
    /// Stores a move that the umpire types for a seat of a live match, in place of the seat's earlier submissions. A late move
    /// is kept apart. The decision stays open.
    pub async fn type_sent(
        &self,
        act: &Act,
        match_id: MatchId,
        typed: TypedMove<'_>,
    ) -> Result<TypedOutcome, SubmissionRefusal> {
        let TypedMove { decision, seat, text, sent, is_edited } = typed;
        let recorder = &self.recorder;
        let history = recorder.settle(match_id).await?;
        recorder.permissions.check(&history, &act.by).await?;
        let time = sent.map_or_else(String::new, |sent| sent.to_string());
        let contents = ["type", decision.as_str(), seat.word(), text.trim(), &time];
        let submit = match is_edited {
            true => act.submit(&recorder.vault, &["apart", decision.as_str(), seat.word(), text.trim()]),
            false => act.submit(&recorder.vault, &contents),
        };
        let submit = seat_submit(&submit, seat);
        let open = history.open.iter().find(|open| open.asked.decision == *decision);
        let Some(open) = open.filter(|_| history.is_live()) else {
            // A repetition of a form that was stored is answered as before.
            let stored = recorder.logs.store(match_id).repeated(match_id, decision, sealer(seat), submit).await?;
            return stored.map(|_| TypedOutcome::Stored).ok_or(SubmissionRefusal::Closed);
        };
        let now = recorder.system.now();
        let at = sent.map_or(Ok(now), |sent| sent_at(open, sent, now))?;
        if is_edited || (is_late(&history, open, at) && history.admitted(decision, seat).is_none()) {
            // The rules are checked before it is kept: an invalid move could not be admitted later.
            let prepared = recorder
                .compose(match_id, &act.by, |context| write::prepare(context, &history, decision, seat, text))?;
            prepared.ok_or(WriteError::Missing("leave the line empty for no move"))?;
            recorder.keep_late(&act.by, match_id, decision, seat, text.trim(), (submit, at, now)).await?;
            return Ok(TypedOutcome::Late);
        }
        recorder.store_typed(&act.by, &history, decision, seat, text, (submit, at)).await?;
        Ok(TypedOutcome::Stored)
    }
}
