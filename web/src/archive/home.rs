//! The first page: the match of the week, running matches as boards, announced ones, and the latest results.

use std::sync::Arc;

use app::archive::{Count, Filter, MatchSummary, ResultFilter};
use app::views::{match_address, ruleset_address, ruleset_name};
use app::{App, AppError};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use chrono::Days;
use ledger::MatchId;

use super::featured::Featured;
use crate::http::{Problem, Spoilers};
use crate::page::{Frame, MatchList, When, page};
use crate::visitor::Visitor;

/// Results on the first page.
const LATEST: u8 = 8;
/// Running matches that are shown as boards. With more, all of them are in a list.
const BOARDS_MAX: usize = 4;
/// The days of the match of the week.
const WEEK: Days = Days::new(7);

#[derive(Template)]
#[template(path = "archive/home.html")]
struct Home {
    frame: Frame,
    featured: Option<Featured>,
    /// Running matches as boards that follow.
    live: Vec<LiveBoard>,
    /// The same as a list, if they are many or their boards would tell how they go.
    running: Option<MatchList>,
    /// Announced matches: the time, the players, and the ruleset's address and id.
    planned: Vec<(When, String, String, String)>,
    latest: Option<MatchList>,
    /// A finished match to explore, with its check and its moments.
    example: Option<String>,
    total: Count,
    spoilers: Spoilers,
    /// The same page with the opposite setting for spoilers.
    otherwise: String,
}

/// The board of a running match.
struct LiveBoard {
    address: String,
    title: String,
    game: String,
    /// The last entry that it shows.
    entry: i32,
    at: When,
}

impl LiveBoard {
    fn of(listed: &MatchSummary) -> Self {
        Self {
            address: match_address(MatchId(listed.match_id)),
            title: format!("{} \u{2013} {}", listed.p1, listed.p2),
            game: ruleset_name(&listed.ruleset),
            entry: listed.head.saturating_sub(1),
            at: When::utc_minute(listed.changed_at),
        }
    }
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

/// `GET /`
pub(super) async fn home(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    spoilers: Spoilers,
) -> Result<Response, Problem> {
    let running = app.archive().list(&Filter::running(), None).await?;
    let ended = Filter { result: Some(ResultFilter::Ended), ..Filter::default() };
    let ended = app.archive().newest(&ended, LATEST).await?;
    let example = ended.iter().find(|listed| listed.mode != "imported").or(ended.first());
    let example = example.map(|listed| format!("/m/{}", listed.slug));
    let listing = |caption: &str, matches: &[MatchSummary]| {
        (!matches.is_empty()).then(|| MatchList::of(caption, matches).with_hidden_caption().with_spoilers(spoilers))
    };
    let as_boards = running.matches.len() <= BOARDS_MAX && !spoilers.hidden();
    let planned = app.umpires.planned().await?.into_iter().map(|plan| {
        let bout = format!("{} \u{2013} {}", plan.p1, plan.p2);
        (When::utc_minute(plan.starts_at), bout, ruleset_address(&plan.ruleset), ruleset_name(&plan.ruleset))
    });
    let latest = listing(if spoilers.hidden() { "The matches that ended last" } else { "The latest results" }, &ended);
    let lists_running = !as_boards && !running.matches.is_empty();
    let frame = Frame::titled("The record of Death Matches").described(
        "Official Death Matches, sealed before they are opened, replayed round by round, and open to anybody's check.",
    );
    page(&Home {
        frame: Frame { umpire: visitor.name(), ..frame },
        featured: featured(&app, spoilers).await?,
        live: if as_boards { running.matches.iter().map(LiveBoard::of).collect() } else { Vec::new() },
        running: listing("Matches that are being played", if as_boards { &[] } else { &running.matches }),
        planned: planned.collect(),
        latest: latest.map(|list| if lists_running { list.after_another() } else { list }),
        example,
        total: app.archive().count(&Filter::default()).await?,
        spoilers,
        otherwise: spoilers.other().in_address("/".to_owned()),
    })
}
