//! Rulings that do more than say something, and handovers.

use std::sync::Arc;

use engine::Seat;
use ledger::{Head, MatchId, UmpireId};
use record::History;
use record::write;

use super::{Act, Book, BookError};

impl Book {
    /// Warns a seat.
    ///
    /// # Errors
    /// It is refused, or somebody else was first.
    pub async fn warn(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        seat: Seat,
        clause: Option<&str>,
        text: &str,
    ) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["warn", seat.word(), clause.unwrap_or(""), text]);
        self.act(act, match_id, seen, submit, |desk, history, _| write::warn(desk, history, seat, clause, text)).await
    }

    /// Lets a live match go on as a recorded one: from here on the umpire types.
    ///
    /// # Errors
    /// It is refused, or somebody else was first.
    pub async fn go_on_recorded(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        clause: Option<&str>,
        text: &str,
    ) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["go-on-recorded", clause.unwrap_or(""), text]);
        self.act(act, match_id, seen, submit, |desk, history, _| write::go_on_recorded(desk, history, clause, text))
            .await
    }

    /// Hands a match to another umpire, or takes it.
    ///
    /// # Errors
    /// It is refused, or somebody else was first.
    pub async fn hand_over(
        &self,
        act: &Act,
        match_id: MatchId,
        seen: Head,
        to: &UmpireId,
        reason: &str,
    ) -> Result<Arc<History>, BookError> {
        let submit = act.submit(&self.keys, &["hand", to.as_str(), reason]);
        self.act(act, match_id, seen, submit, |desk, history, _| write::hand(desk, history, to, reason)).await
    }
}
