//! Joining two names of one player, and parting them again: an umpire does it, and the record does not change.

use std::sync::Arc;

use app::App;
use app::archive::{AliasAct, JoinRefusal, NewAliasAct};
use app::text::{Purpose, RulingText};
use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Deserialize;

use super::player::{key, no_player};
use page::{Frame, When, player_address, query_key, rendered};
use web_http::visitor::SignedIn;
use web_http::{Problem, Segments};

#[derive(Template)]
#[template(path = "people/join.html")]
struct JoinPage {
    frame: Frame,
    name: String,
    address: String,
    aliases: Vec<String>,
    typed: String,
    problem: Option<String>,
    done: Option<String>,
    reason: String,
    /// The joins and partings so far, in words.
    acts: Vec<(When, String, String)>,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct JoinForm {
    #[serde(default)]
    join: String,
    #[serde(default)]
    part: String,
    #[serde(default)]
    reason: String,
}

#[derive(Default)]
struct Told {
    problem: Option<String>,
    done: Option<String>,
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(name): Segments<String>,
) -> Result<Response, Problem> {
    let player = app.archive().player_key(&key(&name)?).await?;
    show_player(&app, &umpire, &player, JoinForm::default(), Told::default()).await
}

pub(super) async fn send(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    Segments(name): Segments<String>,
    Form(sent): Form<JoinForm>,
) -> Result<Response, Problem> {
    let player = app.archive().player_key(&key(&name)?).await?;
    let (other, parted) = (query_key(&sent.join), query_key(&sent.part));
    let reason = RulingText::required(Purpose::Names, &sent.reason);
    let (umpire_id, at) = (umpire.0.id.as_str(), app.system().now().to_utc());
    let told = if other.is_empty() && parted.is_empty() {
        Told { problem: Some("Nothing was changed: type the other name.".to_owned()), ..Told::default() }
    } else {
        match reason {
            Err(why) => Told { problem: Some(format!("Nothing was changed. {why}")), ..Told::default() },
            Ok(reason) => {
                let act = NewAliasAct { umpire_id, at, reason: reason.as_str() };
                join_or_part(&app, &umpire, &player, (&other, &parted), &act).await?
            }
        }
    };
    let typed = if told.problem.is_some() { sent } else { JoinForm::default() };
    show_player(&app, &umpire, &player, typed, told).await
}

async fn join_or_part(
    app: &App,
    umpire: &SignedIn,
    player: &str,
    (other, parted): (&str, &str),
    act: &NewAliasAct<'_>,
) -> Result<Told, Problem> {
    let done = |done: String| Ok(Told { done: Some(done), ..Told::default() });
    let refused = |refusal| Ok(Told { problem: Some(said(&refusal)), ..Told::default() });
    if !parted.is_empty() {
        if !app.archive().may_join(&umpire.0, &[player]).await? {
            return refused(JoinRefusal::NotYours);
        }
        if app.archive().aliases(player).await?.iter().any(|alias| alias == parted) {
            app.archive().part_name(parted, act).await?;
        }
        return done(format!("{parted} is a player of its own again."));
    }
    match app.archive().join_names(&umpire.0, other, player, act).await? {
        Ok(()) => done(format!("{other} is joined. Its address leads here now.")),
        Err(refusal) => refused(refusal),
    }
}

fn said(refusal: &JoinRefusal) -> String {
    match refusal {
        JoinRefusal::Unknown => "Nothing was changed: no match in the archive has this name.".to_owned(),
        JoinRefusal::Same => "Nothing was changed: these are one player already.".to_owned(),
        JoinRefusal::NotYours => {
            "Nothing was changed: you umpired no match of one of these players. An admin can do it.".to_owned()
        }
        JoinRefusal::Met(1) => "Nothing was changed: they played each other once, so they are two players.".to_owned(),
        JoinRefusal::Met(n) => {
            format!("Nothing was changed: they played each other {n} times, so they are two players.")
        }
    }
}

fn in_words(act: AliasAct) -> (When, String, String) {
    let AliasAct { key, player_key, joins, umpire, .. } = act;
    let what = if joins { format!("joined {key} to {player_key}") } else { format!("parted {key} from {player_key}") };
    (When::utc_minute(act.at), format!("{umpire} {what}"), act.reason)
}

async fn show_player(
    app: &App,
    umpire: &SignedIn,
    player: &str,
    typed: JoinForm,
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
            acts: app.archive().alias_acts(player).await?.into_iter().map(in_words).collect(),
            typed: typed.join,
            reason: typed.reason,
            problem: told.problem,
            done: told.done,
            name,
        },
    )
}
