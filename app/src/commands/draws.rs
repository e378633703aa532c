//! Draws: the host's cards, by their key or as they were drawn elsewhere.

use std::sync::Arc;

use engine::{Seat, To};
use ledger::{Head, MatchId};
use record::write::{self, NewEntries, WriteContext, WriteError};
use record::{History, OpenDecision, Secrets};
use store::Submit;

use super::Commands;
use crate::act::Act;
use crate::error::AppError;

impl Commands {
    /// Makes the draw that is due, by its key. `early` lets it end what the seats are still asked beside it.
    ///
    /// # Errors
    /// Nothing is due, a seat may still answer, or somebody else was first.
    pub async fn draw_by_key(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        early: bool,
    ) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["draw-by-key"]);
        self.draw_once(act, match_id, seen, (submit, early), write::draw_by_key).await
    }

    /// Enters what the host drew elsewhere. `early` lets it end what the seats are still asked beside it.
    ///
    /// # Errors
    /// It is refused, a seat may still answer, or somebody else was first.
    pub async fn draw(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        text: &str,
        early: bool,
    ) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["draw", text]);
        self.draw_once(act, match_id, seen, (submit, early), |context, history, secrets| {
            write::draw(context, history, text, secrets)
        })
        .await
    }

    /// True if the draw that is due would take time from a seat, which may still answer what stands open beside it.
    #[must_use]
    pub fn draw_is_early(&self, history: &History) -> bool {
        let now = self.recorder.system.now();
        let asked = |open: &OpenDecision| match history.clock(&open.asked.decision) {
            Some(clock) => !clock.remaining(now).is_zero(),
            None => true,
        };
        ends_questions(history) && history.open.iter().any(asked)
    }

    /// One draw, on the head that the umpire saw. What the seats answered beside it is entered before it.
    async fn draw_once(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        (submit, early): (Submit, bool),
        write: impl Fn(&mut WriteContext<'_>, &History, &Secrets) -> Result<NewEntries, WriteError>,
    ) -> Result<Arc<History>, AppError> {
        let turn = self.recorder.turns.of(match_id);
        let _turn = turn.lock().await;
        let mut history = self.recorder.settle_in_turn(match_id, &act.by).await?;
        if self.recorder.repeated(match_id, &submit).await? {
            return Ok(history);
        }
        if history.head != seen {
            return Err(AppError::Overtaken);
        }
        if ends_questions(&history) {
            if !early && self.draw_is_early(&history) {
                return Err(WriteError::NotNow(
                    "a player may still answer what stands open beside this draw, which would end with it: say that it \
                     shall, or wait for the end of that time",
                )
                .into());
            }
            // A draw that is refused ends nothing.
            let secrets = self.recorder.matches.secrets(match_id).await?;
            self.recorder.compose(match_id, &act.by, |context| write(context, &history, &secrets))?;
            self.recorder.take_in(&history).await?;
            history = self.recorder.clear(match_id, &act.by, history, None, ends_questions).await?;
        }
        self.recorder.act_in_turn(act, &history, submit, write).await
    }

    /// Lists the shares anew, without one that was sealed and cannot be opened.
    ///
    /// # Errors
    /// No share is missing, or somebody else was first.
    pub async fn list_without(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        seat: Seat,
    ) -> Result<Arc<History>, AppError> {
        let submit = act.submit(&self.recorder.vault, &["list-without", seat.word()]);
        self.recorder
            .act(act, match_id, seen, submit, |context, history, _| write::list_without(context, history, seat))
            .await
    }
}

/// True if the host's draw carries the game on, and with it ends what the seats of a live match are asked beside it.
fn ends_questions(history: &History) -> bool {
    history.is_live() && history.asks().last().is_some_and(|ask| ask.to == To::Host)
}
