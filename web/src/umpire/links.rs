//! The private links to the seats of a live match: made, shown once, revoked.

use askama::Template;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use engine::Seat;

use super::chair::Chair;
use super::sent::Sent;
use super::{frame, shown};
use crate::account::player::{self, Link};
use crate::page::{Frame, Problem};

#[derive(Template)]
#[template(path = "umpire/links.html")]
struct Links {
    frame: Frame,
    slug: String,
    bout: String,
    seats: Vec<LinkedSeat>,
    live: bool,
    /// The links that were just made: whose, and the address. Never shown again.
    made: Vec<(String, String)>,
    /// Whether no seat has one yet.
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
    made: String,
    followed: bool,
}

/// `GET .../links`.
pub(super) async fn show(chair: Chair) -> Result<Response, Problem> {
    render(&chair, Vec::new()).await
}

/// `POST .../links`: makes a link, or revokes one.
pub(super) async fn send(chair: Chair, sent: Sent) -> Result<Response, Problem> {
    let (pool, mint) = (chair.book.pool(), chair.book.mint());
    let broken = |error| Problem::broken(&error);
    if !sent.text("revoke").is_empty() {
        player::revoke(pool, mint, chair.match_id, sent.text("revoke")).await.map_err(broken)?;
        return Ok(Redirect::to(&format!("/umpire/m/{}/links", chair.slug)).into_response());
    }
    let refused = || Problem::refused("A link leads to seat 1 or to seat 2.");
    let seats = match sent.text("seat") {
        "both" => Seat::BOTH.to_vec(),
        seat => vec![seat.parse::<Seat>().map_err(|_| refused())?],
    };
    if chair.history.opened.mode != record::Mode::Live {
        return Err(Problem::refused("The umpire types for both seats of this match, so there are no links to them."));
    }
    let mut made = Vec::new();
    for seat in seats {
        let place = player::Chair { match_id: chair.match_id, seat };
        let token = player::make_link(pool, mint, place).await.map_err(broken)?;
        made.push((chair.history.name(seat).to_owned(), format!("{}/play/{}", chair.site, token.reveal())));
    }
    render(&chair, made).await
}

async fn render(chair: &Chair, made: Vec<(String, String)>) -> Result<Response, Problem> {
    let history = &chair.history;
    let links = player::links(chair.book.pool(), chair.match_id).await.map_err(|error| Problem::broken(&error))?;
    let open = |link: &Link| Open {
        name: link.name.clone(),
        made: link.made.format("%Y-%m-%d %H:%M UTC").to_string(),
        followed: link.followed,
    };
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
        live: history.opened.mode == record::Mode::Live,
        none: links.is_empty(),
        made,
    };
    shown(StatusCode::OK, &links)
}
