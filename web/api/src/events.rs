//! Tournaments for programs: the list, and the standings of their players.

use app::archive::{EventRow, EventRuleset, Filter, KeyRange, MatchSummary, Standing};
use app::event_sheets::SavedSheet;
use axum::response::Response;
use ledger::Hash;
use record::name_key;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::players::name_in;
use super::read_request::ReadRequest;
use super::request::Parameters;
use web_http::{Problem, Segments};

/// Which tournaments.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct EventsQuery {
    /// What an answer named as `next`: the page after it.
    #[param(max_length = 200)]
    after: Option<String>,
}

/// A page of the tournaments.
#[derive(Serialize, ToSchema)]
struct EventList {
    /// By name, 50 at most.
    events: Vec<EventRow>,
    /// The `after` of the next page; null on the last.
    next: Option<String>,
}

/// A tournament with what its matches say of it.
#[derive(Serialize, ToSchema)]
struct Event {
    /// What its matches say of it; null while no match of it was recorded.
    event: Option<EventRow>,
    /// What its host tells of it, outside the record; null where nobody has.
    sheet: Option<SavedSheet>,
    /// Its rulesets, the one with the most matches first.
    rulesets: Vec<EventRuleset>,
    /// Its players by matches won, then by matches lost, 200 at most.
    standings: Vec<Standing>,
    /// Its newest matches, 50 at most.
    matches: Vec<MatchSummary>,
    /// The `after` of the page of `/api/v1/matches?event=` that follows; null where these are all.
    next: Option<String>,
}

/// The tournaments, by name
#[utoipa::path(get, path = "/api/v1/events", tag = "reading", operation_id = "listEvents", params(EventsQuery),
    responses((status = 200, description = "A page of them.", body = EventList)))]
pub(super) async fn list(
    request: ReadRequest,
    Parameters(which): Parameters<EventsQuery>,
) -> Result<Response, Problem> {
    let after = which.after.map(|after| name_in("after", &after)).transpose()?;
    let range = KeyRange { after: after.as_deref(), ..KeyRange::default() };
    let (events, more) = request.app.archive().events(&range).await?;
    let next = events.last().filter(|_| more).map(|last| last.key.clone());
    request.json(Hash::ZERO, &EventList { events, next })
}

/// A tournament: its players' standings, its rulesets, its matches
#[utoipa::path(get, path = "/api/v1/events/{name}", tag = "reading", operation_id = "readEvent",
    params(("name" = String, Path, description = "The name, in any case and with or without accents.", min_length = 1, max_length = 200, example = "cup")),
    responses((status = 200, description = "What the archive has of it.", body = Event)))]
pub(super) async fn one(request: ReadRequest, Segments(name): Segments<String>) -> Result<Response, Problem> {
    let nothing =
        || Problem::not_found("Nobody announced or recorded an event like this. The name may have been withdrawn.");
    if name.contains('\0') {
        return Err(nothing());
    }
    let key = name_key(&name);
    let archive = &request.app.archive();
    let found = archive.event(&key).await?;
    let sheet = request.app.event_sheets.find(&key).await?;
    if found.is_none() && sheet.is_none() {
        return Err(nothing());
    }
    let (event, rulesets, standings) = match found {
        Some(found) => (Some(found.event), found.rulesets, found.standings),
        None => (None, Vec::new(), Vec::new()),
    };
    let matches = archive.list(&Filter { event: Some(key), ..Filter::default() }, None).await?;
    let whole = Event {
        event,
        sheet,
        rulesets,
        standings,
        matches: matches.matches,
        next: matches.older.map(|place| place.to_string()),
    };
    request.json(Hash::ZERO, &whole)
}
