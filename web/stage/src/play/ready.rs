//! The page before the first round: the umpire's permission to read, early closing, the limit of waiting for witnesses, and the player's "ready".

use app::views::rules_address;
use askama::Template;
use axum::response::{IntoResponse, Redirect, Response};
use engine::Panel;
use record::{ClockState, History};

use super::player::Player;
use super::seat_page::address;
use page::{ActionIcon, SeatName, When};
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
    let now = app.system().now();
    let ready = Ready {
        address: address(&player.slug, chair.seat),
        looks: history.umpire_looks() == Some(true),
        early: history.opened.early,
        wait: history.opened.wait,
        first: is_before_the_first(history),
        since: app.seats.ready_times(chair.match_id).await?[chair.seat].map(|at| When::second_on(at, now)),
    };
    ready.render().map_err(|error| Problem::broken(&error))
}

fn is_before_the_first(history: &History) -> bool {
    let begun = history.clocks.iter().any(|clock| clock.state != ClockState::Waiting);
    history.steps.is_empty() && !begun && history.waiting().is_none()
}

/// The seat's page before the first clock: who, what, and the one thing to do.
#[derive(Debug, Template)]
#[template(path = "play/lobby.html")]
pub(super) struct Lobby {
    address: String,
    me: SeatName,
    other: SeatName,
    other_ready: bool,
    by: String,
    icons: Vec<ActionIcon>,
    game: String,
    about: &'static str,
    lines: &'static [&'static str],
    rules: String,
}

/// The lobby until this player is ready; none where no clock waits to be started.
pub(super) async fn lobby(player: &Player, history: &History) -> Result<Option<Lobby>, Problem> {
    let (app, chair) = (&player.app, player.chair);
    let waits = history.is_live() && !history.is_ended() && !history.clocks.is_empty() && is_before_the_first(history);
    let ready = app.seats.ready_times(chair.match_id).await?;
    if !waits || ready[chair.seat].is_some() {
        return Ok(None);
    }
    let ruleset = history.ruleset();
    let names = SeatName::of(history);
    let lamps = history.duel().view(engine::Sight::Public).panels.into_iter().find_map(|panel| match panel {
        Panel::Lamps { lamps, .. } => Some(lamps.iter().filter_map(|lamp| ActionIcon::of(lamp.name)).collect()),
        _ => None,
    });
    let by = app.umpires.names().by(&history.umpire);
    Ok(Some(Lobby {
        address: address(&player.slug, chair.seat),
        me: names[chair.seat].clone(),
        other: names[chair.seat.other()].clone(),
        other_ready: ready[chair.seat.other()].is_some(),
        by: by.trim_start_matches("umpire ").split(" (").next().unwrap_or_default().to_owned(),
        icons: lamps.unwrap_or_else(|| ActionIcon::of_game(&history.opened.ruleset).into_iter().collect()),
        game: ruleset.card().title.to_string(),
        about: ruleset.card().about,
        lines: ruleset.in_three_lines(),
        rules: rules_address(history),
    }))
}

pub(super) async fn say(player: Player) -> Result<Response, Problem> {
    player.app.seats.ready(player.chair).await?;
    Ok(Redirect::to(&address(&player.slug, player.chair.seat)).into_response())
}
