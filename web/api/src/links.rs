//! The private links to the seats of a match. They are also the tokens of programs that play.

use app::account::player;
use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use store::timestamp;
use utoipa::ToSchema;

use super::answer::json;
use super::match_context::{MatchContext, OwnMatch};
use super::request::Body;
use super::shapes::SeatWord;
use web_http::{Problem, site};

/// A link to make.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewLink {
    seat: SeatWord,
}

/// A link that was made. This is the only time that it is told.
#[derive(Serialize, ToSchema)]
struct MadeLink {
    seat: SeatWord,
    /// For a player's browser.
    #[schema(example = "https://matchbook.example/play/…")]
    url: String,
    /// For a player's program: the token of the seat.
    token: String,
}

/// The links of a match that still open something.
#[derive(Serialize, ToSchema)]
struct LinkList {
    links: Vec<Link>,
}

/// A link: never what it opens with.
#[derive(Serialize, ToSchema)]
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
    responses((status = 200, description = "Those that still open something.", body = LinkList)))]
pub(super) async fn list(OwnMatch { umpire, match_id, .. }: OwnMatch) -> Result<Response, Problem> {
    let links = player::links(umpire.app.pool(), match_id).await?.into_iter();
    let links = links.map(|link| Link {
        id: link.name,
        seat: link.seat.into(),
        made_at: timestamp::text(link.made),
        followed: link.followed,
    });
    json(StatusCode::OK, &LinkList { links: links.collect() })
}

/// Make a private link to a seat
///
/// In a live match whoever has it plays for the seat; in a recorded one it shows what was entered for the seat, and takes
/// objections. Earlier ones stay good until they are revoked.
#[utoipa::path(post, path = "/api/v1/matches/{slug}/links", tag = "umpire", operation_id = "makeLink", request_body = NewLink,
    responses((status = 201, description = "Made. It is shown only this once.", body = MadeLink)))]
pub(super) async fn make(
    on: MatchContext,
    headers: HeaderMap,
    Body(NewLink { seat }): Body<NewLink>,
) -> Result<Response, Problem> {
    if on.history.opened.mode == record::Mode::Imported {
        return Err(Problem::refused("This match was over when it was entered, so there are no links to its seats."));
    }
    let token = on.app.seats.invite(&on.act, on.match_id, seat.into()).await?.reveal();
    json(StatusCode::CREATED, &MadeLink { seat, url: format!("{}/play/{token}", site(&headers)), token })
}

/// Revoke a link, and end every browser and program that uses it
#[utoipa::path(delete, path = "/api/v1/matches/{slug}/links/{id}", tag = "umpire", operation_id = "revokeLink",
    params(("id" = String, Path, description = "The link's id.", pattern = "^[0-9a-f]{64}$")),
    responses((status = 204, description = "It opens nothing any more; nor did it, if there was none.")))]
pub(super) async fn revoke(
    OwnMatch { umpire, match_id, .. }: OwnMatch,
    Path((_, id)): Path<(String, String)>,
) -> Result<Response, Problem> {
    if id.len() != 64 || id.bytes().any(|byte| !byte.is_ascii_digit() && !(b'a'..=b'f').contains(&byte)) {
        return Err(Problem::not_found("There is no such link: an id has 64 hex digits."));
    }
    umpire.app.seats.revoke(&umpire.by(), match_id, &id).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
