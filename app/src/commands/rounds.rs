//! Recording: an umpire types the moves of the seats. They are stored privately first, then sealed, then opened.

use std::sync::Arc;

use engine::{BySeat, Seat};
use ledger::{Author, DecisionId, MatchId, Moment, Sealer};
use record::write::{self, PreparedSubmission, WriteError};
use record::{History, StepSource};
use sha2::{Digest, Sha256};
use store::{StoredSubmission, Submission, Submit, SubmitId};

use super::{Commands, Moves};
use crate::act::Act;
use crate::error::AppError;
use crate::half_hash::first_half;
use crate::recorder::{counting, sealer, sent_at, told_closer};
use crate::scope::Scope;
use crate::submissions::{arrival, counts};

/// The submit id of one seat's private row. The form's own id is that of the append.
pub(crate) fn seat_submit(submit: &Submit, seat: Seat) -> Submit {
    let hash = Sha256::new().chain_update(submit.id.0).chain_update(seat.word()).finalize();
    Submit { id: SubmitId(first_half(hash.into())), digest: submit.digest }
}

impl Commands {
    pub async fn record(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
        moves: &Moves,
    ) -> Result<Arc<History>, AppError> {
        self.record_sent(act, match_id, decision, moves, BySeat::default()).await
    }

    async fn prepare(
        &self,
        act: &Act,
        history: &History,
        (decision, seats): (&DecisionId, &[Seat]),
        sent: &BySeat<Option<&str>>,
    ) -> Result<Vec<PreparedSubmission>, AppError> {
        let mut prepared = Vec::new();
        for seat in seats {
            let text = sent[*seat].filter(|text| !text.is_empty());
            let text = text.ok_or(WriteError::Missing("type a move for each seat, or - for no move"))?;
            let made = self.recorder.compose(history.match_id, &act.by, |context| {
                write::prepare(context, history, decision, *seat, text)
            })?;
            prepared.extend(made);
        }
        // Nothing is stored of moves that cannot be played together. Answers that are stored already may count instead.
        if self.recorder.answered_at(history.match_id, decision).await?.is_none() {
            write::check_answers(history, decision, sent)?;
        }
        Ok(prepared)
    }

    pub async fn record_sent(
        &self,
        act: &Act,
        match_id: MatchId,
        decision: &DecisionId,
        moves: &Moves,
        times: BySeat<Option<Moment>>,
    ) -> Result<Arc<History>, AppError> {
        let lock = self.recorder.locks.of(match_id);
        let _guard = lock.lock().await;
        let sent = moves.as_ref().map(|sent| sent.as_deref().map(str::trim));
        let said = times.map(|at| at.map_or_else(String::new, |at| at.to_string()));
        let mut what = vec!["record", decision.as_str(), sent.p1.unwrap_or(""), sent.p2.unwrap_or("")];
        if times != BySeat::default() {
            what.extend([said.p1.as_str(), said.p2.as_str()]);
        }
        let submit = act.submit(&self.recorder.vault, &what);
        let history = self.recorder.settle_locked(match_id, &act.by).await?;
        if self.recorder.repeated(match_id, &submit).await? {
            return Ok(history);
        }
        self.recorder.permissions.check(&history, &act.by).await?;
        let Some(open) = history.open.iter().find(|open| open.asked.decision == *decision) else {
            // After a crash between its rows and its seals, another caller has settled the match.
            let ours = self.is_ours(match_id, decision, &submit).await? || said_nothing(&history, decision, &sent);
            return if ours { Ok(history) } else { Err(AppError::Overtaken) };
        };
        self.recorder.not_waiting(&history).await?;
        let mut came: BySeat<Option<Moment>> = BySeat::default();
        for (seat, at) in times.each() {
            came[seat] = at.map(|at| sent_at(open, at, self.recorder.system.now())).transpose()?;
        }
        let seats: Vec<Seat> = open.asked.seats.iter().map(|seat| seat.0).collect();
        let prepared = self.prepare(act, &history, (decision, &seats), &sent).await?;
        for submission in &prepared {
            let seat = sealer(submission.seat);
            let private = Submission {
                log_id: Scope::of(match_id).log_id(),
                match_id,
                decision: decision.clone(),
                seat,
                at: arrival(open, came[submission.seat].unwrap_or_else(|| self.recorder.system.now())),
                commitments: submission.commitments.clone(),
                escrow: Some(self.recorder.vault.lock_openings(match_id, decision, seat, &submission.secrets)?),
                submit: Some(seat_submit(&submit, submission.seat)),
                sent_by: act.by.clone(),
                signed: None,
                is_final: false,
                counts: counts(open),
            };
            // A crash after this leaves a private row. If the moves are typed again, the later row counts.
            self.recorder.submit(private, open.leaf).await??;
        }
        let received = self.close_recorded(match_id, decision, seats, told_closer(open, &act.by)).await?;
        // A crash after this leaves a closed decision: the next caller settles it with the stored rows.
        match self.recorder.enter(match_id, &act.by, &history, decision, &received, Some(submit)).await {
            // Another node met the closed decision first, and settles it with these rows.
            Err(AppError::Overtaken) if are_ours(&received, &prepared) => {
                self.recorder.settle_locked(match_id, &act.by).await
            }
            entered => entered,
        }
    }

    async fn close_recorded(
        &self,
        match_id: MatchId,
        decision: &DecisionId,
        seats: Vec<Seat>,
        by: Option<&Author>,
    ) -> Result<Vec<StoredSubmission>, AppError> {
        let seats: Vec<Sealer> = seats.into_iter().map(sealer).collect();
        let now = self.recorder.system.now();
        Ok(self.recorder.logs.store(match_id).close(match_id, decision, &seats, now, by).await?)
    }

    async fn is_ours(&self, match_id: MatchId, decision: &DecisionId, submit: &Submit) -> Result<bool, AppError> {
        let store = self.recorder.logs.store(match_id);
        for seat in Seat::BOTH {
            let submit = seat_submit(submit, seat);
            if store.repeated(match_id, decision, sealer(seat), submit).await?.is_some() {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn are_ours(received: &[StoredSubmission], prepared: &[PreparedSubmission]) -> bool {
    counting(received)
        .iter()
        .all(|seal| prepared.iter().any(|ours| ours.seat == seal.seat && ours.commitments == seal.commitments))
}

/// True if the form said that no seat sent anything, and the decision was resolved like that. Such a form stores no row.
fn said_nothing(history: &History, decision: &DecisionId, sent: &BySeat<Option<&str>>) -> bool {
    let nothing = Seat::BOTH.into_iter().all(|seat| sent[seat].is_none_or(|sent| sent == "-"));
    let resolved = history.steps.iter().find(|step| step.source == StepSource::Decision(decision.clone()));
    nothing && resolved.is_some_and(|step| step.seals.is_empty())
}
