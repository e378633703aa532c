//! Submissions that came too late.

use record::History;
use record::body::SeatWord;
use record::write;
use store::Submit;

use super::{Answer, PlayerSubmission, SubmissionRefusal, Submissions};
use crate::account::player::SeatRef;
use crate::error::AppError;
use crate::recorder::by;

const LATE_MAX_CHARS: usize = 600;

impl Submissions {
    pub(super) async fn closed_first(
        &self,
        history: &History,
        sent: &PlayerSubmission,
    ) -> Result<SubmissionRefusal, SubmissionRefusal> {
        let SeatRef { match_id, seat } = sent.access.seat_ref;
        let rows =
            self.recorder.logs.store(match_id).submissions(match_id, &sent.decision).await.map_err(AppError::from)?;
        let seat = SeatWord(seat).sealer();
        let closed_at = rows.iter().find(|row| row.seat == seat && row.closes()).map(|row| row.at);
        let refusal = self.keep_late_of_player(history, sent).await?;
        let in_time = closed_at.is_some_and(|closed_at| sent.came <= closed_at);
        Ok(match refusal {
            SubmissionRefusal::KeptLate if in_time => SubmissionRefusal::ClosedFirst,
            refusal => refusal,
        })
    }

    /// Keeps a late submission, and returns the refusal. For each seat and decision only the first is kept: if an umpire
    /// reads it and admits it, that one counts. A submission that the rules refuse is not kept.
    pub(crate) async fn keep_late_of_player(
        &self,
        history: &History,
        sent: &PlayerSubmission,
    ) -> Result<SubmissionRefusal, SubmissionRefusal> {
        let (SeatRef { match_id, seat }, decision) = (sent.access.seat_ref, &sent.decision);
        let what = history.open.iter().find(|open| open.asked.decision == *decision).map(|open| &open.asked.what);
        let what = what.or_else(|| history.clock(decision).map(|clock| &clock.what));
        let text = match (&sent.answer, what) {
            (Answer::Text(text), _) => text.trim().to_owned(),
            (Answer::Sealed { openings, .. }, Some(what)) => {
                let values: Vec<&str> = openings.iter().map(|(_, secret)| secret.value.as_str()).collect();
                history.duel().join(what, &values)
            }
            (Answer::Sealed { .. }, None) => return Ok(SubmissionRefusal::Late),
        };
        if text.is_empty() || text == "-" || text.chars().count() > LATE_MAX_CHARS || history.is_ended() {
            return Ok(SubmissionRefusal::Late);
        }
        if history.open.iter().any(|open| open.asked.decision == *decision && open.sealed.is_empty()) {
            self.recorder.compose(match_id, &by(sent.access.seat_ref), |context| {
                write::prepare(context, history, decision, seat, &text)
            })?;
        }
        let submit = Submit { id: sent.submit, digest: self.recorder.vault.digest(&[text.as_bytes()]) };
        let times = (submit, sent.came, self.recorder.system.now());
        let first = self.recorder.keep_late(&by(sent.access.seat_ref), match_id, decision, seat, &text, times).await?;
        Ok(if first == sent.submit { SubmissionRefusal::KeptLate } else { SubmissionRefusal::LateAgain })
    }
}
