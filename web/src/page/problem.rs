//! The page of an error.

use askama::Template;
use axum::response::{IntoResponse, Response};

use super::Frame;
use super::frame::rendered;
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
    pub fn to_page(&self) -> Response {
        let frame = Frame::titled(self.title());
        let page = rendered(self.status(), &ProblemPage { frame, problem: self })
            .unwrap_or_else(|_| (self.status(), self.title()).into_response());
        self.with_headers(page)
    }
}

impl IntoResponse for Problem {
    /// Marked for [`crate::routes`], which knows if a person or a program asks.
    fn into_response(self) -> Response {
        self.log();
        let mut response = self.to_page();
        response.extensions_mut().insert(self);
        response
    }
}
