//! The page of an error.

use askama::Template;
use axum::response::{IntoResponse, Response};

use super::frame::rendered;
use super::{Frame, PracticeMark};
use crate::http::Problem;

#[derive(Template)]
#[template(path = "page/problem.html")]
struct ProblemPage<'p> {
    frame: Frame,
    problem: &'p Problem,
}

impl Problem {
    #[must_use]
    pub fn to_page(&self, practice: Option<PracticeMark>) -> Response {
        let frame = Frame { practice, ..Frame::titled(self.title()) };
        let page = rendered(self.status(), &ProblemPage { frame, problem: self })
            .unwrap_or_else(|_| (self.status(), self.title()).into_response());
        self.with_headers(page)
    }
}
