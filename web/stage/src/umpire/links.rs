//! The private links to the seats of a live match: made, shown once, revoked. And whom its umpire names: helpers, and
//! commentators.

use app::Act;
use app::account;
use app::account::player::{self, Link};
use app::umpires::Duty;
use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};
use engine::Seat;
use record::History;
use record::body::LinkAct;

use super::activity::Umpires;
use super::form_data::FormData;
use super::match_context::MatchContext;
use super::{form, shown};
use page::{Frame, When};
use web_http::Problem;
use web_http::visitor::Peer;

#[derive(Template)]
#[template(path = "umpire/links.html")]
struct Links<'c> {
    context: &'c MatchContext,
    frame: Frame,
    seats: Vec<LinkedSeat>,
    live: bool,
    seated: bool,
    /// The new links: the seat and the address. They are shown only once.
    made: Vec<(String, String)>,
    none: bool,
    may_make: bool,
    owner: String,
    own: bool,
    /// The helpers, by pseudonym and name.
    helpers: Vec<(String, String)>,
    others: Vec<(String, String)>,
    /// The commentators, by pseudonym and name.
    commentators: Vec<(String, String)>,
    silent: Vec<(String, String)>,
}

struct LinkedSeat {
    id: &'static str,
    name: String,
    signs: bool,
    links: Vec<SeatLink>,
    made: usize,
}

struct SeatLink {
    name: String,
    made: When,
    followed: bool,
}

pub(super) async fn show(context: MatchContext) -> Result<Response, Problem> {
    render(&context, Vec::new()).await
}

pub(super) async fn send(context: MatchContext, peer: Peer, sent: FormData) -> Result<Response, Problem> {
    if !sent.text("revoke").is_empty() {
        context.app.seats.revoke(&context.umpire.by(), context.match_id, sent.text("revoke")).await?;
        return Ok(Redirect::to(&format!("/umpire/m/{}/links", context.slug)).into_response());
    }
    if let Some(done) = name(&context, peer, &sent).await? {
        return Ok(done);
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
    let form = sent.form().or_else(|problem| form::fresh(context.app.system()).parse().map_err(|_| problem))?;
    invite(&context, &Act { by: context.umpire.by(), form }, &seats).await
}

/// Names or dismisses a helper or a commentator, if the form asks for that.
async fn name(context: &MatchContext, peer: Peer, sent: &FormData) -> Result<Option<Response>, Problem> {
    let (umpires, history, by) = (&context.app.umpires, &context.history, peer.actor(Some(&context.umpire.0)));
    let fields = ["dismiss", "dismiss-commentator", "helper", "commentator"];
    let named = fields.into_iter().find(|field| !sent.text(field).is_empty());
    let Some((field, id)) = named.map(|field| (field, sent.text(field))) else { return Ok(None) };
    let is_new = !field.starts_with("dismiss");
    if is_new && !account::all(context.app.pool()).await?.iter().any(|umpire| umpire.id == id) {
        return Err(Problem::not_found("There is no such umpire."));
    }
    let duty = if field.ends_with("commentator") { Duty::Commentator } else { Duty::Helper };
    if is_new {
        umpires.name(history, &by, duty, id).await?;
    } else {
        umpires.dismiss(history, &by, duty, id).await?;
    }
    Ok(Some(Redirect::to(&format!("/umpire/m/{}/links", context.slug)).into_response()))
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

fn made_links(history: &History, seat: Seat) -> usize {
    let links = history.links.iter().map(|link| &link.linked);
    links.filter(|linked| linked.act == LinkAct::Made && linked.seat.0 == seat).count()
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
        made: made_links(history, seat),
    });
    let umpires = account::all(context.app.pool()).await?;
    let helping = context.app.umpires.named(history, Duty::Helper).await?;
    let commenting = context.app.umpires.named(history, Duty::Commentator).await?;
    let me = &context.umpire.0.id;
    let owner = history.umpire_now();
    let own = *owner == context.umpire.by();
    let named = |among: &[String], is_named: bool| {
        let some = umpires.iter().filter(|umpire| among.contains(&umpire.id) == is_named && umpire.id != *me);
        some.map(|umpire| (umpire.id.clone(), umpire.name.clone())).collect()
    };
    let links = Links {
        may_make: own || helping.contains(me),
        owner: Umpires::all(&context.app).await?.name(owner),
        own,
        helpers: named(&helping, true),
        others: named(&helping, false),
        commentators: named(&commenting, true),
        silent: named(&commenting, false),
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
