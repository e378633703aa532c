//! Moves that a player sent elsewhere, typed by the umpire with the time of sending. In time, they are submissions like all
//! others; late ones are kept, and count only if a ruling admits them.

use std::sync::Arc;

use engine::Seat;
use ledger::{Author, DecisionId, Head, MatchId, Moment};
use record::History;
use record::body::SeatWord;
use record::write::{self, WriteError};
use store::{Counts, Submission, Submit};

use super::Commands;
use super::rounds::seat_submit;
use crate::act::Act;
use crate::error::AppError;
use crate::recorder::{is_late, sent_at};
use crate::scope::Scope;
use crate::submissions::SubmissionRefusal;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TypedOutcome {
    Stored,
    /// It was late. It is kept, and counts only if a ruling admits it.
    Late,
}

impl Commands {
    /// Stores a move that the umpire types for a seat of a live match, in place of the seat's earlier submissions. `sent` is
    /// the time when the player sent it; now if it is not given. A late move is kept apart. The decision stays open.
    pub async fn type_sent(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Seat,
        text: &str,
        sent: Option<Moment>,
    ) -> Result<TypedOutcome, SubmissionRefusal> {
        let history = self.recorder.settle(match_id).await?;
        self.recorder.permissions.check(&history, &act.by).await?;
        let name = sent.map_or_else(String::new, |sent| sent.to_string());
        let submit = act.submit(&self.recorder.vault, &["type", decision.as_str(), seat.word(), text.trim(), &name]);
        let submit = seat_submit(&submit, seat);
        let open = history.open.iter().find(|open| open.asked.decision == *decision);
        let Some(open) = open.filter(|_| history.is_live()) else {
            // A repetition of a form that was stored is answered as before.
            let typed = self.is_typed(match_id, decision, seat, submit).await?;
            return if typed { Ok(TypedOutcome::Stored) } else { Err(SubmissionRefusal::Closed) };
        };
        let now = self.recorder.system.now();
        let at = sent.map_or(Ok(now), |sent| sent_at(open, sent, now))?;
        if is_late(&history, open, at) && history.admitted(decision, seat).is_none() {
            // The rules are checked before it is kept: an invalid move could not be admitted later.
            let prepared = self
                .recorder
                .compose(match_id, &act.by, |context| write::prepare(context, &history, decision, seat, text))?;
            prepared.ok_or(WriteError::Missing("leave the line empty for no move"))?;
            self.recorder.keep_late(&act.by, match_id, decision, seat, text.trim(), (submit, at, now)).await?;
            return Ok(TypedOutcome::Late);
        }
        self.recorder.store_typed(&act.by, &history, decision, seat, text, (submit, at)).await?;
        Ok(TypedOutcome::Stored)
    }

    pub async fn type_for(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Seat,
        text: &str,
    ) -> Result<TypedOutcome, SubmissionRefusal> {
        self.type_sent(act, match_id, decision, seat, text, None).await
    }

    /// Keeps a move apart whose text at the time of sending is not certain, such as an edited message. It counts only if a
    /// ruling admits it.
    pub async fn keep_apart(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Seat,
        text: &str,
        sent: Moment,
    ) -> Result<(), SubmissionRefusal> {
        let history = self.recorder.settle(match_id).await?;
        self.recorder.permissions.check(&history, &act.by).await?;
        let open = history.open.iter().find(|open| open.asked.decision == *decision);
        let open = open.filter(|_| history.is_live()).ok_or(SubmissionRefusal::Closed)?;
        let now = self.recorder.system.now();
        let at = sent_at(open, sent, now)?;
        let submit = act.submit(&self.recorder.vault, &["apart", decision.as_str(), seat.word(), text.trim()]);
        let prepared = self
            .recorder
            .compose(match_id, &act.by, |context| write::prepare(context, &history, decision, seat, text))?;
        prepared.ok_or(WriteError::Missing("leave the line empty for no move"))?;
        let submit = seat_submit(&submit, seat);
        self.recorder.keep_late(&act.by, match_id, decision, seat, text.trim(), (submit, at, now)).await?;
        Ok(())
    }

    async fn is_typed(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seat: Seat,
        submit: Submit,
    ) -> Result<bool, SubmissionRefusal> {
        let row = Submission {
            log_id: Scope::of(match_id).log_id(),
            match_id,
            decision: decision.clone(),
            seat: SeatWord(seat).sealer(),
            at: self.recorder.system.now(),
            commitments: Vec::new(),
            escrow: None,
            submit: Some(submit),
            sent_by: Author::Server,
            signed: None,
            is_final: false,
            counts: Counts::Last,
        };
        Ok(self.recorder.logs.store(match_id).repeated(&row).await?.is_some())
    }

    /// Admits a late move of a seat, with a ruling that gives the reason: the last one that the umpire typed, or else the
    /// first one that the seat sent.
    #[expect(clippy::too_many_arguments, reason = "an act, a place, and the words of a ruling")]
    pub async fn admit(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        decision: &DecisionId,
        seat: Seat,
        clause: Option<&str>,
        text: &str,
    ) -> Result<Arc<History>, AppError> {
        if !self.recorder.late_inputs(match_id, decision).await?.iter().any(|late| late.seat == seat) {
            return Err(WriteError::NotNow("nothing late is kept for this seat").into());
        }
        let what = ["admit", decision.as_str(), seat.word(), clause.unwrap_or(""), text];
        let submit = act.submit(&self.recorder.vault, &what);
        let write = |context: &mut write::WriteContext<'_>, history: &History, _: &record::Secrets| {
            write::admit(context, history, decision, seat, clause, text)
        };
        let history = self.recorder.act(act, match_id, seen, submit, write).await?;
        // A crash before this leaves a ruling without its answer. The next act stores it, whatever it is.
        self.recorder.admit_late(&history).await?;
        Ok(history)
    }
}
