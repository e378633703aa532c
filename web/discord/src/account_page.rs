//! An umpire's page about Discord: a code that links an account, and the channels that follow matches.

use std::sync::Arc;

use app::account::{RateLimits, chat};
use app::discord;
use app::{App, slug};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use serde::Deserialize;

use super::Application;
use page::{CheckNotice, Frame, SentForm, page, password_check};
use web_http::Problem;
use web_http::visitor::{Peer, SignedIn};

const ADDRESS: &str = "/umpire/discord";

#[derive(Template)]
#[template(path = "account_page.html")]
struct AccountPage {
    frame: Frame,
    set_up: bool,
    posts: bool,
    accounts: i64,
    code: Option<(String, i64)>,
    channels: Vec<FollowedChannel>,
    check_notice: CheckNotice,
}

struct FollowedChannel {
    bout: String,
    address: String,
    channel: String,
    failure: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Fields {
    #[serde(default)]
    what: String,
    #[serde(default)]
    password: String,
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    Extension(application): Extension<Application>,
    umpire: SignedIn,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    render(&app, &application, &umpire, &headers, None).await
}

pub(super) async fn send(
    State(app): State<Arc<App>>,
    Extension(application): Extension<Application>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    umpire: SignedIn,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    match fields.what.as_str() {
        "code" => {
            let form = SentForm { action: ADDRESS, fields: &[("what", "code")], password: &fields.password };
            if let Some(asks) = password_check(&app, &limits, &umpire, peer, &headers, form).await? {
                return Ok(asks);
            }
            let code = chat::make_code(app.pool(), app.system(), &umpire.0).await?;
            render(&app, &application, &umpire, &headers, Some((code, chat::CODE_MINUTES))).await
        }
        "unlink" => {
            chat::unlink(app.pool(), app.system(), &peer.actor(Some(&umpire.0)), &umpire.0).await?;
            Ok(Redirect::to(ADDRESS).into_response())
        }
        _ => Err(Problem::refused("This form says nothing that can be done here. Open its page again.")
            .back(ADDRESS, "Open the page")),
    }
}

async fn render(
    app: &App,
    application: &Application,
    umpire: &SignedIn,
    headers: &HeaderMap,
    code: Option<(String, i64)>,
) -> Result<Response, Problem> {
    let mut frame = Frame::titled("Discord").in_section("umpire");
    frame.umpire = Some(umpire.0.name.clone());
    frame.obstacle = umpire.1.clone();
    let mut followed = Vec::new();
    for channel in discord::following(app.pool(), None).await.map_err(|error| Problem::broken(&error))? {
        let history = app.matches.history(channel.match_id).await?;
        followed.push(FollowedChannel {
            bout: history.bout(),
            address: format!("/umpire/m/{}", slug(channel.match_id)),
            channel: channel.id.to_string(),
            failure: channel.failure,
        });
    }
    let account_page = AccountPage {
        frame,
        set_up: application.0.is_some(),
        posts: application.0.as_ref().is_some_and(|discord| discord.token.is_some()),
        accounts: chat::accounts_of(app.pool(), &umpire.0).await.map_err(|error| Problem::broken(&error))?,
        code,
        channels: followed,
        check_notice: CheckNotice::of(app, umpire, headers, "makes a code").await?,
    };
    let mut response = page(&account_page)?;
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
