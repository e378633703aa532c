//! The host's draws: by a key of the record, or as they were drawn elsewhere.

use std::sync::Arc;

use engine::To;
use ledger::{Head, MatchId};
use record::write::WriteError;
use record::{History, OpenDecision};
use store::Submit;

use super::Commands;
use crate::act::Act;
use crate::error::AppError;
use crate::recorder::Write;
use crate::umpire_act::DrawLine;

impl Commands {
    /// Makes a draw. One that is `early` may end questions that the seats can still answer.
    pub(super) async fn draw(
        &self,
        act: &Act,
        match_id: MatchId,
        (submit, line): (Submit, &DrawLine),
        write: impl Write,
    ) -> Result<Arc<History>, AppError> {
        let history = self.draw_once(act, match_id, line.head.head(), (submit, line.early), write).await?;
        if let Some(awaited) = self.recorder.awaited_round(&history) {
            let tree = self.recorder.tree(match_id).await?;
            self.recorder.public_log.show_in_time(tree, awaited.at).await;
        }
        Ok(history)
    }

    #[must_use]
    pub fn draw_is_early(&self, history: &History) -> bool {
        let now = self.recorder.system.now();
        let asked = |open: &OpenDecision| match history.clock(&open.asked.decision) {
            Some(clock) => !clock.remaining(now).is_zero(),
            None => true,
        };
        ends_questions(history) && history.open.iter().any(asked)
    }

    async fn draw_once(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        (submit, early): (Submit, bool),
        write: impl Write,
    ) -> Result<Arc<History>, AppError> {
        let lock = self.recorder.locks.of(match_id);
        let _guard = lock.lock().await;
        let (mut seen, mut tried, mut ended) = (seen, None, false);
        loop {
            let mut history = self.recorder.settle_locked(match_id, &act.by).await?;
            if self.recorder.repeated(match_id, &submit).await? {
                return Ok(history);
            }
            self.recorder.permissions.check(&history, &act.by).await?;
            if !history.allows_act_on(seen) || tried == Some(history.head) {
                return Err(AppError::Overtaken);
            }
            self.recorder.not_waiting(&history).await?;
            if ends_questions(&history) {
                let before = history.head;
                history = self.end_questions(act, history, early, &write).await?;
                ended |= history.head != before;
                if !ends_questions(&history) {
                    // A player's answer came first, and the host draws nothing now.
                    return Err(AppError::Overtaken);
                }
            }
            match self.recorder.act_locked(act, &history, submit, &write).await {
                // As for every act, the head of another node matters only if its entries conflict with this one.
                Err(AppError::Overtaken) => (seen, tried) = (history.head, Some(history.head)),
                // It was right on the head that the umpire saw: a player's answer came first.
                Err(AppError::Refused(_)) if ended => return Err(AppError::Overtaken),
                drawn => return drawn,
            }
        }
    }

    async fn end_questions(
        &self,
        act: &Act,
        history: Arc<History>,
        early: bool,
        write: impl Write,
    ) -> Result<Arc<History>, AppError> {
        let match_id = history.match_id;
        if !early && self.draw_is_early(&history) {
            return Err(WriteError::NotNow(
                "a player may still answer another question, and this draw would end it: confirm that, or wait until \
                 its time is up",
            )
            .into());
        }
        // A refused draw must not end any question.
        let secrets = self.recorder.matches.secrets(match_id).await?;
        self.recorder.compose(match_id, &act.by, |context| write(context, &history, &secrets))?;
        self.recorder.admit_late(&history).await?;
        let history = self.recorder.close_others(match_id, &act.by, history, None, ends_questions).await?;
        self.recorder.not_waiting(&history).await?;
        Ok(history)
    }
}

/// True if the host's draw continues the game, and so ends the other questions of a live match.
fn ends_questions(history: &History) -> bool {
    history.is_live() && history.asks().last().is_some_and(|ask| ask.to == To::Host)
}
