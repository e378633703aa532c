//! Signing in and out. An umpire is given a link; looking at it changes nothing, and sending its form uses it up.

mod link;
mod session;

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::http::{HeaderValue, header};
use axum::response::Response;
use axum::routing::{get, post};

use crate::account::Visitor;
use crate::book::Book;
use crate::page::{Frame, Problem, page};

/// The addresses of this part.
pub(crate) fn routes() -> Router<Arc<Book>> {
    Router::new()
        .route("/sign-in", get(explain))
        .route("/sign-in/{token}", get(link::ask).post(link::use_up))
        .route("/sign-out", post(session::end))
}

/// How to sign in, and a way out for whoever is signed in.
#[derive(Template)]
#[template(path = "sign_in/explain.html")]
struct Explain {
    frame: Frame,
}

async fn explain(visitor: Visitor) -> Result<Response, Problem> {
    let mut frame = Frame::titled("Sign in").in_section("sign-in");
    frame.umpire = visitor.name();
    Ok(private(page(&Explain { frame })?))
}

/// Keeps an answer out of every cache, and its address out of whatever is opened from it. With `no-referrer` a browser
/// would call the form's origin `null`, and it would look as if another site had sent it; the origin alone names no
/// token.
fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin"));
    response
}
