//! The tournaments, by name.

use std::sync::Arc;

use app::App;
use app::archive::EventSummary;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;

use page::{Frame, NamePage, When, event_address, page, with_parameters};
use web_http::visitor::Visitor;
use web_http::{Problem, Spoilers};

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
    last: Option<When>,
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(name_page): Query<NamePage>,
    spoilers: Spoilers,
) -> Result<Response, Problem> {
    let name_page = name_page.folded();
    let (after, before) = name_page.bounds();
    let (events, more) = app.archive().events(after, before).await?;
    let names: Vec<&str> = events.iter().map(|event| event.key.as_str()).collect();
    let [earlier, later] = name_page
        .neighbours(&names, more, |bound, name| spoilers.in_address(with_parameters("/events", [(bound, name)])));
    let frame = Frame::titled("Events").in_section("events").described("The tournaments whose matches are recorded.");
    page(&List {
        frame: Frame { umpire: visitor.name(), ..frame },
        earlier,
        later,
        events: events.into_iter().map(|event| EventRow::of(event, spoilers)).collect(),
        spoilers,
    })
}

impl EventRow {
    fn of(event: EventSummary, spoilers: Spoilers) -> Self {
        Self {
            address: spoilers.in_address(event_address(&event.key)),
            matches: event.matches.figure(),
            first: When::day(event.first),
            last: (event.last.date_naive() != event.first.date_naive()).then(|| When::day(event.last)),
            name: event.name,
        }
    }
}
