//! Before the first round: whether the umpire may look, and a player's word to be ready.

use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};
use record::{ClockState, History};

use super::player::Player;
use super::seat::address;
use crate::page::{Problem, When};

/// What stands on a seat's page for as long as it matters.
#[derive(Template)]
#[template(path = "play/ready.html")]
struct Ready {
    address: String,
    /// Whether the umpire may read what is sent before it closes.
    looks: bool,
    /// Whether nothing was played yet, and no clock has begun.
    first: bool,
    /// Since when this player is ready.
    since: Option<When>,
}

/// The panel; empty where there is nothing to say.
pub(super) async fn panel(player: &Player, history: &History) -> Result<String, Problem> {
    if !history.is_live() || history.is_ended() {
        return Ok(String::new());
    }
    let (book, chair) = (&player.book, player.chair);
    let begun = history.clocks.iter().any(|clock| clock.state != ClockState::Waiting);
    let now = book.mint().now();
    let ready = Ready {
        address: address(&player.slug, chair.seat),
        looks: book.umpire_looks(chair.match_id).await?,
        first: history.steps.is_empty() && !begun,
        since: book.who_is_ready(chair.match_id).await?[chair.seat].map(|at| When::second_on(at, now)),
    };
    ready.render().map_err(|error| Problem::broken(&error))
}

/// `POST /play/m/{slug}/{seat}/ready`: tells the umpire, and nobody else. Said again, it stays as it was.
pub(super) async fn say(player: Player) -> Result<Response, Problem> {
    player.book.ready(player.chair).await?;
    Ok(Redirect::to(&address(&player.slug, player.chair.seat)).into_response())
}
