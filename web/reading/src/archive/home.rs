//! The first page: the match of the week, which plays, running matches as tiles, announced ones, and the latest results.

use std::sync::Arc;

use app::archive::{Count, Filter, MatchSummary, ResultFilter};
use app::views::{ruleset_address, ruleset_name};
use app::{App, AppError};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use chrono::Days;
use record::name_key;

use super::featured::Featured;
use super::live_tile::LiveTile;
use page::{Frame, MatchList, When, page, player_address};
use web_http::visitor::Visitor;
use web_http::{Problem, Spoilers};

const LATEST: u8 = 8;
/// Running matches that are shown as tiles: the newest. The others are in a list.
const TILES_MAX: usize = 5;
const WEEK: Days = Days::new(7);

#[derive(Template)]
#[template(path = "archive/home.html")]
struct Home {
    frame: Frame,
    featured: Option<Featured>,
    live: Vec<LiveTile>,
    running: Option<MatchList>,
    running_total: usize,
    /// Where anybody plays both sides of a match: another course of one that is over.
    try_it: Option<String>,
    planned: Vec<PlannedRow>,
    latest: Option<MatchList>,
    example: Option<String>,
    total: Count,
    spoilers: Spoilers,
    otherwise: String,
}

struct PlannedRow {
    when: When,
    /// The players, with the pages of those who have one.
    players: [(String, Option<String>); 2],
    /// The address of the rules, and the game's name. A declared game has a page when a match of it was opened.
    ruleset: (Option<String>, String),
}

async fn planned(app: &App, spoilers: Spoilers) -> Result<Vec<PlannedRow>, Problem> {
    let plans = app.umpires.planned().await?;
    let keys: Vec<String> = plans.iter().flat_map(|plan| [&plan.p1, &plan.p2]).map(|name| name_key(name)).collect();
    let known = app.archive().known_players(&keys).await?;
    let player = |name: String| {
        let has_page = known.contains(&name_key(&name));
        let page = has_page.then(|| spoilers.in_address(player_address(&name)));
        (name, page)
    };
    let rows = plans.into_iter().map(|plan| PlannedRow {
        when: When::utc_minute(plan.starts_at),
        players: [plan.p1, plan.p2].map(player),
        ruleset: (
            engine::ruleset(&plan.ruleset).is_ok().then(|| ruleset_address(&plan.ruleset)),
            ruleset_name(&plan.ruleset),
        ),
    });
    Ok(rows.collect())
}

/// Running matches as tiles. One that cannot be read is left out; its page says why.
async fn tiles(app: &App, listed: &[MatchSummary]) -> Result<Vec<LiveTile>, Problem> {
    let (now, mut tiles) = (app.system().now(), Vec::new());
    for listed in listed {
        match app.matches.history_of(&listed.slug).await {
            Ok(history) => tiles.push(LiveTile::of(&history, now)),
            Err(error @ AppError::Store(_)) => return Err(error.into()),
            Err(_) => {}
        }
    }
    Ok(tiles)
}

/// The match of the week as a card. A match that cannot be read is left out; its page says why.
async fn featured(app: &App, spoilers: Spoilers) -> Result<Option<Featured>, Problem> {
    let now = app.system().now().to_utc();
    let Some(listed) = app.archive().most_dramatic(now.checked_sub_days(WEEK).unwrap_or(now)).await? else {
        return Ok(None);
    };
    let history = match app.matches.history_of(&listed.slug).await {
        Ok(history) => history,
        Err(error @ AppError::Store(_)) => return Err(error.into()),
        Err(_) => return Ok(None),
    };
    Ok(Featured::of(&history, &listed, spoilers))
}

pub(super) async fn home(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    spoilers: Spoilers,
) -> Result<Response, Problem> {
    let running = app.archive().list(&Filter::running(), None).await?;
    let ended = Filter { result: Some(ResultFilter::Ended), ..Filter::default() };
    let ended = app.archive().newest(&ended, LATEST).await?;
    let sealed = |listed: &&MatchSummary| !matches!(listed.mode.as_str(), "imported" | "result");
    let example = ended.iter().find(sealed).or(ended.iter().find(|listed| listed.mode != "result"));
    let example = example.map(|listed| format!("/m/{}", listed.slug));
    let listing = |caption: &str, matches: &[MatchSummary]| {
        (!matches.is_empty()).then(|| MatchList::of(caption, matches).with_hidden_caption().with_spoilers(spoilers))
    };
    let featured = featured(&app, spoilers).await?;
    let boards = if spoilers.hidden() { 0 } else { running.matches.len().min(TILES_MAX) };
    let (boards, others) = running.matches.split_at_checked(boards).unwrap_or_default();
    let latest = listing(if spoilers.hidden() { "The matches that ended last" } else { "The latest results" }, &ended);
    let lists_running = !others.is_empty();
    let frame = Frame::titled("The record of Death Matches")
        .described("Official Death Matches, replayed round by round. Anyone can check a match.");
    page(&Home {
        frame: Frame { umpire: visitor.name(), ..frame },
        try_it: featured.as_ref().filter(|_| !spoilers.hidden()).map(|featured| featured.try_it.clone()),
        featured,
        live: tiles(&app, boards).await?,
        running_total: running.matches.len(),
        running: listing(
            if boards.is_empty() { "Matches that are being played" } else { "More matches that are being played" },
            others,
        ),
        planned: planned(&app, spoilers).await?,
        latest: latest.map(|list| if lists_running { list.after_another() } else { list }),
        example,
        total: app.archive().count(&Filter::default()).await?,
        spoilers,
        otherwise: spoilers.other().in_address("/".to_owned()),
    })
}
