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
    /// As a page.
    #[must_use]
    pub fn to_page(&self, practice: Option<PracticeMark>) -> Response {
        let frame = Frame { practice, ..Frame::titled(self.title()) };
        let page = rendered(self.status(), &ProblemPage { frame, problem: self })
            .unwrap_or_else(|_| (self.status(), self.title()).into_response());
        self.with_headers(page)
    }
}

/// Marks an answer that is nothing but its [`Problem`], and still has to be written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unwritten;

impl IntoResponse for Problem {
    /// Unwritten: [`crate::routes`] knows if a person or a program asks, and about which match.
    fn into_response(self) -> Response {
        self.log();
        let mut response = self.with_headers(self.status().into_response());
        response.extensions_mut().insert(Unwritten);
        response.extensions_mut().insert(self);
        response
    }
}
