//! The archive: every match, filtered by the address.

use std::sync::Arc;

use app::App;
use app::archive::{At, Filter, Key};
use app::umpires::UmpireNames;
use app::views::ruleset_name;
use askama::Template;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::Response;
use record::words::{capital, ending_words};

use super::filter_form::{FilterForm, game_name};
use super::query::{ListQuery, address, address_at, page_address, read};
use super::similar_names::{SimilarNames, similar_names};
use super::wider_filters::wider_filters;
use crate::http::{Problem, Spoilers};
use crate::page::{Frame, MatchList, When, rendered};
use crate::visitor::Visitor;

#[derive(Template)]
#[template(path = "archive/list.html")]
struct List {
    frame: Frame,
    wrong: Vec<String>,
    form: FilterForm,
    /// The parts of the filter: the words, and the address without that part.
    parts: Vec<(String, String)>,
    /// Every match, in the same view.
    all: String,
    listing: MatchList,
    spoilers: Spoilers,
    /// The same page with the opposite setting for spoilers.
    otherwise: String,
    /// Wider filters, if this one finds nothing: the part to drop, the number of matches, the address.
    wider: Vec<(String, String, String)>,
    /// Similar names for those that nobody has.
    similar_names: Vec<SimilarNames>,
    pages: Vec<(&'static str, &'static str, String)>,
    /// The same matches as files: the label, and the address.
    files: Vec<(&'static str, String)>,
    feed: String,
}

/// `GET /archive`
pub(super) async fn list(
    State(app): State<Arc<App>>,
    visitor: Visitor,
    Query(parameters): Query<Vec<(String, String)>>,
) -> Result<Response, Problem> {
    let ListQuery { filter, at, spoilers, mut wrong, unknown, no_page } = read(&parameters);
    if no_page {
        return Err(Problem::refused("This address names a page of the list that does not exist.")
            .back(address(&filter, spoilers), "Go to the first page of the list"));
    }
    let status = if wrong.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    // Links pick up parameters of other sites on their way. They are reported, and change nothing.
    wrong.extend(unknown);
    let (found, total) = app.archive.counted_list(&filter, at.as_ref()).await?;
    let wider = if total.counted == 0 { wider_filters(&app, &filter, spoilers).await? } else { Vec::new() };
    let offered = app.archive.filter_choices().await?;
    let names = &offered.umpire_names;
    let similar_names = if total.counted == 0 { similar_names(&app, &filter, spoilers).await? } else { Vec::new() };
    let caption = match at {
        None if total.counted == 1 => total.to_string(),
        None => format!("{}, newest first", capital(&total.to_string())),
        Some(At::Last) => format!("{}, newest first; the oldest of them", capital(&total.to_string())),
        Some(_) => format!("{}, newest first; a part of them", capital(&total.to_string())),
    };
    let frame = Frame { umpire: visitor.name(), ..frame() };
    let page = |at: At| page_address(&filter, spoilers, Some(&at));
    let pages = [
        found.newer.map(|_| ("← Newest", "first", address(&filter, spoilers))),
        found.newer.map(|place| ("Newer", "prev", page(At::Before(place)))),
        found.older.map(|place| ("Older", "next", page(At::After(place)))),
        found.older.map(|_| ("Oldest →", "last", page(At::Last))),
    ];
    let files = ["csv", "ndjson", "dmn", "json"];
    let template = List {
        frame,
        wrong,
        parts: Key::ALL.into_iter().filter_map(|key| filter_part(key, &filter, spoilers, names)).collect(),
        all: address(&Filter::default(), spoilers),
        listing: MatchList::of(caption, &found.matches).with_spoilers(spoilers),
        spoilers,
        otherwise: page_address(&filter, spoilers.other(), at.as_ref()),
        wider,
        similar_names,
        pages: pages.into_iter().flatten().collect(),
        files: files.map(|kind| (kind, address_at(&format!("/archive.{kind}"), &filter, None))).into(),
        feed: spoilers.in_address(address_at("/feed.atom", &filter, None)),
        form: FilterForm::of(&offered, filter),
    };
    rendered(status, &template)
}

fn frame() -> Frame {
    Frame::titled("Archive")
        .in_section("archive")
        .described("Every recorded Death Match, by game, player, event, umpire, date, result and words; as files, too.")
}

fn filter_part(key: Key, filter: &Filter, spoilers: Spoilers, names: &UmpireNames) -> Option<(String, String)> {
    let value = key.value(filter)?;
    let words = match key {
        Key::Game => game_name(&value).to_owned(),
        Key::Ruleset => ruleset_name(&value),
        Key::From | Key::Until => When::written(&value).text,
        Key::Seat => filter.seat.map(|chair| chair.label().to_owned()).unwrap_or_default(),
        Key::Result => filter.result.map(|result| result.label().to_owned()).unwrap_or_default(),
        Key::Verdict => filter.verdict.map(|verdict| verdict.label().to_owned()).unwrap_or_default(),
        Key::Ending => ending_words(&value),
        Key::Umpire => names.said(&value),
        Key::Ruled => "at least one".to_owned(),
        _ => value,
    };
    Some((format!("{}: {words}", capital(key.label())), address(&key.removed(filter), spoilers)))
}
