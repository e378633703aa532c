//! The players, by name.

use std::sync::Arc;

use app::App;
use app::archive::ListedPlayer;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use record::name_key;
use serde::Deserialize;

use crate::http::{Problem, Spoilers};
use crate::page::{Frame, When, page, player_address};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "people/list.html")]
struct List {
    frame: Frame,
    begins: String,
    players: Vec<PlayerRow>,
    earlier: Option<String>,
    later: Option<String>,
    narrowed: bool,
    spoilers: Spoilers,
}

struct PlayerRow {
    address: String,
    name: String,
    matches: String,
    last: When,
}

/// The parameters of the address.
#[derive(Debug, Default, Deserialize)]
pub(super) struct PlayersQuery {
    /// The beginning of the names.
    #[serde(default)]
    q: String,
    /// The name after which the page begins.
    after: Option<String>,
    /// The name before which it ends.
    before: Option<String>,
}

/// `GET /players`
pub(super) async fn list(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(query): Query<PlayersQuery>,
    spoilers: Spoilers,
) -> Result<Response, Problem> {
    // The database refuses U+0000, and no name has it.
    let clean = |text: &str| name_key(&text.replace('\0', ""));
    let (begins, after, before) =
        (clean(&query.q), query.after.as_deref().map(clean), query.before.as_deref().map(clean));
    let (players, more) = app.archive.players(&begins, after.as_deref(), before.as_deref()).await?;
    let way = |word: &str, key: &str| {
        let query = [("q", begins.as_str()), (word, key)].into_iter().filter(|(_, value)| !value.is_empty());
        let query = query.map(|(name, value)| match askama::filters::urlencode_strict(value) {
            Ok(value) => format!("{name}={value}"),
            Err(never) => match never {},
        });
        spoilers.in_address(format!("/players?{}", query.collect::<Vec<_>>().join("&")))
    };
    let (has_earlier, has_later) = if before.is_some() { (more, true) } else { (after.is_some(), more) };
    let earlier = players.first().filter(|_| has_earlier).map(|first| way("before", &first.key));
    let later = players.last().filter(|_| has_later).map(|last| way("after", &last.key));
    let frame =
        Frame::titled("Players").in_section("archive").described("Everybody who played a recorded Death Match.");
    page(&List {
        frame: Frame { umpire: visitor.name(), ..frame },
        players: players.into_iter().map(|player| PlayerRow::of(player, spoilers)).collect(),
        earlier,
        later,
        narrowed: !begins.is_empty() || after.is_some() || before.is_some(),
        begins: query.q,
        spoilers,
    })
}

impl PlayerRow {
    fn of(player: ListedPlayer, spoilers: Spoilers) -> Self {
        Self {
            address: spoilers.in_address(player_address(&player.key)),
            matches: player.matches.to_string(),
            last: When::day(player.last),
            name: player.name,
        }
    }
}
