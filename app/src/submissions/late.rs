//! What a player sent too late.

use record::History;
use record::write;
use store::Submit;

use super::{Answer, Sent, SubmissionRefusal, Submissions};
use crate::account::player::Chair;
use crate::recorder::by;

/// The longest late answer that is kept.
const LATE_MAX_CHARS: usize = 600;

impl Submissions {
    /// Keeps what a player sent too late, and gives the refusal that says so. Of a seat and a question the first is kept:
    /// an umpire who reads it and rules shall find that it counts, and no other. What the rules refuse is not kept.
    pub(crate) async fn keep_late_of_player(
        &self,
        history: &History,
        sent: &Sent,
    ) -> Result<SubmissionRefusal, SubmissionRefusal> {
        let (Chair { match_id, seat }, decision) = (sent.chair, &sent.decision);
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
        let known = self.recorder.late_inputs(match_id, decision).await?;
        if let Some(kept) = known.iter().find(|late| late.seat == seat && late.is_of_player()) {
            return Ok(if kept.form == sent.submit {
                SubmissionRefusal::KeptLate
            } else {
                SubmissionRefusal::LateAgain
            });
        }
        if history.open.iter().any(|open| open.asked.decision == *decision && open.sealed.is_empty()) {
            self.recorder.compose(match_id, &by(sent.chair), |context| {
                write::prepare(context, history, decision, seat, &text)
            })?;
        }
        let submit = Submit { id: sent.submit, digest: self.recorder.vault.digest(&[text.as_bytes()]) };
        self.recorder
            .keep_late(
                &by(sent.chair),
                match_id,
                decision,
                seat,
                &text,
                (submit, sent.came, self.recorder.system.now()),
            )
            .await?;
        Ok(SubmissionRefusal::KeptLate)
    }
}
