//! Tokens for programs: created, shown once, revoked.

use std::sync::Arc;

use app::App;
use app::account::{self, AccountError, RateLimits};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use record::words::sentence;
use serde::Deserialize;

use super::account::{FormState, TypedToken, render};
use super::discord::DiscordApp;
use super::failed;
use page::{SentForm, password_check};
use web_http::Problem;
use web_http::visitor::{Peer, SignedIn};

#[derive(Deserialize)]
pub(super) struct Fields {
    #[serde(default)]
    name: String,
    #[serde(default)]
    scope: String,
    #[serde(default)]
    days: String,
    #[serde(default)]
    revoke: String,
    #[serde(default)]
    password: String,
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
    if !fields.revoke.is_empty() {
        account::revoke_token(pool, system, &actor, Some(&who.id), &fields.revoke).await.map_err(failed)?;
        return Ok(Redirect::to("/account?done=tokens").into_response());
    }
    let sent = [("name", fields.name.as_str()), ("scope", fields.scope.as_str()), ("days", fields.days.as_str())];
    let form = SentForm { action: "/account/tokens", fields: &sent, password: &fields.password };
    if let Some(asks) = password_check(&app, &limits, &umpire, peer, &headers, form).await? {
        return Ok(asks);
    }
    let life = match fields.days.trim() {
        "" => Ok(None),
        days => days.parse().map(Some).map_err(|_| AccountError::Life),
    };
    let made = match (fields.scope.parse(), life) {
        (Ok(scope), Ok(life)) => account::make_token(pool, system, &actor, who, &fields.name, scope, life).await,
        (Err(error), _) | (_, Err(error)) => Err(error),
    };
    let (status, form_state) = match made {
        Ok((token, _)) => {
            (StatusCode::OK, FormState { token: Some(account::reveal_token(&token)), ..FormState::default() })
        }
        Err(
            error @ (AccountError::NoName
            | AccountError::Unseen
            | AccountError::Scope
            | AccountError::Life
            | AccountError::TooManyTokens
            | AccountError::NotAdmin),
        ) => {
            let problem = Some(sentence(&error.to_string()));
            let typed = TypedToken {
                scope: fields.scope.parse().ok(),
                days: fields.days.trim().parse().ok(),
                name: fields.name,
            };
            (StatusCode::UNPROCESSABLE_ENTITY, FormState { problem, typed, ..FormState::default() })
        }
        Err(error) => return Err(failed(error)),
    };
    render(&app, &umpire, &discord_app, &headers, status, form_state).await
}
