//! A seat's key: made in the player's browser, and registered by its script when the page is opened.

use axum::Form;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use ledger::PlayerKey;
use record::words::sentence;
use record::{Vouching, VouchingError};
use serde::Deserialize;

use super::player::Player;
use web_http::Problem;

#[derive(Deserialize)]
pub(super) struct Fields {
    key: String,
    player: Option<String>,
}

/// `POST .../key`: registers the public half, with a registered player's vouching for it if there is one. Sending the same key again changes nothing.
pub(super) async fn register(
    player: Player,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Result<Response, Problem> {
    let key: PlayerKey =
        fields.key.parse().map_err(|error: ledger::SubmitError| Problem::refused(error.to_string()))?;
    let vouching: Option<Vouching> = match fields.player.as_deref().map(str::trim) {
        None | Some("") => None,
        Some(vouching) => {
            Some(vouching.parse().map_err(|error: VouchingError| Problem::refused(sentence(&error.to_string())))?)
        }
    };
    let cookie = player.cookie(&headers)?;
    player.app.seats.register_key(player.access, &cookie, key, vouching).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
