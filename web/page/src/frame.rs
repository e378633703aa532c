//! The frame around every page: masthead, foot, and the headers for HTML.

use app::obstacle::Obstacle;
use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use ledger::MatchId;

use super::PracticeMark;
use web_http::Problem;

#[derive(Clone, Debug, Default)]
pub struct Frame {
    pub title: String,
    pub description: String,
    pub section: &'static str,
    pub umpire: Option<String>,
    pub obstacle: Option<Obstacle>,
    pub practice: Option<PracticeMark>,
}

impl Frame {
    #[must_use]
    pub fn titled(title: impl Into<String>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    #[must_use]
    pub fn in_section(mut self, section: &'static str) -> Self {
        self.section = section;
        self
    }

    #[must_use]
    pub fn about(mut self, match_id: MatchId) -> Self {
        self.practice = PracticeMark::of(match_id);
        self
    }

    #[must_use]
    pub fn described(mut self, description: impl Into<String>) -> Self {
        self.description = description.into();
        self
    }
}

pub fn page(template: &impl Template) -> Result<Response, Problem> {
    rendered(StatusCode::OK, template)
}

pub fn rendered(status: StatusCode, template: &impl Template) -> Result<Response, Problem> {
    let html = template.render().map_err(|error| Problem::broken(&error))?;
    let mut response = (status, Html(html)).into_response();
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    Ok(response)
}
