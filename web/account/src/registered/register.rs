//! Registering: a browser makes the keys, or the command made them.

use std::sync::Arc;

use app::App;
use app::account::RateLimits;
use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use record::body::SignedAct;

use super::Fields;
use page::{Frame, page};
use web_http::Problem;
use web_http::visitor::{Peer, Visitor, count_player_key};

#[derive(Template)]
#[template(path = "registered/register.html")]
struct Page {
    frame: Frame,
    origin: String,
}

pub(super) async fn show(State(app): State<Arc<App>>, visitor: Visitor) -> Result<Response, Problem> {
    let description = "A key of your own, with which you vouch for what you play.";
    let frame = Frame { umpire: visitor.name(), ..Frame::titled("Register as a player").described(description) };
    page(&Page { frame, origin: app.origin().to_string() })
}

pub(super) async fn register(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    let SignedAct::Registered(entry) = fields.act()? else {
        let why = "This goes on with the keys of a registered player. Hand it in on that player's page.";
        return Err(Problem::refused(why));
    };
    count_player_key(&app, &limits, peer)?;
    let player = app.players.id_of(&entry);
    app.players.enter(player, &SignedAct::Registered(entry).into()).await?;
    Ok(Redirect::to(&format!("/registered/{player}")).into_response())
}
