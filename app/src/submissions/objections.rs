//! A player's "this is not what I sent", which the umpire must answer.
//!
//! An open objection is a duty of the console until a ruling, a correction or a strike answers it. The match cannot end
//! before.

use std::sync::Arc;

use record::{History, write};
use store::SubmitId;

use super::Submissions;
use crate::account::player::Chair;
use crate::act::Act;
use crate::error::AppError;
use crate::recorder::by;

impl Submissions {
    /// Records that a seat did not send what a step says of it. The same form sent again does it once.
    ///
    /// # Errors
    /// It is refused, or the database.
    pub async fn object(&self, chair: Chair, form: SubmitId, step: u32, text: &str) -> Result<Arc<History>, AppError> {
        let act = Act { by: by(chair), form };
        let submit = act.submit(&self.recorder.vault, &["object", &step.to_string(), text.trim()]);
        let turn = self.recorder.turns.of(chair.match_id);
        let _turn = turn.lock().await;
        let history = self.recorder.settle_in_turn(chair.match_id, &ledger::Author::Server).await?;
        if self.recorder.repeated(chair.match_id, &submit).await? {
            return Ok(history);
        }
        let written = self
            .recorder
            .compose(chair.match_id, &act.by, |context| write::object(context, &history, chair.seat, step, text))?;
        self.recorder.append(chair.match_id, history.head, written, Some(submit)).await?;
        self.recorder.indexed(chair.match_id).await
    }
}
