//! Tournaments for programs: the list, and the standings of their players.

use app::archive::{EventSummary, Filter, Standing};
use axum::response::Response;
use ledger::Hash;
use record::name_key;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::list::MatchRow;
use super::players::name_in;
use super::read_request::ReadRequest;
use super::request::Parameters;
use super::shapes::{CountJson, time};
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
    events: Vec<EventJson>,
    /// The `after` of the next page; null on the last.
    next: Option<String>,
}

/// A tournament.
#[derive(Serialize, ToSchema)]
#[schema(as = ListedEvent)]
struct EventJson {
    /// The name as it is compared: without case and accents. It names the tournament in addresses.
    #[schema(example = "paper crown 2023")]
    key: String,
    /// The name as it was written last.
    #[schema(example = "Paper Crown 2023")]
    name: String,
    matches: CountJson,
    /// When the first of them was played.
    first: String,
    /// When the last of them was played.
    last: String,
}

/// A tournament with what its matches say of it.
#[derive(Serialize, ToSchema)]
struct Event {
    event: EventJson,
    /// Its rulesets, the one with the most matches first.
    rulesets: Vec<EventRuleset>,
    /// Its players by matches won, then by matches lost, 200 at most.
    standings: Vec<StandingJson>,
    /// Its newest matches, 50 at most.
    matches: Vec<MatchRow>,
    /// The `after` of the page of `/api/v1/matches?event=` that follows; null where these are all.
    next: Option<String>,
}

/// Matches of a tournament by one ruleset.
#[derive(Serialize, ToSchema)]
struct EventRuleset {
    #[schema(example = "five-card-trick/dm-colosseum-2")]
    ruleset: String,
    matches: i64,
}

/// How a player stands.
#[derive(Serialize, ToSchema)]
#[schema(as = Standing)]
struct StandingJson {
    /// From 1; shared by those who won and lost equally many.
    #[schema(example = 1)]
    place: usize,
    /// The name as it is compared.
    key: String,
    /// The name as it was written there.
    name: String,
    won: i64,
    lost: i64,
    /// Without a winner. Void matches are left out of the standings.
    other: i64,
    /// Not ended.
    running: i64,
}

impl From<EventSummary> for EventJson {
    fn from(event: EventSummary) -> Self {
        let (first, last) = (time(event.first), time(event.last));
        Self { key: event.key, name: event.name, matches: event.matches.into(), first, last }
    }
}

impl From<Standing> for StandingJson {
    fn from(standing: Standing) -> Self {
        let Standing { place, key, name, won, lost, other, running } = standing;
        Self { place, key, name, won, lost, other, running }
    }
}

/// The tournaments, by name
#[utoipa::path(get, path = "/api/v1/events", tag = "reading", operation_id = "listEvents", params(EventsQuery),
    responses((status = 200, description = "A page of them.", body = EventList)))]
pub(super) async fn list(
    request: ReadRequest,
    Parameters(which): Parameters<EventsQuery>,
) -> Result<Response, Problem> {
    let after = which.after.map(|after| name_in("after", &after)).transpose()?;
    let (events, more) = request.app.archive().events(after.as_deref(), None).await?;
    let next = events.last().filter(|_| more).map(|last| last.key.clone());
    let page = EventList { events: events.into_iter().map(EventJson::from).collect(), next };
    request.json(Hash::ZERO, &page)
}

/// A tournament: its players' standings, its rulesets, its matches
#[utoipa::path(get, path = "/api/v1/events/{name}", tag = "reading", operation_id = "readEvent",
    params(("name" = String, Path, description = "The name, in any case and with or without accents.", min_length = 1, max_length = 200, example = "cup")),
    responses((status = 200, description = "What the archive has of it.", body = Event)))]
pub(super) async fn one(request: ReadRequest, Segments(name): Segments<String>) -> Result<Response, Problem> {
    let nothing =
        || Problem::not_found("No recorded match names an event like this. The name may have been withdrawn.");
    if name.contains('\0') {
        return Err(nothing());
    }
    let key = name_key(&name);
    let archive = &request.app.archive();
    let found = archive.event(&key).await?.ok_or_else(nothing)?;
    let matches = archive.list(&Filter { event: Some(key), ..Filter::default() }, None).await?;
    let whole = Event {
        event: found.event.into(),
        rulesets: found.rulesets.into_iter().map(|(ruleset, matches)| EventRuleset { ruleset, matches }).collect(),
        standings: found.standings.into_iter().map(StandingJson::from).collect(),
        matches: matches.matches.into_iter().map(MatchRow::from).collect(),
        next: matches.older.map(|place| place.to_string()),
    };
    request.json(Hash::ZERO, &whole)
}
