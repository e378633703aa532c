//! Accounts for programs: the owner of a token; for admins also umpires, sessions and tokens. A program reads and ends
//! here, and makes nothing: a stolen token must not become an account, a link or a token that outlives it.

use app::account::{self, Bearer};
use app::slug;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::json;
use super::caller::{Admin, Caller};
use super::shapes::SeatWord;
use web_http::{ErrorKind, Problem};

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

/// Tokens that still open something.
#[derive(Serialize, ToSchema)]
struct TokenList {
    tokens: Vec<account::ApiToken>,
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

fn known(id: String) -> Result<String, Problem> {
    let is = id.len() <= 32 && id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    if is { Ok(id) } else { Err(Problem::not_found("There is no such umpire.")) }
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
    json(StatusCode::OK, &TokenList { tokens })
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
