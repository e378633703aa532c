//! A seat's key: made in the player's browser, registered by its script.

use axum::Form;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use ledger::PlayerKey;
use serde::Deserialize;

use super::player::Player;
use crate::http::Problem;

#[derive(Deserialize)]
pub(super) struct Fields {
    key: String,
}

/// `POST .../key`: registers the public half. Sending the same key again changes nothing.
pub(super) async fn register(player: Player, Form(fields): Form<Fields>) -> Result<Response, Problem> {
    let key: PlayerKey =
        fields.key.parse().map_err(|error: ledger::SubmitError| Problem::refused(error.to_string()))?;
    player.app.submissions.register_key(player.chair, key).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
