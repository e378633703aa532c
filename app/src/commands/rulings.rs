//! Rulings with an effect, and handovers.

use std::sync::Arc;

use engine::Seat;
use ledger::{Author, Head, MatchId, Seq, UmpireId};
use record::History;
use record::write;

use super::Commands;
use crate::act::Act;
use crate::error::AppError;
use crate::recorder::Whose;

impl Commands {
    pub async fn warn(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        seat: Seat,
        clause: Option<&str>,
        text: &str,
    ) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["warn", seat.word(), clause.unwrap_or(""), text]);
        self.recorder
            .act(act, match_id, seen, submit, |context, history, _| write::warn(context, history, seat, clause, text))
            .await
    }

    pub async fn go_on_recorded(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        clause: Option<&str>,
        text: &str,
    ) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["go-on-recorded", clause.unwrap_or(""), text]);
        self.recorder
            .act(act, match_id, seen, submit, |context, history, _| {
                write::go_on_recorded(context, history, clause, text)
            })
            .await
    }

    /// Hands a match over to another umpire, or takes it over. Any umpire takes a match; only the umpire whose match it is
    /// gives it to somebody else. Helpers and commentators named before then end.
    pub async fn hand_over(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        to: &UmpireId,
        reason: &str,
    ) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["hand", to.as_str(), reason]);
        let whose = if act.by == Author::Umpire(to.clone()) { Whose::Anybodys } else { Whose::Umpires };
        self.recorder
            .act_in((match_id, whose), act, seen, submit, |context, history, _| {
                write::hand(context, history, to, reason)
            })
            .await
    }

    pub async fn answer_objection(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        objection: Seq,
        clause: Option<&str>,
        text: &str,
    ) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["answer", &objection.to_string(), clause.unwrap_or(""), text]);
        self.recorder
            .act(act, match_id, seen, submit, |context, history, _| {
                write::answer(context, history, objection, clause, text)
            })
            .await
    }
}
