//! Suggestions while somebody types a search: names of players and events. Pages work without them.

use std::sync::Arc;

use app::App;
use app::archive::{KnownName, NameKind, VALUE_MAX_CHARS};
use axum::Json;
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};

use page::{event_address, near_names, player_address};
use web_http::Problem;

const NAMES_MAX: usize = 8;

#[derive(Debug, Default, Deserialize)]
pub(super) struct SuggestQuery {
    #[serde(default)]
    q: String,
    #[serde(default)]
    kind: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Suggestions {
    names: Vec<Suggestion>,
}

#[derive(Debug, Serialize)]
struct Suggestion {
    name: String,
    kind: &'static str,
    address: String,
}

impl From<&KnownName> for Suggestion {
    fn from(known: &KnownName) -> Self {
        let address = match known.kind {
            NameKind::Player => player_address(&known.name),
            NameKind::Event => event_address(&known.name),
        };
        Self { name: known.name.clone(), kind: known.kind.word(), address }
    }
}

/// `GET /suggest.json?q=`: an empty answer for what is near to no name, and never an error.
pub(super) async fn suggest(
    State(app): State<Arc<App>>,
    Query(query): Query<SuggestQuery>,
) -> Result<Json<Suggestions>, Problem> {
    if query.q.chars().count() > VALUE_MAX_CHARS {
        return Ok(Json(Suggestions { names: Vec::new() }));
    }
    let kind = [NameKind::Player, NameKind::Event].into_iter().find(|kind| kind.word() == query.kind);
    let known = app.archive().known_names().await?;
    let near = near_names(&known, kind, &query.q).into_iter().take(NAMES_MAX);
    Ok(Json(Suggestions { names: near.map(Suggestion::from).collect() }))
}
