//! A sign-in link: inert when it is opened, used up when its form is sent.

use std::sync::Arc;

use askama::Template;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};

use super::{private, session};
use crate::account::{self, AccountError, Token, Umpire, Visitor};
use crate::book::Book;
use crate::page::{Frame, Problem, page};

/// Asks whether to sign in.
#[derive(Template)]
#[template(path = "sign_in/link.html")]
struct Ask {
    frame: Frame,
    umpire: Umpire,
}

/// `GET /sign-in/{token}`: changes nothing, so that a preview in a chat does not use the link up.
pub(super) async fn ask(
    State(book): State<Arc<Book>>,
    visitor: Visitor,
    Path(token): Path<String>,
) -> Result<Response, Problem> {
    let found = match token.parse::<Token>() {
        Ok(token) => account::behind_link(book.pool(), book.mint(), &token).await,
        Err(error) => Err(error),
    };
    let mut frame = Frame::titled("Sign in").in_section("sign-in");
    frame.umpire = visitor.name();
    match found {
        Ok(umpire) => Ok(private(page(&Ask { frame, umpire })?)),
        Err(error) => Ok(private(refusal(&error, &visitor).into_response())),
    }
}

/// `POST /sign-in/{token}`: signs this browser in.
pub(super) async fn use_up(
    State(book): State<Arc<Book>>,
    visitor: Visitor,
    headers: HeaderMap,
    Path(token): Path<String>,
) -> Result<Response, Problem> {
    let signed_in = match token.parse::<Token>() {
        Ok(token) => account::sign_in(book.pool(), book.mint(), &token).await,
        Err(error) => Err(error),
    };
    match signed_in {
        Ok(token) => {
            let cookie = session::cookie(&token, &headers)?;
            Ok(private(([(header::SET_COOKIE, cookie)], Redirect::to("/umpire")).into_response()))
        }
        // The same form sent twice: the first one did it.
        Err(AccountError::Link) if visitor.umpire.is_some() => Ok(private(Redirect::to("/umpire").into_response())),
        Err(error) => Ok(private(refusal(&error, &visitor).into_response())),
    }
}

fn refusal(error: &AccountError, visitor: &Visitor) -> Problem {
    if !matches!(error, AccountError::Link) {
        return Problem::broken(error);
    }
    let detail = "This link has been used, is older than a day, or was copied with a letter missing. It signs nobody in. \
                  Ask whoever keeps this record for a new one; they make it with: matchbook umpire link NAME";
    let problem =
        Problem { status: StatusCode::GONE, title: "This link does not work any more", ..Problem::refused(detail) };
    match &visitor.umpire {
        Some(umpire) => problem.back("/umpire", format!("You are signed in as {}: go to the desk", umpire.name)),
        None => problem.back("/sign-in", "How to sign in"),
    }
}
