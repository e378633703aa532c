//! The page before the first round: the umpire's permission to read, early closing, the limit of waiting for witnesses, and the player's "ready".

use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};
use record::{ClockState, History};

use super::player::Player;
use super::seat_page::address;
use page::When;
use web_http::Problem;

#[derive(Template)]
#[template(path = "play/ready.html")]
struct Ready {
    address: String,
    looks: bool,
    early: bool,
    wait: Option<u32>,
    first: bool,
    since: Option<When>,
}

pub(super) async fn panel(player: &Player, history: &History) -> Result<String, Problem> {
    if !history.is_live() || history.is_ended() {
        return Ok(String::new());
    }
    let (app, chair) = (&player.app, player.chair);
    let begun = history.clocks.iter().any(|clock| clock.state != ClockState::Waiting);
    let now = app.system().now();
    let ready = Ready {
        address: address(&player.slug, chair.seat),
        looks: history.umpire_looks() == Some(true),
        early: history.opened.early,
        wait: history.opened.wait,
        first: history.steps.is_empty() && !begun && history.waiting().is_none(),
        since: app.seats.ready_times(chair.match_id).await?[chair.seat].map(|at| When::second_on(at, now)),
    };
    ready.render().map_err(|error| Problem::broken(&error))
}

pub(super) async fn say(player: Player) -> Result<Response, Problem> {
    player.app.seats.ready(player.chair).await?;
    Ok(Redirect::to(&address(&player.slug, player.chair.seat)).into_response())
}
