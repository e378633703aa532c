//! Accounts for programs: the owner of a token; for admins also umpires, links, sessions and tokens.

use app::account::{self, Actor, Bearer, Scope};
use app::views::integer::integer_or_none;
use app::{App, slug};
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::caller::{Admin, Caller};
use super::idempotency::Key;
use super::request::Body;
use super::shapes::{SeatWord, time};
use crate::http::{ErrorKind, Problem, site};

/// Whom a token stands for.
#[derive(Serialize, ToSchema)]
struct Me {
    /// `read`, `umpire` or `admin`; `seat` for a program that plays.
    scope: &'static str,
    /// The umpire's pseudonym, as entries name it.
    umpire: Option<String>,
    /// The umpire's name, known here alone.
    name: Option<String>,
    /// The match of a seat.
    #[serde(rename = "match")]
    slug: Option<String>,
    seat: Option<SeatWord>,
}

/// An umpire.
#[derive(Serialize, ToSchema)]
#[schema(as = Umpire)]
struct Person {
    /// The pseudonym.
    #[schema(example = "3f9a1c0b7d2e")]
    id: String,
    name: String,
    /// `umpire` or `admin`.
    role: &'static str,
    has_password: bool,
    /// Whether the account is closed.
    closed: bool,
    /// Browsers that are signed in.
    sessions: i64,
}

/// Every umpire.
#[derive(Serialize, ToSchema)]
struct UmpireList {
    umpires: Vec<Person>,
}

/// An umpire to add.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewUmpire {
    #[schema(
        min_length = 1,
        max_length = 60,
        pattern = "^[^\\x00-\\x1f\\x7f]*\\S[^\\x00-\\x1f\\x7f]*$",
        example = "Ursula"
    )]
    name: String,
    #[serde(default)]
    role: RoleWord,
}

/// What an umpire may.
#[derive(Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum RoleWord {
    #[default]
    Umpire,
    Admin,
}

/// A sign-in link that was made. This is the only time that it is told.
#[derive(Serialize, ToSchema)]
struct SignInLink {
    /// The umpire's pseudonym.
    umpire: String,
    /// It signs in once, within a day.
    url: String,
}

/// A token to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewToken {
    /// What it is for.
    #[schema(
        min_length = 1,
        max_length = 60,
        pattern = "^[^\\x00-\\x1f\\x7f]*\\S[^\\x00-\\x1f\\x7f]*$",
        example = "the bot of our chat"
    )]
    name: String,
    #[schema(inline)]
    scope: Scope,
    /// For how many days; left out, 90.
    #[serde(default, deserialize_with = "integer_or_none")]
    #[schema(nullable = false, minimum = 1, maximum = 365)]
    days: Option<u32>,
}

/// A token that was made. This is the only time that it is told.
#[derive(Serialize, ToSchema)]
struct MadeToken {
    /// What a program sends.
    token: String,
    #[serde(flatten)]
    about: TokenJson,
}

/// A token: never what it opens with.
#[derive(Serialize, ToSchema)]
#[schema(as = Token)]
struct TokenJson {
    /// A name to revoke it by: 64 hex digits.
    id: String,
    /// The name of the umpire whose it is.
    umpire: String,
    name: String,
    /// `read`, `umpire` or `admin`.
    scope: String,
    created_at: String,
    expires_at: String,
    /// To the minute.
    used_at: Option<String>,
}

/// Tokens that still open something.
#[derive(Serialize, ToSchema)]
struct TokenList {
    tokens: Vec<TokenJson>,
}

impl From<account::ApiToken> for TokenJson {
    fn from(token: account::ApiToken) -> Self {
        Self {
            id: token.id,
            umpire: token.umpire,
            name: token.name,
            scope: token.scope,
            created_at: time(token.created_at),
            expires_at: time(token.expires_at),
            used_at: token.used_at.map(time),
        }
    }
}

/// Whom your token stands for
#[utoipa::path(get, path = "/api/v1/me", tag = "accounts", operation_id = "readMe", security(("token" = []), ("seat" = [])),
    responses((status = 200, description = "The bearer.", body = Me)))]
pub(super) async fn me(Caller(caller): Caller) -> Result<Response, Problem> {
    let me = match caller {
        Some((_, Bearer::Umpire { umpire, scope, .. })) => {
            Me { scope: scope.word(), umpire: Some(umpire.id), name: Some(umpire.name), slug: None, seat: None }
        }
        Some((_, Bearer::Seat(access))) => {
            let chair = access.seat_ref;
            let (slug, seat) = (Some(slug(chair.match_id)), Some(chair.seat.into()));
            Me { scope: "seat", umpire: None, name: None, slug, seat }
        }
        None => {
            let detail = "This needs a token: Authorization: Bearer, and the token.";
            return Err(Problem::of(ErrorKind::NoToken, detail));
        }
    };
    json(StatusCode::OK, &me)
}

/// Every umpire
#[utoipa::path(get, path = "/api/v1/umpires", tag = "accounts", operation_id = "listUmpires",
    responses((status = 200, description = "By name.", body = UmpireList)))]
pub(super) async fn umpires(Admin { app, .. }: Admin) -> Result<Response, Problem> {
    let listed = account::listed(app.pool(), app.system()).await?.into_iter();
    let umpires = listed.map(|listed| Person {
        id: listed.umpire.id,
        name: listed.umpire.name,
        role: listed.umpire.role.word(),
        has_password: listed.has_password,
        closed: listed.closed,
        sessions: listed.sessions,
    });
    json(StatusCode::OK, &UmpireList { umpires: umpires.collect() })
}

/// Add an umpire, and make a link that signs them in
///
/// No program makes an admin: that needs one who signs in.
#[utoipa::path(post, path = "/api/v1/umpires", tag = "accounts", operation_id = "addUmpire", request_body = NewUmpire,
    responses((status = 201, description = "Added. The link is shown only this once.", body = SignInLink)))]
pub(super) async fn add(
    Admin { app, actor, .. }: Admin,
    _: Key,
    headers: HeaderMap,
    Body(new): Body<NewUmpire>,
) -> Result<Response, Problem> {
    if matches!(new.role, RoleWord::Admin) {
        account::needs_person(&actor)?;
    }
    let umpire = account::add(app.pool(), app.system(), &actor, &new.name).await?;
    signs_in(&app, &actor, &umpire, &headers).await
}

/// Make a sign-in link for an umpire
///
/// Not for an admin, and not for the umpire of your token. Whoever follows it has to type their password before accounts,
/// links or tokens change.
#[utoipa::path(post, path = "/api/v1/umpires/{id}/links", tag = "accounts", operation_id = "makeSignInLink",
    responses((status = 201, description = "Made. It is shown only this once.", body = SignInLink)))]
pub(super) async fn link(
    Admin { app, actor, .. }: Admin,
    _: Key,
    headers: HeaderMap,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let umpire = account::of_id(app.pool(), &known(id)?).await?;
    signs_in(&app, &actor, &umpire, &headers).await
}

/// A pseudonym in a form that the database accepts.
fn known(id: String) -> Result<String, Problem> {
    let is = id.len() <= 32 && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if is { Ok(id) } else { Err(Problem::not_found("There is no such umpire.")) }
}

async fn signs_in(
    app: &App,
    actor: &Actor,
    umpire: &account::Umpire,
    headers: &HeaderMap,
) -> Result<Response, Problem> {
    let token = account::link(app.pool(), app.system(), actor, umpire).await?;
    let url = format!("{}/sign-in/link#{}", site(headers), token.reveal());
    json(StatusCode::CREATED, &SignInLink { umpire: umpire.id.clone(), url })
}

/// Sign an umpire out of every browser
#[utoipa::path(delete, path = "/api/v1/umpires/{id}/sessions", tag = "accounts", operation_id = "endSessions",
    responses((status = 204, description = "Every browser has to sign in again.")))]
pub(super) async fn end_sessions(Admin { app, actor, .. }: Admin, Path(id): Path<String>) -> Result<Response, Problem> {
    let umpire = account::of_id(app.pool(), &known(id)?).await?;
    account::end_others(app.pool(), app.system(), &actor, &umpire.id, None).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Every token that still opens something
#[utoipa::path(get, path = "/api/v1/tokens", tag = "accounts", operation_id = "listTokens",
    responses((status = 200, description = "Newest first.", body = TokenList)))]
pub(super) async fn tokens(Admin { app, .. }: Admin) -> Result<Response, Problem> {
    let tokens = account::tokens(app.pool(), app.system(), None).await?;
    json(StatusCode::OK, &TokenList { tokens: tokens.into_iter().map(TokenJson::from).collect() })
}

/// Make a token that acts for you
///
/// Its scope is `read` or `umpire`, and it ends with yours at the latest. One with the scope `admin` is made at /account.
#[utoipa::path(post, path = "/api/v1/tokens", tag = "accounts", operation_id = "makeToken", request_body = NewToken,
    responses((status = 201, description = "Made. It is shown only this once.", body = MadeToken)))]
pub(super) async fn make_token(
    Admin { app, account, actor, until }: Admin,
    _: Key,
    Body(new): Body<NewToken>,
) -> Result<Response, Problem> {
    let (pool, system) = (app.pool(), app.system());
    let whose = (&actor, &account);
    let made = account::make_token_by_program(pool, system, whose, until, &new.name, new.scope, new.days).await;
    let (token, about) = made?;
    json(StatusCode::CREATED, &MadeToken { token: account::reveal_token(&token), about: about.into() })
}

/// Revoke a token
#[utoipa::path(delete, path = "/api/v1/tokens/{id}", tag = "accounts", operation_id = "revokeToken",
    params(("id" = String, Path, description = "The token's id.", pattern = "^[0-9a-f]{64}$")),
    responses((status = 204, description = "It opens nothing any more.")))]
pub(super) async fn revoke_token(Admin { app, actor, .. }: Admin, Path(id): Path<String>) -> Result<Response, Problem> {
    match account::revoke_token(app.pool(), app.system(), &actor, None, &id).await? {
        true => Ok(StatusCode::NO_CONTENT.into_response()),
        false => Err(Problem::not_found("There is no such token.")),
    }
}
