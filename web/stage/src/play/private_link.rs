//! A private link: opening it changes nothing; its form exchanges it for a cookie.

use std::sync::Arc;

use app::account::player::access_of_link;
use app::account::{AccountError, RateLimit, RateLimits, Token};
use app::{App, slug};
use askama::Template;
use axum::Extension;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};

use super::{player, seat_page};
use page::{Frame, page};
use web_http::visitor::Peer;
use web_http::{ErrorKind, Problem};

#[derive(Template)]
#[template(path = "play/private_link.html")]
struct ConfirmPage {
    frame: Frame,
    name: String,
    other: String,
    live: bool,
}

/// `GET /play/{token}`: changes nothing, so that a preview in a chat does not use up the link.
pub(super) async fn ask(State(app): State<Arc<App>>, Path(token): Path<String>) -> Result<Response, Problem> {
    let access = access_of_link(app.pool(), &token.parse::<Token>().map_err(|error| refusal(&error))?).await;
    let chair = access.map_err(|error| refusal(&error))?.seat_ref;
    let history = app.matches.history(chair.match_id).await?;
    let (name, other) = (history.name(chair.seat).to_owned(), history.name(chair.seat.other()).to_owned());
    page(&ConfirmPage { frame: Frame::titled("Your seat").about(chair.match_id), name, other, live: history.is_live() })
}

pub(super) async fn exchange(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    headers: HeaderMap,
    Path(token): Path<String>,
) -> Result<Response, Problem> {
    let counted = limits.count(app.system(), RateLimit::PrivateLink, &peer.counted());
    counted.map_err(|many| Problem::too_many(many.retry_seconds))?;
    let token = token.parse::<Token>().map_err(|error| refusal(&error))?;
    access_of_link(app.pool(), &token).await.map_err(|error| refusal(&error))?;
    let (chair, cookie) = app.seats.follow(&token).await?;
    let slug = slug(chair.match_id);
    let cookie = player::cookie(&slug, chair.seat, &cookie, &headers)?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to(&seat_page::address(&slug, chair.seat))).into_response())
}

fn refusal(error: &AccountError) -> Problem {
    if !matches!(error, AccountError::Link) {
        return Problem::broken(error);
    }
    let detail = "It may be incomplete, or the umpire revoked it. Copy the whole link again, or ask the umpire for a new \
                  one. What was received through it before still counts. If time is short, message your move to the \
                  umpire, who can enter it with the time of your message.";
    Problem::of(ErrorKind::Gone, detail)
}
