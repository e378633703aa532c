//! The tournaments, by name.

use std::sync::Arc;

use app::App;
use app::archive::EventRow;
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

impl List {
    fn address(&self, event: &EventRow) -> String {
        self.spoilers.in_address(event_address(&event.key))
    }

    fn first(&self, event: &EventRow) -> When {
        When::day(event.first)
    }

    fn last(&self, event: &EventRow) -> Option<When> {
        (event.last.date_naive() != event.first.date_naive()).then(|| When::day(event.last))
    }
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(name_page): Query<NamePage>,
    spoilers: Spoilers,
) -> Result<Response, Problem> {
    let name_page = name_page.folded();
    let (events, more) = app.archive().events(&name_page.range("")).await?;
    let names: Vec<&str> = events.iter().map(|event| event.key.as_str()).collect();
    let [earlier, later] = name_page
        .neighbours(&names, more, |bound, name| spoilers.in_address(with_parameters("/events", [(bound, name)])));
    let frame = Frame::titled("Events").in_section("events").described("The tournaments whose matches are recorded.");
    page(&List { frame: Frame { umpire: visitor.name(), ..frame }, earlier, later, events, spoilers })
}
