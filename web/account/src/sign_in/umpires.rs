//! The umpires, for admins: the list, sign-in links, roles, and closing accounts.

use std::sync::Arc;

use app::App;
use app::account::{self, AccountError, Actor, RateLimits, Role, UmpireSummary};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use axum::{Extension, Form};
use record::words::sentence;
use serde::Deserialize;

use super::{failed, frame};
use page::{CheckNotice, Frame, SentForm, When, password_check, rendered};
use web_http::visitor::{Peer, SignedIn};
use web_http::{ErrorKind, Problem, site};

#[derive(Template)]
#[template(path = "sign_in/umpires.html")]
struct UmpiresPage {
    frame: Frame,
    me: String,
    people: Vec<UmpireSummary>,
    tokens: Vec<TokenRow>,
    form_state: FormState,
    check_notice: CheckNotice,
}

const CHECKED_ACTS: &str = "adds an umpire, makes a sign-in link, or changes a role or an account";

struct TokenRow {
    id: String,
    umpire: String,
    name: String,
    scope: String,
    made: When,
    used: When,
    ends: When,
}

#[derive(Default)]
struct FormState {
    done: Option<String>,
    problem: Option<String>,
    /// A new link: the umpire, and the address. It is shown only once.
    link: Option<(String, String)>,
}

#[derive(Deserialize)]
pub(super) struct Fields {
    #[serde(default, rename = "do")]
    what: String,
    #[serde(default)]
    id: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
}

impl Fields {
    fn needs_check(&self) -> bool {
        ["add", "link", "admin", "umpire", "close", "open"].contains(&self.what.as_str())
    }
}

pub(super) fn admin(umpire: &SignedIn) -> Result<(), Problem> {
    if umpire.0.role == Role::Admin {
        return Ok(());
    }
    let detail =
        "This page is for admins. Ask one of them, or whoever runs Matchbook: matchbook umpire role NAME admin";
    let problem = Problem::of(ErrorKind::AdminsOnly, detail);
    Err(problem.back("/account", "Go to your account"))
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    admin(&umpire)?;
    render(&app, &umpire, &headers, FormState::default()).await
}

pub(super) async fn send(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    umpire: SignedIn,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    admin(&umpire)?;
    if fields.needs_check() {
        let sent = [("do", fields.what.as_str()), ("id", fields.id.as_str()), ("name", fields.name.as_str())];
        let form = SentForm { action: "/account/umpires", fields: &sent, password: &fields.password };
        if let Some(asks) = password_check(&app, &limits, &umpire, peer, &headers, form).await? {
            return Ok(asks);
        }
    }
    let form_state = match act(&app, &peer.actor(Some(&umpire.0)), &site(&headers), &fields).await {
        Ok(form_state) => form_state,
        Err(error @ (AccountError::Database(_) | AccountError::Hashing | AccountError::Busy)) => {
            return Err(failed(error));
        }
        Err(AccountError::Taken(name)) => {
            let why = format!("There is an umpire called “{name}” already: make a link for them below.");
            FormState { problem: Some(why), ..FormState::default() }
        }
        Err(error) => FormState { problem: Some(sentence(&error.to_string())), ..FormState::default() },
    };
    render(&app, &umpire, &headers, form_state).await
}

async fn act(app: &App, actor: &Actor, site: &str, fields: &Fields) -> Result<FormState, AccountError> {
    let (pool, system) = (app.pool(), app.system());
    let done = |done: String| Ok(FormState { done: Some(done), ..FormState::default() });
    if fields.what == "revoke" {
        account::revoke_token(pool, system, actor, None, &fields.id).await?;
        return done("The token is revoked.".to_owned());
    }
    let other = match fields.what.as_str() {
        "add" => account::add(pool, system, actor, &fields.name).await?,
        _ => account::of_id(pool, &fields.id).await?,
    };
    let name = other.name.clone();
    match fields.what.as_str() {
        "add" | "link" => {
            let token = account::link(pool, system, actor, &other).await?;
            let address = format!("{site}/sign-in/link#{}", token.reveal());
            return Ok(FormState { link: Some((name, address)), ..FormState::default() });
        }
        "admin" => account::set_role(pool, system, actor, &other, Role::Admin).await?,
        "umpire" => account::set_role(pool, system, actor, &other, Role::Umpire).await?,
        "close" => account::set_closed(pool, system, actor, &other, true).await?,
        "open" => account::set_closed(pool, system, actor, &other, false).await?,
        "unname" => app.umpires.set_name(actor, &other.id, None).await?,
        "end-sessions" => account::end_others(pool, system, actor, &other.id, None).await?,
        _ => return Ok(FormState::default()),
    }
    done(match fields.what.as_str() {
        "admin" => format!("{name} is an admin now."),
        "umpire" => format!("{name} is an umpire now, and no admin."),
        "unname" => format!("The public name of {name} is withdrawn."),
        "close" => format!("{name} can sign in nowhere any more, and every token of theirs is revoked."),
        "open" => format!("{name} can sign in again: make a link for them, or let them use their password."),
        _ => format!("Every browser of {name} has to sign in again."),
    })
}

async fn render(app: &App, umpire: &SignedIn, headers: &HeaderMap, form_state: FormState) -> Result<Response, Problem> {
    let people = account::listed(app.pool(), app.system()).await.map_err(failed)?;
    let tokens =
        account::tokens(app.pool(), app.system(), None).await.map_err(failed)?.into_iter().map(|token| TokenRow {
            made: When::utc_minute(token.created_at),
            ends: When::utc_minute(token.expires_at),
            used: token.used_at.map_or_else(|| When::written("never"), When::utc_minute),
            id: token.id,
            umpire: token.umpire,
            name: token.name,
            scope: token.scope,
        });
    let status = if form_state.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let problem = form_state.problem.clone();
    let page = UmpiresPage {
        frame: frame("Umpires", umpire),
        me: umpire.0.id.clone(),
        people,
        tokens: tokens.collect(),
        form_state,
        check_notice: CheckNotice::of(app, umpire, headers, CHECKED_ACTS).await?,
    };
    let mut response = rendered(status, &page)?;
    problem.and_then(|why| response.extensions_mut().insert(Problem::refused(why)));
    Ok(response)
}
