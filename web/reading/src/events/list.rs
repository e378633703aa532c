//! The tournaments, by name.

use std::sync::Arc;

use app::App;
use app::archive::EventRow;
use app::event_sheets::SavedSheet;
use askama::Template;
use axum::extract::{Query, State};
use axum::response::Response;

use page::{Cover, Frame, NamePage, When, event_address, page, with_parameters};
use web_http::visitor::Visitor;
use web_http::{Problem, Spoilers};

#[derive(Template)]
#[template(path = "events/list.html")]
struct List {
    frame: Frame,
    events: Vec<EventRow>,
    sheets: Vec<SavedSheet>,
    /// Events without a match, the last changed first.
    announced: Vec<SavedSheet>,
    earlier: Option<String>,
    later: Option<String>,
    spoilers: Spoilers,
}

impl List {
    fn address(&self, event: &EventRow) -> String {
        self.spoilers.in_address(event_address(&event.key))
    }

    fn announced_address(&self, saved: &SavedSheet) -> String {
        self.spoilers.in_address(event_address(&saved.key))
    }

    /// The winner by the host's word.
    fn winner(&self, event: &EventRow) -> Option<(Cover, &str)> {
        let sheet = self.sheets.iter().find(|saved| saved.key == event.key && !self.spoilers.hidden())?;
        sheet.sheet.winner.as_deref().map(|winner| (Cover::of(winner), winner))
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
    let keys: Vec<String> = events.iter().map(|event| event.key.clone()).collect();
    let sheets = app.event_sheets.of_all(&keys).await?;
    let is_first = name_page.is_first();
    let announced = if is_first { app.event_sheets.announced().await? } else { Vec::new() };
    let names: Vec<&str> = events.iter().map(|event| event.key.as_str()).collect();
    let [earlier, later] = name_page
        .neighbours(&names, more, |bound, name| spoilers.in_address(with_parameters("/events", [(bound, name)])));
    let frame = Frame::titled("Events").in_section("events").described("The tournaments whose matches are recorded.");
    let frame = Frame { umpire: visitor.name(), ..frame };
    page(&List { frame, announced, sheets, earlier, later, events, spoilers })
}
