//! An umpire's own account: password, sessions, tokens.

use std::sync::Arc;

use app::App;
use app::account::{
    self, ADMIN_IDLE_DAYS, AccountError, ApiToken, ChangedPassword, CheckedBy, IDLE_DAYS, LIFE_CHOICES, LIFE_DAYS,
    PASSWORD_MIN_CHARS, Passkeys, Role, Scope, chat,
};
use askama::Template;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use record::words::sentence;
use serde::Deserialize;

use super::activity::EventRow;
use super::discord::{self, DiscordApp};
use super::{failed, frame, passkeys};
use page::{CheckNotice, Frame, SentForm, When, password_check, rendered};
use web_http::visitor::{Peer, SignedIn};
use web_http::{Problem, site};

const CHECKED_ACTS: &str = "changes the public name, passkeys or Discord, signs browsers out or makes a token";

#[derive(Template)]
#[template(path = "sign_in/account.html")]
struct AccountPage {
    frame: Frame,
    name: String,
    id: String,
    public_name: String,
    is_named: bool,
    is_admin: bool,
    has_password: bool,
    asks_old: bool,
    is_fresh: bool,
    sessions: Vec<SessionRow>,
    tokens: Vec<TokenRow>,
    scopes: Vec<Scope>,
    form_state: FormState,
    discord: bool,
    accounts: i64,
    lives: [u32; 3],
    life: u32,
    events: Vec<EventRow>,
    passkeys: Vec<passkeys::Row>,
    has_name: bool,
    needs_passkey: bool,
    link: Option<EventRow>,
    check_notice: CheckNotice,
}

#[derive(Debug, Default)]
pub(super) struct FormState {
    pub(super) done: Option<&'static str>,
    pub(super) problem: Option<String>,
    pub(super) token: Option<String>,
    pub(super) public_name: Option<String>,
    pub(super) typed: TypedToken,
}

#[derive(Debug, Default)]
pub(super) struct TypedToken {
    pub(super) name: String,
    pub(super) scope: Option<Scope>,
    pub(super) days: Option<u32>,
}

impl TypedToken {
    fn is_scope(&self, scope: &Scope) -> bool {
        self.scope.as_ref() == Some(scope)
    }
}

struct SessionRow {
    name: String,
    browser: String,
    via: &'static str,
    created: When,
    used: When,
    is_this: bool,
}

struct TokenRow {
    token: ApiToken,
    made: When,
    used: When,
    ends: When,
}

pub(super) async fn show(
    State(app): State<Arc<App>>,
    Extension(discord_app): Extension<DiscordApp>,
    umpire: SignedIn,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Result<Response, Problem> {
    let done = match query.as_deref() {
        Some("by=link") => Some(
            "You are signed in. If you have forgotten your password, set another one now: the old one is not asked for.",
        ),
        Some("done=password") => Some("The password is set. Every other browser is signed out."),
        Some("done=password-tokens") => {
            Some("The password is set. Every other browser is signed out, and your tokens are revoked.")
        }
        Some("done=password-discord") => {
            Some("The password is set. Every other browser is signed out, and no account at Discord is linked to you.")
        }
        Some("done=password-both") => Some(
            "The password is set. Every other browser is signed out, your tokens are revoked, and no account at Discord \
             is linked to you.",
        ),
        Some("done=sessions") => Some("Done: that browser has to sign in again."),
        Some("done=name") => Some("This name is now shown with your pseudonym, wherever it is shown."),
        Some("done=no-name") => Some("The name is gone, and only the pseudonym is shown again."),
        Some("done=passkey") => Some("The passkey is added. It signs you in from now on."),
        Some("done=no-passkey") => Some("The passkey is removed. It opens nothing any more."),
        Some("done=need") => Some("A password alone signs you in no more: it takes a passkey or a sign-in link."),
        Some("done=no-need") => Some("A password signs you in again."),
        Some("done=linked") => Some("The account at Discord is linked: it signs you in from now on."),
        Some("done=unlinked") => Some(
            "No account at Discord is linked to you any more. Browsers that signed in with one stay signed in until you \
             sign them out here.",
        ),
        Some("done=tokens") => Some("The token is revoked. It opens nothing any more."),
        _ => None,
    };
    let problem = discord::sentence(query.as_deref()).map(str::to_owned);
    render(&app, &umpire, &discord_app, &headers, StatusCode::OK, FormState { done, problem, ..FormState::default() })
        .await
}

pub(super) async fn back() -> Redirect {
    Redirect::to("/account")
}

pub(super) async fn render(
    app: &App,
    umpire: &SignedIn,
    discord_app: &DiscordApp,
    headers: &HeaderMap,
    status: StatusCode,
    form_state: FormState,
) -> Result<Response, Problem> {
    let (pool, system, who) = (app.pool(), app.system(), &umpire.0);
    let has_password = account::has_password(pool, who).await.map_err(failed)?;
    let by_password = account::checked_by(pool, who).await.map_err(failed)? == CheckedBy::Password;
    let is_fresh = is_fresh(app, headers).await.map_err(failed)?;
    // The name of a session is the hash of its token.
    let this = web_http::visitor::session_token(headers).map(|token| token.name());
    let sessions = account::sessions(pool, system, &who.id).await.map_err(failed)?;
    let sessions = sessions.into_iter().map(|session| SessionRow {
        is_this: this.as_ref() == Some(&session.name),
        via: match session.via.as_str() {
            "password" => "by password",
            "discord" => "with Discord",
            "passkey" => "with a passkey",
            _ => "by a link",
        },
        created: When::utc_minute(session.created_at),
        used: When::utc_minute(session.used_at),
        browser: if session.browser.is_empty() { "A browser".to_owned() } else { session.browser },
        name: session.name,
    });
    let names = app.umpires.learn_names().await?;
    let public_name = names.of(&who.id);
    let is_admin = who.role == Role::Admin;
    let problem = form_state.problem.clone();
    let life = form_state.typed.days.unwrap_or(LIFE_DAYS);
    let check_notice = CheckNotice::of(app, umpire, headers, CHECKED_ACTS).await?;
    let events = account::own_events(pool, who).await.map_err(failed)?;
    let link = account::link_by_another(pool, system, who).await.map_err(failed)?;
    let page = AccountPage {
        frame: frame("Your account", umpire),
        name: who.name.clone(),
        id: who.id.clone(),
        is_named: public_name.is_some(),
        public_name: form_state.public_name.clone().or(public_name.map(str::to_owned)).unwrap_or_default(),
        is_admin,
        has_password,
        asks_old: by_password && !is_fresh,
        is_fresh,
        sessions: sessions.collect(),
        tokens: tokens(app, &who.id).await?,
        scopes: [Scope::Read, Scope::Umpire].into_iter().chain(is_admin.then_some(Scope::Admin)).collect(),
        form_state,
        discord: discord_app.0.is_some(),
        accounts: chat::accounts_of(pool, who).await.map_err(failed)?,
        passkeys: account::passkeys_of(pool, who).await.map_err(failed)?.into_iter().map(Into::into).collect(),
        has_name: Passkeys::at(&site(headers)).is_some(),
        needs_passkey: account::needs_passkey(pool, &who.id).await.map_err(failed)?,
        lives: LIFE_CHOICES,
        life,
        events: events.into_iter().map(|event| EventRow::of(event, Some(&who.id))).collect(),
        link: link.map(|event| EventRow::of(event, Some(&who.id))),
        check_notice,
    };
    let mut response = rendered(status, &page)?;
    if let Some(why) = problem.filter(|_| !status.is_success()) {
        response.extensions_mut().insert(Problem::refused(why));
    }
    Ok(response)
}

async fn tokens(app: &App, umpire_id: &str) -> Result<Vec<TokenRow>, Problem> {
    let tokens = account::tokens(app.pool(), app.system(), Some(umpire_id)).await.map_err(failed)?;
    let rows = tokens.into_iter().map(|token| TokenRow {
        made: When::utc_minute(token.created_at),
        used: token.used_at.map_or_else(|| When::written("never"), When::utc_minute),
        ends: When::utc_minute(token.expires_at),
        token,
    });
    Ok(rows.collect())
}

async fn is_fresh(app: &App, headers: &HeaderMap) -> Result<bool, AccountError> {
    match web_http::visitor::session_token(headers) {
        Some(token) => account::is_fresh_from_link(app.pool(), app.system(), &token).await,
        None => Ok(false),
    }
}

#[derive(Deserialize)]
pub(super) struct PublicName {
    #[serde(default)]
    public: String,
    #[serde(default, rename = "do")]
    what: String,
    #[serde(default)]
    password: String,
}

pub(super) async fn set_public_name(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<account::RateLimits>>,
    Extension(discord_app): Extension<DiscordApp>,
    peer: Peer,
    umpire: SignedIn,
    headers: HeaderMap,
    Form(PublicName { public, what, password }): Form<PublicName>,
) -> Result<Response, Problem> {
    let fields = [("public", public.as_str()), ("do", what.as_str())];
    let form = SentForm { action: "/account/name", fields: &fields, password: &password };
    if let Some(asks) = password_check(&app, &limits, &umpire, peer, &headers, form).await? {
        return Ok(asks);
    }
    let name = Some(public.trim()).filter(|_| what != "withdraw");
    match app.umpires.set_name(&peer.actor(Some(&umpire.0)), &umpire.0.id, name).await {
        Ok(()) => {
            let done = if name.is_some() { "name" } else { "no-name" };
            Ok(Redirect::to(&format!("/account?done={done}")).into_response())
        }
        Err(
            error @ (AccountError::NoName | AccountError::Unseen | AccountError::Reserved | AccountError::NotYours),
        ) => {
            let problem = Some(sentence(&error.to_string()));
            let form_state = FormState { problem, public_name: Some(public), ..FormState::default() };
            render(&app, &umpire, &discord_app, &headers, StatusCode::UNPROCESSABLE_ENTITY, form_state).await
        }
        Err(error) => Err(failed(error).back("/account", "Back to your account")),
    }
}

#[derive(Deserialize)]
pub(super) struct NewPassword {
    #[serde(default)]
    old: String,
    #[serde(default)]
    new: String,
    #[serde(default, rename = "end-tokens")]
    end_tokens: String,
    #[serde(default, rename = "unlink-discord")]
    unlink_discord: String,
}

pub(super) async fn set_password(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<account::RateLimits>>,
    Extension(discord_app): Extension<DiscordApp>,
    peer: Peer,
    umpire: SignedIn,
    headers: HeaderMap,
    Form(sent): Form<NewPassword>,
) -> Result<Response, Problem> {
    let (pool, system, who) = (app.pool(), app.system(), &umpire.0);
    let (actor, this) = (peer.actor(Some(who)), web_http::visitor::session_token(&headers));
    // By browser: nobody who is not signed in uses up an umpire's.
    let browser = this.as_ref().map(|token| *token.hash().bytes()).unwrap_or_default();
    let counted = limits.count(system, account::RateLimit::Check, &browser);
    counted.map_err(|many| Problem::too_many(many.retry_seconds))?;
    let refused = |why: &str| FormState { problem: Some(why.to_owned()), ..FormState::default() };
    let is_fresh = is_fresh(&app, &headers).await.map_err(failed)?;
    if !is_fresh && account::checked_by(pool, who).await.map_err(failed)? == CheckedBy::Password {
        let right = match &this {
            Some(this) => account::check(pool, system, &actor, who, this, &sent.old).await.map_err(failed)?,
            None => false,
        };
        if !right {
            let why =
                "The old password is not right, so it stays as it was. A new sign-in link lets you set one without it.";
            return render(&app, &umpire, &discord_app, &headers, StatusCode::UNPROCESSABLE_ENTITY, refused(why)).await;
        }
    } else if !is_fresh {
        let form = SentForm { action: "/account/password", fields: &[], password: "" };
        if let Some(asks) = password_check(&app, &limits, &umpire, peer, &headers, form).await? {
            return Ok(asks);
        }
    }
    let (ends_tokens, unlinks_discord) = (sent.end_tokens == "yes", sent.unlink_discord == "yes");
    let new = ChangedPassword { password: &sent.new, session: this.as_ref(), ends_tokens, unlinks_discord };
    match account::set_password(pool, system, &actor, who, &new).await {
        Ok(()) => {
            let done = match (ends_tokens, unlinks_discord) {
                (false, false) => "password",
                (true, false) => "password-tokens",
                (false, true) => "password-discord",
                (true, true) => "password-both",
            };
            Ok(Redirect::to(&format!("/account?done={done}")).into_response())
        }
        Err(AccountError::Weak(why)) => {
            render(&app, &umpire, &discord_app, &headers, StatusCode::UNPROCESSABLE_ENTITY, refused(&why)).await
        }
        Err(error) => Err(failed(error).back("/account", "Back to your account")),
    }
}

#[derive(Deserialize)]
pub(super) struct EndSessionForm {
    #[serde(default)]
    end: String,
    #[serde(default)]
    password: String,
}

pub(super) async fn end_sessions(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<account::RateLimits>>,
    peer: Peer,
    umpire: SignedIn,
    headers: HeaderMap,
    Form(EndSessionForm { end, password }): Form<EndSessionForm>,
) -> Result<Response, Problem> {
    let form = SentForm { action: "/account/sessions", fields: &[("end", end.as_str())], password: &password };
    if let Some(asks) = password_check(&app, &limits, &umpire, peer, &headers, form).await? {
        return Ok(asks);
    }
    let (pool, system, id, actor) = (app.pool(), app.system(), &umpire.0.id, peer.actor(Some(&umpire.0)));
    let ended = match end.as_str() {
        "others" => {
            let this = web_http::visitor::session_token(&headers);
            account::end_others(pool, system, &actor, id, this.as_ref()).await
        }
        name => account::end_session(pool, system, &actor, id, name).await,
    };
    ended.map_err(failed)?;
    Ok(Redirect::to("/account?done=sessions").into_response())
}
