//! Objections of players to moves that were recorded for them.
//!
//! The umpire must answer an objection with a ruling, a correction or a strike before the match can end.

use std::sync::Arc;

use record::{History, write};
use store::SubmitId;

use super::Submissions;
use crate::account::player::SeatRef;
use crate::act::Act;
use crate::error::AppError;
use crate::recorder::by;

impl Submissions {
    pub async fn object(
        &self,
        seat_ref: SeatRef,
        form: SubmitId,
        step: u32,
        text: &str,
    ) -> Result<Arc<History>, AppError> {
        let act = Act { by: by(seat_ref), form };
        let submit = act.submit(&self.recorder.vault, &["object", &step.to_string(), text.trim()]);
        let lock = self.recorder.locks.of(seat_ref.match_id);
        let _guard = lock.lock().await;
        let history = self.recorder.settle_locked(seat_ref.match_id, &ledger::Author::Server).await?;
        if self.recorder.repeated(seat_ref.match_id, &submit).await? {
            return Ok(history);
        }
        let written = self.recorder.compose(seat_ref.match_id, &act.by, |context| {
            write::object(context, &history, seat_ref.seat, step, text)
        })?;
        self.recorder.append(seat_ref.match_id, history.head, written, Some(submit)).await?;
        self.recorder.indexed(seat_ref.match_id).await
    }
}
