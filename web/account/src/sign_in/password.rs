//! Signing in by name and password.

use std::sync::Arc;

use app::App;
use app::account::{self, AccountError, RateLimit, RateLimits};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use serde::Deserialize;

use super::discord::DiscordApp;
use super::{failed, session, show};
use web_http::visitor::{Peer, Visitor};
use web_http::{ErrorKind, Problem};

#[derive(Deserialize)]
pub(super) struct Fields {
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
}

/// `POST /sign-in`: signs this browser in.
///
/// Attempts are counted before any lookup, by address, and by name and address together: a stranger uses up nobody
/// else's. Many for one name, from wherever, wait up to ten seconds each, the umpire's own too.
pub(super) async fn sign_in(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    Extension(discord_app): Extension<DiscordApp>,
    peer: Peer,
    visitor: Visitor,
    headers: HeaderMap,
    Form(Fields { name, password }): Form<Fields>,
) -> Result<Response, Problem> {
    let (system, from) = (app.system(), peer.counted());
    let pair = [from.as_slice(), b"\n", name.trim().as_bytes()].concat();
    let counted =
        limits.count(system, RateLimit::Address, &from).and_then(|()| limits.count(system, RateLimit::Name, &pair));
    counted.map_err(|many| {
        let problem = Problem::too_many(many.retry_seconds);
        let detail = format!("{} A sign-in link works in the meantime.", problem.detail);
        problem.saying(detail).back("/sign-in", "Back to signing in")
    })?;
    tokio::time::sleep(limits.delay(system, RateLimit::NameFromAnywhere, name.trim().as_bytes())).await;
    let browser = web_http::visitor::browser(&headers);
    match account::sign_in_by_password(app.pool(), system, &peer.actor(None), &name, &password, &browser).await {
        Ok(token) => {
            let cookie = session::cookie(&token, &headers)?;
            Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/umpire")).into_response())
        }
        Err(error @ (AccountError::Wrong | AccountError::PasskeyNeeded)) => {
            let why = if matches!(error, AccountError::Wrong) {
                "The name or the password is wrong. The operator of this site can give you a link that signs in without."
            } else {
                "The password is right, and this account asks for a passkey as well. Sign in with it: no password is \
                 needed beside it."
            };
            let problem = Problem::of(ErrorKind::NotSignedIn, why);
            let mut response = show(problem.status(), &visitor, &discord_app, &headers, name, Some(why.to_owned()))?;
            response.extensions_mut().insert(problem);
            Ok(response)
        }
        Err(error) => Err(failed(error).back("/sign-in", "Back to signing in")),
    }
}
