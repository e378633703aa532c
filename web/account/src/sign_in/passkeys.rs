//! Passkeys: signing in with one, and an umpire's own, which are added and removed on the account's page.

use std::sync::Arc;

use app::App;
use app::account::{self, AccountError, Answer, CHALLENGE_MINUTES, PasskeyRow, Passkeys, RateLimit, RateLimits};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form, Json};
use record::words::sentence;
use serde::Deserialize;
use serde_json::json;

use super::account::{FormState, render};
use super::discord::DiscordApp;
use super::{failed, frame, session, show};
use page::{Frame, SentForm, When, password_check, rendered};
use web_http::visitor::{Peer, SignedIn, Visitor};
use web_http::{ErrorKind, Problem, site};

#[derive(Template)]
#[template(path = "sign_in/passkey.html")]
struct AddPage {
    frame: Frame,
    options: String,
    token: String,
    name: String,
    minutes: i64,
    problem: Option<String>,
}

pub(super) struct Row {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) made: When,
    pub(super) used: When,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Fields {
    #[serde(rename = "do")]
    what: String,
    name: String,
    id: String,
    token: String,
    credential: String,
    password: String,
}

impl From<PasskeyRow> for Row {
    fn from(row: PasskeyRow) -> Self {
        Self {
            id: hex::encode(&row.id),
            name: row.name,
            made: When::utc_minute(row.created_at),
            used: row.used_at.map_or_else(|| When::written("never"), When::utc_minute),
        }
    }
}

fn here(headers: &HeaderMap) -> Result<Passkeys, Problem> {
    Passkeys::at(&site(headers)).ok_or_else(|| {
        let detail = "Passkeys need a site with a name, and this one is reached by a number. Open it by its name: \
                      on this machine that is localhost.";
        Problem::refused(detail).back("/sign-in", "How to sign in")
    })
}

pub(super) async fn options(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let counted = limits.count(app.system(), RateLimit::Address, &peer.counted());
    counted.map_err(|many| Problem::too_many(many.retry_seconds))?;
    let challenge = here(&headers)?.begin_sign_in(app.pool(), app.system()).await.map_err(failed)?;
    Ok(Json(json!({ "token": challenge.token.reveal(), "options": challenge.options })).into_response())
}

pub(super) async fn sign_in(
    State(app): State<Arc<App>>,
    Extension(discord_app): Extension<DiscordApp>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    visitor: Visitor,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    let counted = limits.count(app.system(), RateLimit::Address, &peer.counted());
    counted.map_err(|many| Problem::too_many(many.retry_seconds).back("/sign-in", "Back to signing in"))?;
    let (actor, browser) = (peer.actor(None), web_http::visitor::browser(&headers));
    let answer = Answer { token: &fields.token, credential: &fields.credential };
    match here(&headers)?.sign_in(app.pool(), app.system(), &actor, &answer, &browser).await {
        Ok(token) => {
            let cookie = session::cookie(&token, &headers)?;
            Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/umpire")).into_response())
        }
        Err(error @ AccountError::Passkey) => {
            let problem = Problem::of(ErrorKind::NotSignedIn, sentence(&error.to_string()));
            let why = problem.detail.clone();
            let mut response = show(problem.status(), &visitor, &discord_app, &headers, String::new(), Some(why))?;
            response.extensions_mut().insert(problem);
            Ok(response)
        }
        Err(error) => Err(failed(error).back("/sign-in", "Back to signing in")),
    }
}

pub(super) async fn send(
    State(app): State<Arc<App>>,
    Extension(discord_app): Extension<DiscordApp>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    umpire: SignedIn,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    let (pool, system, who) = (app.pool(), app.system(), &umpire.0);
    let actor = peer.actor(Some(who));
    if fields.what != "add" {
        let sent = [("do", fields.what.as_str()), ("name", fields.name.as_str()), ("id", fields.id.as_str())];
        let form = SentForm { action: "/account/passkeys", fields: &sent, password: &fields.password };
        if let Some(asks) = password_check(&app, &limits, &umpire, peer, &headers, form).await? {
            return Ok(asks);
        }
    }
    let done = match fields.what.as_str() {
        "begin" => return begin(&app, &umpire, &headers, fields.name, None).await,
        "add" => {
            let answer = Answer { token: &fields.token, credential: &fields.credential };
            match here(&headers)?.add(pool, system, &actor, who, &answer, &fields.name).await {
                Err(error @ AccountError::Passkey) => {
                    // A new page is as much as a first one, and keeps the name that was typed.
                    let again = [("do", "begin"), ("name", fields.name.as_str())];
                    let form = SentForm { action: "/account/passkeys", fields: &again, password: &fields.password };
                    if let Some(asks) = password_check(&app, &limits, &umpire, peer, &headers, form).await? {
                        return Ok(asks);
                    }
                    return begin(&app, &umpire, &headers, fields.name, Some(sentence(&error.to_string()))).await;
                }
                added => added.map(|()| "passkey"),
            }
        }
        "remove" => account::remove_passkey(pool, system, &actor, who, &fields.id).await.map(|()| "no-passkey"),
        "need" => account::need_passkey(pool, system, &actor, who, true).await.map(|()| "need"),
        "no-need" => account::need_passkey(pool, system, &actor, who, false).await.map(|()| "no-need"),
        _ => return Ok(Redirect::to("/account").into_response()),
    };
    match done {
        Ok(done) => Ok(Redirect::to(&format!("/account?done={done}")).into_response()),
        Err(
            error @ (AccountError::Passkey | AccountError::NoPasskey | AccountError::NoName | AccountError::Unseen),
        ) => {
            let form_state = FormState { problem: Some(sentence(&error.to_string())), ..FormState::default() };
            render(&app, &umpire, &discord_app, &headers, StatusCode::UNPROCESSABLE_ENTITY, form_state).await
        }
        Err(error) => Err(failed(error).back("/account", "Back to your account")),
    }
}

async fn begin(
    app: &App,
    umpire: &SignedIn,
    headers: &HeaderMap,
    name: String,
    problem: Option<String>,
) -> Result<Response, Problem> {
    let challenge = here(headers)?.begin_adding(app.pool(), app.system(), &umpire.0).await.map_err(failed)?;
    let status = if problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let page = AddPage {
        frame: frame("Add a passkey", umpire),
        options: challenge.options.to_string(),
        token: challenge.token.reveal(),
        name: if name.is_empty() { web_http::visitor::browser(headers) } else { name },
        minutes: CHALLENGE_MINUTES,
        problem: problem.clone(),
    };
    let mut response = rendered(status, &page)?;
    problem.and_then(|why| response.extensions_mut().insert(Problem::refused(why)));
    Ok(response)
}
