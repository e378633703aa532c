//! The private links to the seats of a match. They are also the tokens of programs that play.

use std::sync::Arc;

use app::App;
use app::account::player;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::json;
use super::caller::Umpire;
use super::idempotency::Key;
use super::match_context::settled;
use super::request::{Body, MatchSlug, act};
use super::shapes::{SeatWord, time};
use crate::http::{Problem, site};

/// A link to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewLink)]
pub(super) struct NewLink {
    seat: SeatWord,
}

/// A link that was made. This is the only time that it is told.
#[derive(Serialize, ToSchema)]
#[schema(as = MadeLink)]
struct LinkSecret {
    seat: SeatWord,
    /// For a player's browser.
    #[schema(example = "https://matchbook.example/play/…")]
    url: String,
    /// For a player's program: the token of the seat.
    token: String,
}

/// The links of a match that still open something.
#[derive(Serialize, ToSchema)]
#[schema(as = LinkList)]
struct List {
    links: Vec<Link>,
}

/// A link: never what it opens with.
#[derive(Serialize, ToSchema)]
#[schema(as = Link)]
struct Link {
    /// A name to revoke it by: 64 hex digits.
    id: String,
    seat: SeatWord,
    made_at: String,
    /// Whether a browser followed it.
    followed: bool,
}

/// The links to the seats
#[utoipa::path(get, path = "/api/v1/matches/{slug}/links", tag = "umpire", operation_id = "listLinks",
    responses((status = 200, description = "Those that still open something.", body = List)))]
pub(super) async fn list(State(app): State<Arc<App>>, _: Umpire, slug: MatchSlug) -> Result<Response, Problem> {
    let match_id = slug.id(&app).await?;
    let links = player::links(app.pool(), match_id).await?.into_iter();
    let links = links.map(|link| Link {
        id: link.name,
        seat: link.seat.into(),
        made_at: time(link.made),
        followed: link.followed,
    });
    json(StatusCode::OK, &List { links: links.collect() })
}

/// Make a private link to a seat
///
/// In a live match whoever has it plays for the seat; in a recorded one it shows what was entered for the seat, and takes
/// objections. Earlier ones stay good until they are revoked.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/links", tag = "umpire", operation_id = "makeLink", request_body = NewLink,
    responses((status = 201, description = "Made. It is told this once.", body = LinkSecret)))]
pub(super) async fn make(
    State(app): State<Arc<App>>,
    umpire: Umpire,
    slug: MatchSlug,
    key: Key,
    headers: HeaderMap,
    Body(NewLink { seat }): Body<NewLink>,
) -> Result<Response, Problem> {
    let (match_id, history) = settled(&app, &slug).await?;
    if history.opened.mode == record::Mode::Imported {
        return Err(Problem::refused("This match was over when it was entered, so there are no links to its seats."));
    }
    let token = app.seats.invite(&act(umpire.by(), &key), match_id, seat.into()).await?.reveal();
    json(StatusCode::CREATED, &LinkSecret { seat, url: format!("{}/play/{token}", site(&headers)), token })
}

/// Revoke a link, and end every browser and program that uses it
#[utoipa::path(delete, path = "/api/v1/matches/{slug}/links/{id}", tag = "umpire", operation_id = "revokeLink",
    params(("id" = String, Path, description = "The link's id.", pattern = "^[0-9a-f]{64}$")),
    responses((status = 204, description = "It opens nothing any more; nor did it, if there was none.")))]
pub(super) async fn revoke(
    State(app): State<Arc<App>>,
    _: Umpire,
    slug: MatchSlug,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let match_id = slug.id(&app).await?;
    if id.len() != 64 || id.bytes().any(|byte| !byte.is_ascii_digit() && !(b'a'..=b'f').contains(&byte)) {
        return Err(Problem::not_found("There is no such link: an id has 64 hex digits."));
    }
    player::revoke(app.pool(), app.system(), match_id, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
