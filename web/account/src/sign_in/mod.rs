//! Signing in and out, and an umpire's own account: password, sessions, tokens; for admins also the umpires.
//!
//! A sign-in link carries its token after `#`, which browsers do not send: it appears in no log of a server or proxy,
//! and in no referrer. Opening the page changes nothing, and sending its form uses up the link.

mod account;
mod activity;
mod discord;
mod link;
mod passkeys;
mod password;
mod session;
mod tokens;
mod umpires;

use std::sync::Arc;

use app::App;
use app::account::{AccountError, Authorization, Passkeys};
use askama::Template;
use axum::extract::RawQuery;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::map_response;
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Extension, Router};

use self::discord::DiscordApp;
use page::{Frame, rendered};
use web_http::visitor::{SignedIn, Visitor};
use web_http::{Problem, site};

pub fn routes(discord: Option<Arc<Authorization>>) -> Router<Arc<App>> {
    Router::new()
        .route("/sign-in", get(explain).post(password::sign_in))
        .route("/sign-in/link", get(link::ask).post(link::use_up))
        .route("/sign-in/passkey", post(passkeys::sign_in).get(discord::back))
        .route("/sign-in/passkey/options", post(passkeys::options))
        .route("/sign-in/discord", get(discord::back).post(discord::begin))
        .route("/sign-in/discord/back", get(discord::end))
        .route("/sign-out", post(session::end))
        .route("/account", get(account::show))
        .route("/account/name", post(account::set_public_name).get(account::back))
        .route("/account/password", post(account::set_password).get(account::back))
        .route("/account/sessions", post(account::end_sessions).get(account::back))
        .route("/account/tokens", post(tokens::send).get(account::back))
        .route("/account/passkeys", post(passkeys::send).get(account::back))
        .route("/account/discord", post(discord::send).get(account::back))
        .route("/account/umpires", get(umpires::show).post(umpires::send))
        .route("/account/events", get(activity::show))
        .route("/account/events.ndjson", get(activity::file))
        .layer(map_response(private))
        .layer(Extension(DiscordApp(discord)))
}

#[derive(Template)]
#[template(path = "sign_in/explain.html")]
struct SignInPage {
    frame: Frame,
    name: String,
    problem: Option<String>,
    discord: bool,
    passkeys: bool,
}

async fn explain(
    visitor: Visitor,
    Extension(discord_app): Extension<DiscordApp>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let problem = discord::sentence(query.as_deref()).map(str::to_owned);
    show(StatusCode::OK, &visitor, &discord_app, &headers, String::new(), problem)
}

fn show(
    status: StatusCode,
    visitor: &Visitor,
    discord_app: &DiscordApp,
    headers: &HeaderMap,
    name: String,
    problem: Option<String>,
) -> Result<Response, Problem> {
    let mut frame = Frame::titled("Sign in").in_section("sign-in");
    frame.umpire = visitor.name();
    let passkeys = Passkeys::at(&site(headers)).is_some();
    rendered(status, &SignInPage { frame, name, problem, discord: discord_app.0.is_some(), passkeys })
}

fn frame(title: &str, umpire: &SignedIn) -> Frame {
    let mut frame = Frame::titled(title).in_section("account");
    frame.umpire = Some(umpire.0.name.clone());
    frame.obstacle = umpire.1.clone();
    frame
}

fn failed(error: AccountError) -> Problem {
    error.into()
}

/// Keeps an answer out of every cache, and its address out of the referrer of links. With `no-referrer` a browser would
/// call the form's origin `null`, as if another site had sent it.
async fn private(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin"));
    response
}
