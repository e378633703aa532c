//! The page of an error.

use askama::Template;
use axum::response::{IntoResponse, Response};

use web_http::Problem;

use super::frame::rendered;
use super::{Frame, PracticeMark};

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'p> {
    frame: Frame,
    problem: &'p Problem,
}

#[must_use]
pub fn problem_page(problem: &Problem, practice: Option<PracticeMark>) -> Response {
    let frame = Frame { practice, ..Frame::titled(problem.title()) };
    let page = rendered(problem.status(), &ProblemPage { frame, problem })
        .unwrap_or_else(|_| (problem.status(), problem.title()).into_response());
    problem.with_headers(page)
}
