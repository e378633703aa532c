//! The live page: the newest moment, which scripts keep up to date.

use std::sync::Arc;

use app::App;
use app::obstacle::Obstacle;
use app::views::{match_address, rules_address};
use askama::Template;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::Response;

use super::event_view;
use super::state_view::{StateView, live_address, title};
use page::{Frame, page};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments, site};

#[derive(Template)]
#[template(path = "live/live_page.html")]
struct LivePage {
    frame: Frame,
    obstacle: Option<Obstacle>,
    title: String,
    game: String,
    rules: String,
    address: String,
    site: String,
    live: String,
    events: String,
    entry: u32,
    over: bool,
    /// The server's clock in milliseconds, for the script.
    time: i64,
    now: StateView,
}

pub(super) async fn page_of(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments(slug): Segments<String>,
    request: HeaderMap,
) -> Result<Response, Problem> {
    let match_id = app.matches.match_of(&slug).await?;
    let history = app.matches.history(match_id).await?;
    let (address, now) = (match_address(match_id), app.system().now());
    let title = title(&history);
    let frame = Frame::titled(format!("Live: {title}")).about(history.match_id).in_section("archive");
    let frame = frame.described(format!("{title}, as it is played: the state, the clock, and what happened last."));
    let shown = LivePage {
        frame: Frame { umpire: visitor.name(), ..frame },
        obstacle: app.obstacle().filter(|_| !history.is_ended()),
        site: site(&request),
        live: live_address(&history),
        events: format!("{address}/events"),
        entry: event_view::last(&history).0,
        over: history.is_ended(),
        time: now.micros() / 1000,
        now: StateView::of(&history, now),
        game: history.ruleset().card().title.to_string(),
        rules: rules_address(&history),
        title,
        address,
    };
    let mut response = page(&shown)?;
    // When a reader comes back from another page, the browser must not show an old state as the newest.
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    Ok(response)
}
