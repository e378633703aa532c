//! The private links to the seats of a live match: made, shown once, revoked.

use app::account::player::{self, Link};
use app::book::Act;
use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use engine::Seat;

use super::match_context::Chair;
use super::sent::Sent;
use super::{form, frame, shown};
use crate::page::{Frame, Problem, When};

#[derive(Template)]
#[template(path = "umpire/links.html")]
struct Links {
    frame: Frame,
    slug: String,
    bout: String,
    seats: Vec<LinkedSeat>,
    live: bool,
    /// True if this match can have links.
    seated: bool,
    /// The id of each form that creates a link.
    forms: [String; 3],
    /// The new links: the seat and the address. They are shown only once.
    made: Vec<(String, String)>,
    /// True if no seat has a link yet.
    none: bool,
}

struct LinkedSeat {
    id: &'static str,
    name: String,
    signs: bool,
    links: Vec<Open>,
}

struct Open {
    name: String,
    made: When,
    followed: bool,
}

/// `GET .../links`.
pub(super) async fn show(chair: Chair) -> Result<Response, Problem> {
    render(&chair, Vec::new()).await
}

/// `POST .../links`: creates a link, or revokes one.
pub(super) async fn send(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (pool, mint) = (chair.book.pool(), chair.book.mint());
    if !sent.text("revoke").is_empty() {
        let revoked = player::revoke(pool, mint, chair.match_id, sent.text("revoke")).await;
        revoked.map_err(|error| Problem::broken(&error))?;
        return Ok(Redirect::to(&format!("/umpire/m/{}/links", chair.slug)).into_response());
    }
    let refused = || Problem::refused("A link leads to seat 1 or to seat 2.");
    let seats = match sent.text("seat") {
        "both" => Seat::BOTH.to_vec(),
        seat => vec![seat.parse::<Seat>().map_err(|_| refused())?],
    };
    if chair.history.opened.mode == record::Mode::Imported {
        return Err(Problem::refused("This match was over when it was entered, so there are no links to its seats."));
    }
    // Without the id of a form, each request creates a new link.
    let form = sent.form().or_else(|problem| form::fresh(mint).parse().map_err(|_| problem))?;
    invite(&chair, &Act { by: chair.umpire.by(), form }, &seats).await
}

/// Creates a link for each of these seats, and shows them. The same form again shows the same links.
pub(super) async fn invite(chair: &Chair, act: &Act, seats: &[Seat]) -> Result<Response, Problem> {
    let mut made = Vec::new();
    for seat in seats {
        let token = chair.book.invite(act, chair.match_id, *seat).await?;
        made.push((chair.history.name(*seat).to_owned(), format!("{}/play/{}", chair.site, token.reveal())));
    }
    render(chair, made).await
}

async fn render(chair: &Chair, made: Vec<(String, String)>) -> Result<Response, Problem> {
    let history = &chair.history;
    let links = player::links(chair.book.pool(), chair.match_id).await.map_err(|error| Problem::broken(&error))?;
    let open =
        |link: &Link| Open { name: link.name.clone(), made: When::utc_minute(link.made), followed: link.followed };
    let seats = Seat::BOTH.map(|seat| LinkedSeat {
        id: seat.word(),
        name: history.name(seat).to_owned(),
        signs: history.keys[seat].is_some(),
        links: links.iter().filter(|link| link.seat == seat).map(open).collect(),
    });
    let names = history.both_names();
    let links = Links {
        frame: frame("Links to the seats", &chair.umpire),
        slug: chair.slug.clone(),
        bout: format!("{} – {}", names.p1, names.p2),
        seats: seats.into_iter().collect(),
        live: history.is_live(),
        seated: history.opened.mode != record::Mode::Imported,
        forms: [(); 3].map(|()| form::fresh(chair.book.mint())),
        none: links.is_empty(),
        made,
    };
    shown(StatusCode::OK, &links)
}
