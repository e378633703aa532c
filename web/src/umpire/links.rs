//! The private links to the seats of a live match: made, shown once, revoked.

use app::Act;
use app::account::player::{self, Link};
use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};
use engine::Seat;

use super::form_data::FormData;
use super::match_context::MatchContext;
use super::{form, shown};
use crate::http::Problem;
use crate::page::{Frame, When};

#[derive(Template)]
#[template(path = "umpire/links.html")]
struct Links<'c> {
    context: &'c MatchContext,
    frame: Frame,
    seats: Vec<LinkedSeat>,
    live: bool,
    /// True if this match can have links.
    seated: bool,
    /// The new links: the seat and the address. They are shown only once.
    made: Vec<(String, String)>,
    /// True if no seat has a link yet.
    none: bool,
}

struct LinkedSeat {
    id: &'static str,
    name: String,
    signs: bool,
    links: Vec<SeatLink>,
}

struct SeatLink {
    name: String,
    made: When,
    followed: bool,
}

/// `GET .../links`.
pub(super) async fn show(context: MatchContext) -> Result<Response, Problem> {
    render(&context, Vec::new()).await
}

/// `POST .../links`: creates a link, or revokes one.
pub(super) async fn send(context: MatchContext, sent: FormData) -> Result<Response, Problem> {
    let (pool, system) = (context.app.pool(), context.app.system());
    if !sent.text("revoke").is_empty() {
        let revoked = player::revoke(pool, system, context.match_id, sent.text("revoke")).await;
        revoked.map_err(|error| Problem::broken(&error))?;
        return Ok(Redirect::to(&format!("/umpire/m/{}/links", context.slug)).into_response());
    }
    let refused = || Problem::refused("A link leads to seat 1 or to seat 2.");
    let seats = match sent.text("seat") {
        "both" => Seat::BOTH.to_vec(),
        seat => vec![seat.parse::<Seat>().map_err(|_| refused())?],
    };
    if context.history.opened.mode == record::Mode::Imported {
        return Err(Problem::refused("This match was over when it was entered, so there are no links to its seats."));
    }
    // Without the id of a form, each request creates a new link.
    let form = sent.form().or_else(|problem| form::fresh(system).parse().map_err(|_| problem))?;
    invite(&context, &Act { by: context.umpire.by(), form }, &seats).await
}

/// Creates a link for each of these seats, and shows them. The same form again shows the same links.
pub(super) async fn invite(context: &MatchContext, act: &Act, seats: &[Seat]) -> Result<Response, Problem> {
    let mut made = Vec::new();
    for seat in seats {
        let token = context.app.seats.invite(act, context.match_id, *seat).await?;
        made.push((context.history.name(*seat).to_owned(), format!("{}/play/{}", context.site, token.reveal())));
    }
    render(context, made).await
}

async fn render(context: &MatchContext, made: Vec<(String, String)>) -> Result<Response, Problem> {
    let history = &context.history;
    let links = player::links(context.app.pool(), context.match_id).await.map_err(|error| Problem::broken(&error))?;
    let open =
        |link: &Link| SeatLink { name: link.name.clone(), made: When::utc_minute(link.made), followed: link.followed };
    let seats = Seat::BOTH.map(|seat| LinkedSeat {
        id: seat.word(),
        name: history.name(seat).to_owned(),
        signs: history.keys[seat].is_some(),
        links: links.iter().filter(|link| link.seat == seat).map(open).collect(),
    });
    let links = Links {
        context,
        frame: context.frame("Links to the seats"),
        seats: seats.into_iter().collect(),
        live: history.is_live(),
        seated: history.opened.mode != record::Mode::Imported,
        none: links.is_empty(),
        made,
    };
    shown(&links, None)
}
