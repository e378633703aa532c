//! The first page: an introduction, running matches, and the latest results.

use std::sync::Arc;

use app::App;
use app::archive::{Count, Filter, MatchSummary, ResultFilter};
use app::views::{ruleset_address, ruleset_name};
use askama::Template;
use axum::extract::State;
use axum::response::Response;

use crate::http::{Problem, Spoilers};
use crate::page::{Frame, MatchList, When, page};
use crate::visitor::Visitor;

/// Results on the first page.
const LATEST: u8 = 8;

#[derive(Template)]
#[template(path = "archive/home.html")]
struct Home {
    frame: Frame,
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

/// `GET /`
pub(super) async fn home(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    spoilers: Spoilers,
) -> Result<Response, Problem> {
    let running = app.archive.list(&Filter::running(), None).await?;
    let ended = Filter { result: Some(ResultFilter::Ended), ..Filter::default() };
    let ended = app.archive.newest(&ended, LATEST).await?;
    let example = ended.iter().find(|listed| listed.mode != "imported").or(ended.first());
    let example = example.map(|listed| format!("/m/{}", listed.slug));
    let listing = |caption: &str, matches: &[MatchSummary]| {
        (!matches.is_empty()).then(|| MatchList::of(caption, matches).with_hidden_caption().with_spoilers(spoilers))
    };
    let planned = app.umpires.planned().await?.into_iter().map(|plan| {
        let bout = format!("{} \u{2013} {}", plan.p1, plan.p2);
        (When::utc_minute(plan.starts_at), bout, ruleset_address(&plan.ruleset), ruleset_name(&plan.ruleset))
    });
    let frame = Frame::titled("The record of Death Matches").described(
        "Official Death Matches, sealed before they are opened, replayed round by round, and open to anybody's check.",
    );
    page(&Home {
        frame: Frame { umpire: visitor.name(), ..frame },
        running: listing("Matches that are being played", &running.matches),
        planned: planned.collect(),
        latest: listing(if spoilers.hidden() { "The matches that ended last" } else { "The latest results" }, &ended),
        example,
        total: app.archive.count(&Filter::default()).await?,
        spoilers,
        otherwise: spoilers.other().in_address("/".to_owned()),
    })
}
