//! Every change of an event's sheet: who, when, and which parts.

use std::sync::Arc;

use app::App;
use app::event_sheets::SheetChange;
use app::umpires::UmpireNames;
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use record::name_key;

use page::{Frame, When, event_address, page};
use web_http::visitor::Visitor;
use web_http::{Problem, Segments};

#[derive(Template)]
#[template(path = "events/changes.html")]
struct Changes {
    frame: Frame,
    name: String,
    address: String,
    changes: Vec<SheetChange>,
    names: Arc<UmpireNames>,
}

impl Changes {
    fn when(&self, change: &SheetChange) -> When {
        When::utc_minute(change.at)
    }

    fn by(&self, change: &SheetChange) -> String {
        self.names.said(&change.umpire)
    }
}

pub(super) async fn changes(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Segments(name): Segments<String>,
) -> Result<Response, Problem> {
    let nothing =
        || Problem::not_found("Nobody has changed a page of an event like this.").back("/events", "See every event");
    let key = if name.contains('\0') { String::new() } else { name_key(&name) };
    let saved = app.event_sheets.find(&key).await?.ok_or_else(nothing)?;
    page(&Changes {
        frame: Frame {
            umpire: visitor.name(),
            ..Frame::titled(format!("Changes of {}", saved.event)).in_section("events")
        },
        address: event_address(&key),
        changes: app.event_sheets.changes(&key).await?,
        names: app.umpires.names(),
        name: saved.event,
    })
}
