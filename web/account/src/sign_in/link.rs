//! A sign-in link: opening it changes nothing; sending its form uses it up.

use std::sync::Arc;

use app::App;
use app::account::{self, AccountError, RateLimit, RateLimits, Token};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use serde::Deserialize;

use super::session;
use page::{Frame, page};
use web_http::visitor::{Peer, Visitor};
use web_http::{ErrorKind, Problem};

/// The page that asks for confirmation. Its script reads the code from the address; without scripts the code is pasted.
#[derive(Template)]
#[template(path = "sign_in/link.html")]
struct ConfirmPage {
    frame: Frame,
}

#[derive(Deserialize)]
pub(super) struct Code {
    #[serde(default)]
    token: String,
}

/// `GET /sign-in/link`: the same for everybody, so that a preview in a chat does not use up the link.
pub(super) async fn ask(visitor: Visitor) -> Result<Response, Problem> {
    let mut frame = Frame::titled("Sign in").in_section("sign-in");
    frame.umpire = visitor.name();
    page(&ConfirmPage { frame })
}

pub(super) async fn use_up(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    visitor: Visitor,
    headers: HeaderMap,
    Form(Code { token }): Form<Code>,
) -> Result<Response, Problem> {
    let counted = limits.count(app.system(), RateLimit::Address, &peer.counted());
    counted.map_err(|many| Problem::too_many(many.retry_seconds))?;
    // Users may paste the whole link.
    let code = token.trim().rsplit('#').next().unwrap_or_default();
    let signed_in = match code.parse::<Token>() {
        Ok(token) => {
            let (actor, browser) = (peer.actor(None), web_http::visitor::browser(&headers));
            account::sign_in(app.pool(), app.system(), &actor, &token, &browser).await
        }
        Err(error) => Err(error),
    };
    match signed_in {
        Ok(token) => {
            let cookie = session::cookie(&token, &headers)?;
            let to = if visitor.umpire.is_some() { "/umpire" } else { after(&app, &token).await? };
            Ok(([(header::SET_COOKIE, cookie)], Redirect::to(to)).into_response())
        }
        // The same form sent twice: the first request has signed in.
        Err(AccountError::Link) if visitor.umpire.is_some() => Ok(Redirect::to("/umpire").into_response()),
        Err(error) => Err(refusal(error, &visitor)),
    }
}

/// The page after signing in by a link: the dashboard. Somebody who has a password and comes by a link has probably
/// forgotten it, and can set another one at once.
async fn after(app: &App, session: &Token) -> Result<&'static str, Problem> {
    let umpire = account::of_session(app.pool(), app.system(), session).await.map_err(super::failed)?;
    let has_password = match umpire {
        Some(umpire) => account::has_password(app.pool(), &umpire).await.map_err(super::failed)?,
        None => false,
    };
    let is_fresh = account::is_fresh_from_link(app.pool(), app.system(), session).await.map_err(super::failed)?;
    Ok(match (has_password, is_fresh) {
        (true, true) => "/account?by=link",
        (true, false) => "/umpire",
        (false, _) => "/umpire?by=link",
    })
}

fn refusal(error: AccountError, visitor: &Visitor) -> Problem {
    if !matches!(error, AccountError::Link) {
        return super::failed(error);
    }
    let detail = "This link does not work any more: it was used, is older than a day, or is incomplete. \
                  Ask the operator of this site for a new one; they make it with: matchbook umpire link NAME";
    let problem = Problem::of(ErrorKind::Gone, detail);
    match &visitor.umpire {
        Some(umpire) => problem.back("/umpire", format!("You are signed in as {}: go to the desk", umpire.name)),
        None => problem.back("/sign-in", "How to sign in"),
    }
}
