//! The progress of a seat's match as one line. The page's script reads the page again when it changes.
//!
//! It holds the match's head, which is public, the number of this seat's submissions, and the number of witnesses that
//! have seen what is sealed. Of the other seat it says only that its part of a shuffle is waited for, which everybody is told.

use axum::Json;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use super::player::Player;
use web_http::Problem;

/// `GET .../stands`: the server's clock in microseconds, and the line to compare.
pub(super) async fn show(player: Player) -> Result<Response, Problem> {
    let stands = of(&player).await?;
    Ok(Json(json!({ "now": player.app.system().now().micros(), "stands": stands })).into_response())
}

pub(super) async fn of(player: &Player) -> Result<String, Problem> {
    let (history, seat) = (player.history(), player.chair.seat);
    let mut stands = history.head.next.to_string();
    for open in history.open.iter().filter(|open| app::recorder::asks(open, seat)) {
        let sent = player.app.receipts.sent_by_seat(player.chair, &open.asked.decision).await?;
        stands.push_str(&format!(".{sent}"));
    }
    if let Some(waiting) = history.waiting() {
        let count = player.app.public_log.seen_by(history.match_id, &waiting).await?;
        stands.push_str(&format!(" seen by {}", count.map_or(0, |count| count.seen)));
    }
    for seat in player.app.submissions.awaited_seats(history).await? {
        stands.push_str(&format!(" without {seat}"));
    }
    if let Some(obstacle) = player.app.obstacle() {
        stands.push_str(&format!(" {}", obstacle.title()));
    }
    Ok(stands)
}
