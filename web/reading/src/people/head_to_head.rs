//! Two players' matches against each other.

use std::sync::Arc;

use app::App;
use app::archive::{Filter, Score};
use askama::Template;
use axum::extract::{OriginalUri, State};
use axum::response::Response;

use super::player::{key, moved, no_player};
use super::player_scores::{ScoreRow, by_chair, by_ruleset};
use page::{
    Frame, MatchList, archive_of, head_to_head_address, page, player_address, prepare_address, with_parameters,
};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments, Spoilers};

#[derive(Template)]
#[template(path = "people/head_to_head.html")]
struct HeadToHead {
    frame: Frame,
    /// The name and the page of each.
    first: (String, String),
    second: (String, String),
    total: Score,
    rulesets: Vec<ScoreRow>,
    chairs_caption: String,
    chairs: Vec<ScoreRow>,
    listing: Option<MatchList>,
    archive: String,
    swapped: String,
    prepare: String,
    spoilers: Spoilers,
    otherwise: String,
}

pub(super) async fn head_to_head(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments((name, other)): Segments<(String, String)>,
    spoilers: Spoilers,
    OriginalUri(uri): OriginalUri,
) -> Result<Response, Problem> {
    let (first, second) = (key(&name)?, key(&other)?);
    let address = |[first, second]: [&str; 2]| head_to_head_address(first, second);
    if let Some(moved) = moved(&app, [&first, &second], address, &uri).await? {
        return Ok(moved);
    }
    let name = app.archive().player_name(&first).await?.ok_or_else(no_player)?;
    let other = app.archive().player_name(&second).await?.ok_or_else(no_player)?;
    let tallies = app.archive().tallies(&first, Some(&second)).await?;
    let filter = Filter { player: Some(first.clone()), against: Some(second.clone()), ..Filter::default() };
    let matches = app.archive().list(&filter, None).await?.matches;
    // Two names may differ by an accent only, and they may have met.
    if first == second && matches.is_empty() {
        let detail = "These are one player. Name two different ones.";
        return Err(Problem::not_found(detail).back(player_address(&first), "See this player"));
    }
    let frame = Frame::titled(format!("{name} against {other}"))
        .in_section("players")
        .described(format!("Every recorded Death Match of {name} against {other}."));
    page(&HeadToHead {
        frame: Frame { umpire: visitor.name(), ..frame },
        first: (name.clone(), spoilers.in_address(player_address(&first))),
        second: (other, spoilers.in_address(player_address(&second))),
        total: Score::of(&tallies),
        rulesets: by_ruleset(&tallies),
        chairs_caption: format!("{name}\u{2019}s results by seat and role"),
        chairs: by_chair(&tallies),
        listing: (!matches.is_empty())
            .then(|| MatchList::of("Their latest matches", &matches).with_hidden_caption().with_spoilers(spoilers)),
        archive: spoilers.in_address(archive_of(&[("player", &first), ("against", &second)])),
        prepare: with_parameters(prepare_address(&second), [("you", name.as_str())]),
        swapped: spoilers.in_address(head_to_head_address(&second, &first)),
        otherwise: spoilers.other().in_address(head_to_head_address(&first, &second)),
        spoilers,
    })
}
