//! Whose part of a shuffle is waited for, in a sentence: for the umpire and both players.

use app::{App, AppError};
use askama::Template;
use record::History;
use record::words::listed;

use super::When;

#[derive(Clone, Debug, Template)]
#[template(
    source = "<div class=\"notice\"><p>Shuffling: waiting for {{ pages }}, until {{ until|safe }}. A part that does not come by then counts as zeros.</p></div>",
    ext = "html"
)]
pub struct ShuffleNotice {
    pages: String,
    until: When,
}

impl ShuffleNotice {
    pub async fn now(app: &App, history: &History) -> Result<Option<Self>, AppError> {
        let Some(list) = history.awaited_openings() else { return Ok(None) };
        let awaited = app.submissions.awaited_seats(history).await?;
        let pages: Vec<String> = awaited.iter().map(|seat| format!("{}\u{2019}s page", history.name(*seat))).collect();
        let until = When::second_on(list.deadline(), app.system().now());
        Ok((!pages.is_empty()).then(|| Self { pages: listed(&pages), until }))
    }
}
