//! A player's "this is not what I sent", and the umpire's answer to it.
//!
//! An open objection is a duty of the console until a ruling, a correction or a strike answers it. The match cannot end
//! before.

use std::sync::Arc;

use ledger::{Head, MatchId, Seq};
use record::{History, write};
use store::SubmitId;

use super::submitting::by;
use super::{Act, Book, BookError};
use crate::account::player::Chair;

impl Book {
    /// Records that a seat did not send what a step says of it. The same form sent again does it once.
    ///
    /// # Errors
    /// It is refused, or the database.
    pub async fn object(&self, chair: Chair, form: SubmitId, step: u32, text: &str) -> Result<Arc<History>, BookError> {
        let act = Act { by: by(chair.seat), form };
        let submit = act.submit(&self.keys, &["object", &step.to_string(), text.trim()]);
        let turn = self.turn(chair.match_id);
        let _turn = turn.lock().await;
        let history = self.settle_in_turn(chair.match_id, &ledger::By::Server).await?;
        if self.repeated(&submit).await? {
            return Ok(history);
        }
        let written =
            self.at_desk(chair.match_id, &act.by, |desk| write::object(desk, &history, chair.seat, step, text))?;
        self.append(chair.match_id, history.head, written, Some(submit)).await?;
        self.index(chair.match_id).await?;
        self.history(chair.match_id).await
    }

    /// Answers an objection with a ruling.
    ///
    /// # Errors
    /// It is refused, or somebody else was first.
    pub async fn answer_objection(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        objection: Seq,
        clause: Option<&str>,
        text: &str,
    ) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["answer", &objection.to_string(), clause.unwrap_or(""), text]);
        self.act(act, match_id, seen, submit, |desk, history, _| write::answer(desk, history, objection, clause, text))
            .await
    }
}
