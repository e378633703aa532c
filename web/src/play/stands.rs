//! How far a seat's match is, in a line for the page's script: when it differs, the page is read again.
//!
//! It holds the match's head, which is public, and how much this very seat has sent. Nothing in it comes from the other
//! seat's rows, and neither they nor their number are read for it.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::player::Player;
use crate::page::Problem;

/// `GET .../stands`: the server's clock in microseconds, and what the page is held against.
pub(super) async fn show(player: Player) -> Result<Response, Problem> {
    let stands = of(&player).await?;
    Ok(Json(json!({ "now": player.book.mint().now().micros(), "stands": stands })).into_response())
}

/// The head, and how many submissions of the seat there are for each question that is open to it.
pub(super) async fn of(player: &Player) -> Result<String, Problem> {
    let (history, seat) = (player.history(), player.chair.seat);
    let mut stands = history.head.next.to_string();
    for open in history.open.iter().filter(|open| app::book::asks(open, seat)) {
        let sent = player.book.sent_by_seat(player.chair, &open.asked.decision).await?;
        stands.push_str(&format!(".{sent}"));
    }
    Ok(stands)
}
