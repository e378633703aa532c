//! Openings that nobody has any more, because their key was lost: for the umpire, the players and everybody else.

use app::{App, AppError};
use askama::Template;
use record::History;
use record::words::row_words;

use super::When;

#[derive(Clone, Debug, Template)]
#[template(path = "lost_notice.html")]
pub struct LostNotice {
    since: When,
    moves: bool,
    before: Option<String>,
    for_umpire: bool,
    can_type: bool,
}

impl LostNotice {
    pub async fn now(app: &App, history: &History) -> Result<Option<Self>, AppError> {
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

    pub fn for_umpire(self) -> Self {
        Self { for_umpire: true, ..self }
    }
}
