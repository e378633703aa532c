//! Openings that nobody has any more, because their key was lost: for the umpire, the players and everybody else.

use app::{App, AppError};
use askama::Template;
use record::History;
use record::words::row_words;

use super::When;

/// The notice, as long as a running match lacks openings.
#[derive(Clone, Debug, Template)]
#[template(path = "page/lost_notice.html")]
pub(crate) struct LostNotice {
    /// The day on which the key was replaced.
    since: When,
    /// True if moves are lost, and not just the host's share of the draws.
    moves: bool,
    /// The round, in words, from which on nothing can be replayed.
    before: Option<String>,
    /// True if it says what the umpire can do.
    for_umpire: bool,
    /// True if the umpire can type the moves instead of the players.
    can_type: bool,
}

impl LostNotice {
    /// The notice now; none if nothing is lost.
    pub(crate) async fn now(app: &App, history: &History) -> Result<Option<Self>, AppError> {
        let Some(lost) = app.matches.lost_openings(history).await? else { return Ok(None) };
        let is_first = |number: u32| Some(number) == lost.step;
        let rows = history.rows();
        let row = rows.iter().find(|row| row.steps.iter().any(|step| is_first(step.number)));
        Ok(Some(Self {
            since: When::day(lost.since.to_utc()),
            moves: lost.has_moves(),
            before: row.map(|row| row_words(&row.label).to_lowercase()),
            for_umpire: false,
            can_type: lost.question && history.is_live(),
        }))
    }

    /// The same with what the umpire can do.
    pub(crate) fn for_umpire(self) -> Self {
        Self { for_umpire: true, ..self }
    }
}
