//! The tournaments, by name.

use std::sync::Arc;

use app::App;
use app::archive::ListedEvent;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;
use record::name_key;
use serde::Deserialize;

use crate::http::{Problem, Spoilers};
use crate::page::{Frame, When, event_address, page};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "events/list.html")]
struct List {
    frame: Frame,
    events: Vec<EventRow>,
    earlier: Option<String>,
    later: Option<String>,
    spoilers: Spoilers,
}

struct EventRow {
    address: String,
    name: String,
    matches: String,
    first: When,
    last: When,
}

/// The parameters of the address.
#[derive(Debug, Default, Deserialize)]
pub(super) struct EventsQuery {
    /// The name after which the page begins.
    after: Option<String>,
    /// The name before which it ends.
    before: Option<String>,
}

/// `GET /events`
pub(super) async fn list(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(query): Query<EventsQuery>,
    spoilers: Spoilers,
) -> Result<Response, Problem> {
    // The database refuses U+0000, and no name has it.
    let clean = |text: &str| name_key(&text.replace('\0', ""));
    let (after, before) = (query.after.as_deref().map(clean), query.before.as_deref().map(clean));
    let (events, more) = app.archive.events(after.as_deref(), before.as_deref()).await?;
    let way = |word: &str, key: &str| match askama::filters::urlencode_strict(key) {
        Ok(key) => spoilers.in_address(format!("/events?{word}={key}")),
        Err(never) => match never {},
    };
    let (has_earlier, has_later) = if before.is_some() { (more, true) } else { (after.is_some(), more) };
    let frame = Frame::titled("Events").in_section("archive").described("The tournaments whose matches are recorded.");
    page(&List {
        frame: Frame { umpire: visitor.name(), ..frame },
        earlier: events.first().filter(|_| has_earlier).map(|first| way("before", &first.key)),
        later: events.last().filter(|_| has_later).map(|last| way("after", &last.key)),
        events: events.into_iter().map(|event| EventRow::of(event, spoilers)).collect(),
        spoilers,
    })
}

impl EventRow {
    fn of(event: ListedEvent, spoilers: Spoilers) -> Self {
        Self {
            address: spoilers.in_address(event_address(&event.key)),
            matches: event.matches.figure(),
            first: When::day(event.first),
            last: When::day(event.last),
            name: event.name,
        }
    }
}
