//! The players, by name.

use std::sync::Arc;

use app::App;
use app::archive::{NameKind, PlayerRow};
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;

use page::{Frame, NamePage, When, near_names, page, player_address, query_key, with_parameters};
use web_http::visitor::Visitor;
use web_http::{Problem, Spoilers};

#[derive(Template)]
#[template(path = "people/list.html")]
struct List {
    frame: Frame,
    begins: String,
    players: Vec<PlayerRow>,
    near: Vec<(String, String)>,
    earlier: Option<String>,
    later: Option<String>,
    narrowed: bool,
    spoilers: Spoilers,
}

impl List {
    fn address(&self, player: &PlayerRow) -> String {
        self.spoilers.in_address(player_address(&player.key))
    }

    fn last(&self, player: &PlayerRow) -> When {
        When::day(player.last)
    }
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct PlayersQuery {
    #[serde(default)]
    q: String,
}

/// Nearest names that are offered.
const NEAR_MAX: usize = 8;

async fn near(app: &App, typed: &str, spoilers: Spoilers) -> Result<Vec<(String, String)>, Problem> {
    let known = app.archive().known_names().await?;
    let near = near_names(&known, Some(NameKind::Player), typed).into_iter().take(NEAR_MAX);
    Ok(near.map(|name| (name.name.clone(), spoilers.in_address(player_address(&name.name)))).collect())
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(query): Query<PlayersQuery>,
    Query(name_page): Query<NamePage>,
    spoilers: Spoilers,
) -> Result<Response, Problem> {
    let (begins, name_page) = (query_key(&query.q), name_page.folded());
    let (players, more) = app.archive().players(&name_page.range(&begins)).await?;
    let names: Vec<&str> = players.iter().map(|player| player.key.as_str()).collect();
    let [earlier, later] = name_page.neighbours(&names, more, |bound, name| {
        let parameters = [("q", begins.as_str()), (bound, name)].into_iter().filter(|(_, value)| !value.is_empty());
        spoilers.in_address(with_parameters("/players", parameters))
    });
    let near = if players.is_empty() { near(&app, &begins, spoilers).await? } else { Vec::new() };
    let frame =
        Frame::titled("Players").in_section("players").described("Everybody who played a recorded Death Match.");
    page(&List {
        frame: Frame { umpire: visitor.name(), ..frame },
        players,
        near,
        earlier,
        later,
        narrowed: !begins.is_empty() || !name_page.is_first(),
        begins: query.q,
        spoilers,
    })
}
