//! The frame around every page: masthead, foot, and the headers for HTML.

use app::obstacle::Obstacle;
use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use ledger::MatchId;

use super::PracticeMark;
use crate::http::Problem;

/// The contents of the frame.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The page's title, before "Matchbook".
    pub title: String,
    /// One sentence for link previews and search engines.
    pub description: String,
    /// The current part of the masthead: `archive`, `players`, `events`, `statistics`, `rules`, `umpire`, or empty.
    pub section: &'static str,
    /// The umpire who is signed in.
    pub umpire: Option<String>,
    /// What keeps the site from accepting or closing anything, shown to umpires.
    pub obstacle: Option<Obstacle>,
    /// The mark of a page about a practice match.
    pub practice: Option<PracticeMark>,
}

impl Frame {
    /// A frame with a title.
    #[must_use]
    pub fn titled(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// In this section.
    #[must_use]
    pub fn in_section(mut self, section: &'static str) -> Self {
        self.section = section;
        self
    }

    /// About this match: a page about a practice match is marked.
    #[must_use]
    pub fn about(mut self, match_id: MatchId) -> Self {
        self.practice = PracticeMark::of(match_id);
        self
    }

    /// With a sentence for previews.
    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }
}

/// Renders a page.
///
/// # Errors
/// The template failed, which is a fault of the program.
pub fn page(template: &impl Template) -> Result<Response, Problem> {
    rendered(StatusCode::OK, template)
}

/// Renders a page under another status.
///
/// # Errors
/// As [`page`].
pub(crate) fn rendered(status: StatusCode, template: &impl Template) -> Result<Response, Problem> {
    let html = template.render().map_err(|error| Problem::broken(&error))?;
    let mut response = (status, Html(html)).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(response)
}
