//! Joining two names of one player, and parting them again: an umpire does it, and the record does not change.

use std::sync::Arc;

use app::App;
use app::archive::JoinRefusal;
use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::player::{key, no_player};
use crate::http::{Problem, Segments};
use crate::page::{Frame, player_address, query_key, rendered};
use crate::visitor::SignedIn;

#[derive(Template)]
#[template(path = "people/join.html")]
struct JoinPage {
    frame: Frame,
    name: String,
    /// The player's page.
    address: String,
    /// The names that are joined to it.
    aliases: Vec<String>,
    /// The name that was typed and refused.
    typed: String,
    problem: Option<String>,
    done: Option<String>,
}

/// The form: a name to join, or one to part.
#[derive(Debug, Default, Deserialize)]
pub(super) struct JoinForm {
    #[serde(default)]
    join: String,
    #[serde(default)]
    part: String,
}

/// The outcome of a form, for people: what was refused, or what was done.
#[derive(Default)]
struct Told {
    problem: Option<String>,
    done: Option<String>,
}

/// `GET /join/players/{name}`
pub(super) async fn show(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(name): Segments<String>,
) -> Result<Response, Problem> {
    let player = app.archive().player_key(&key(&name)?).await?;
    show_player(&app, &umpire, &player, String::new(), Told::default()).await
}

/// `POST /join/players/{name}`: the same form sent twice does no more.
pub(super) async fn send(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(name): Segments<String>,
    Form(sent): Form<JoinForm>,
) -> Result<Response, Problem> {
    let player = app.archive().player_key(&key(&name)?).await?;
    let (other, parted) = (query_key(&sent.join), query_key(&sent.part));
    let told = if app.archive().aliases(&player).await?.contains(&parted) {
        app.archive().part_name(&parted).await?;
        Told { done: Some(format!("{parted} is a player of its own again.")), ..Told::default() }
    } else if other.is_empty() {
        Told { problem: Some("Nothing was changed: type the other name.".to_owned()), ..Told::default() }
    } else {
        match app.archive().join_names(&umpire.0.id, &other, &player).await? {
            Ok(()) => Told { done: Some(format!("{other} is joined. Its address leads here now.")), ..Told::default() },
            Err(refusal) => Told { problem: Some(said(&refusal)), ..Told::default() },
        }
    };
    let typed = if told.problem.is_some() { sent.join } else { String::new() };
    show_player(&app, &umpire, &player, typed, told).await
}

fn said(refusal: &JoinRefusal) -> String {
    match refusal {
        JoinRefusal::Unknown => "Nothing was changed: no match in the archive has this name.".to_owned(),
        JoinRefusal::Same => "Nothing was changed: these are one player already.".to_owned(),
        JoinRefusal::Met(1) => "Nothing was changed: they played each other once, so they are two players.".to_owned(),
        JoinRefusal::Met(n) => {
            format!("Nothing was changed: they played each other {n} times, so they are two players.")
        }
    }
}

async fn show_player(
    app: &App,
    umpire: &SignedIn,
    player: &str,
    typed: String,
    told: Told,
) -> Result<Response, Problem> {
    let name = app.archive().player_name(player).await?.ok_or_else(no_player)?;
    let status = if told.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let frame = Frame::titled(format!("Names of {name}")).in_section("umpire");
    rendered(
        status,
        &JoinPage {
            frame: Frame { umpire: Some(umpire.0.name.clone()), ..frame },
            address: player_address(player),
            aliases: app.archive().aliases(player).await?,
            typed,
            problem: told.problem,
            done: told.done,
            name,
        },
    )
}
