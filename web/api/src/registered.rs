//! Registered players for programs: a player's chain, and what goes on with it.

use std::sync::Arc;

use app::App;
use app::account::RateLimits;
use app::public_log::StoredChain;
use axum::Extension;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use ledger::{Hash, PlayerId};
use record::body::SignedAct;
use serde::Serialize;
use utoipa::ToSchema;

use super::answer::json;
use super::read_request::ReadRequest;
use super::request::Body;
use web_http::visitor::{Peer, count_player_key};
use web_http::{Problem, Segments};

/// A registered player.
#[derive(Serialize, ToSchema)]
struct RegisteredPlayer {
    /// It follows from the log and the first key.
    #[schema(example = "62f36beb-046d-4718-9e70-004f87cfddf9")]
    player: String,
    /// The key that counts now, in base64; null once all are revoked.
    key: Option<String>,
    /// The commitment to the key after it: 64 hex digits; null once all are revoked.
    next: Option<String>,
    /// The chain, in order. `docs/record-format.md`, "Registered players", says how to check it.
    entries: Vec<ChainEntry>,
}

/// An entry of a player's chain.
#[derive(Serialize, ToSchema)]
#[schema(as = PlayerEntry)]
struct ChainEntry {
    /// Its place in the log.
    index: u64,
    /// The entry, word for word.
    entry: String,
}

/// What a player has signed: the first key, the next key, or the end of all.
#[derive(ToSchema)]
#[schema(as = SignedAct)]
#[expect(dead_code, reason = "the shape of a signed act, for the document")]
pub(super) struct SignedActJson {
    kind: SignedKind,
    /// The key, 32 bytes in base64; of the end the one that signs.
    #[schema(pattern = "^[A-Za-z0-9+/]{43}=$")]
    key: String,
    /// The commitment to the key after it; not with the end.
    #[schema(nullable = false, pattern = "^[0-9a-f]{64}$")]
    next: Option<String>,
    /// 64 bytes in base64.
    #[schema(pattern = "^[A-Za-z0-9+/]{85}[AQgw]==$")]
    signature: String,
}

/// What it is.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "the words of a signed act, for the document")]
enum SignedKind {
    Registered,
    Rotated,
    Revoked,
}

impl RegisteredPlayer {
    fn of(stored: &StoredChain) -> Self {
        let chain = &stored.chain;
        Self {
            player: chain.player.to_string(),
            key: chain.present().map(|present| present.key.to_string()),
            next: chain.present().map(|present| present.next.to_string()),
            entries: stored
                .entries
                .iter()
                .map(|entry| ChainEntry {
                    index: entry.index.0,
                    entry: String::from_utf8_lossy(&entry.bytes).into_owned(),
                })
                .collect(),
        }
    }
}

fn nobody() -> Problem {
    Problem::not_found("Nobody is registered under this id.")
}

/// A registered player: the key, and the chain
#[utoipa::path(get, path = "/api/v1/registered/{id}", tag = "reading", operation_id = "readRegisteredPlayer",
    params(("id" = String, Path, description = "The player's id.", min_length = 1, max_length = 100,
        example = "62f36beb-046d-4718-9e70-004f87cfddf9")),
    responses((status = 200, description = "The current chain.", body = RegisteredPlayer)))]
pub(super) async fn one(request: ReadRequest, Segments(id): Segments<String>) -> Result<Response, Problem> {
    let id: PlayerId = id.parse().map_err(|_| nobody())?;
    let stored = request.app.players.chain(id).await?.ok_or_else(nobody)?;
    request.json(Hash::ZERO, &RegisteredPlayer::of(&stored))
}

/// Register a player
///
/// No token is needed: what is sent proves itself. The same sent again changes nothing.
#[utoipa::path(post, path = "/api/v1/registered", tag = "registered", operation_id = "registerPlayer",
    request_body = SignedActJson,
    responses((status = 201, description = "The current chain.", body = RegisteredPlayer)))]
pub(super) async fn register(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    Body(act): Body<SignedAct>,
) -> Result<Response, Problem> {
    let SignedAct::Registered(entry) = act else {
        return Err(Problem::refused("This goes on with a player's keys: it belongs to the address of that player."));
    };
    enter(&app, &limits, peer, app.players.id_of(&entry), act).await
}

/// Enter a player's next key, or the end of all
///
/// No token is needed: what is sent proves itself. The same sent again changes nothing.
#[utoipa::path(post, path = "/api/v1/registered/{id}", tag = "registered", operation_id = "goOnWithPlayer",
    params(("id" = String, Path, description = "The player's id.", min_length = 1, max_length = 100,
        example = "62f36beb-046d-4718-9e70-004f87cfddf9")),
    request_body = SignedActJson,
    responses((status = 201, description = "The current chain.", body = RegisteredPlayer)))]
pub(super) async fn go_on(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    Segments(id): Segments<String>,
    Body(act): Body<SignedAct>,
) -> Result<Response, Problem> {
    let id: PlayerId = id.parse().map_err(|_| nobody())?;
    app.players.chain(id).await?.ok_or_else(nobody)?;
    enter(&app, &limits, peer, id, act).await
}

async fn enter(
    app: &App,
    limits: &RateLimits,
    peer: Peer,
    player: PlayerId,
    act: SignedAct,
) -> Result<Response, Problem> {
    count_player_key(app, limits, peer)?;
    let stored = app.players.enter(player, &act.into()).await?;
    json(StatusCode::CREATED, &RegisteredPlayer::of(&stored))
}
