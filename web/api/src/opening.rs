//! Opening a match, and entering an imported one.

use app::imports::invalid;
use app::new_match::{FieldErrors, MatchFields};
use app::text::{Purpose, RulingText, TextError};
use app::views::match_address;
use app::{Act, App, Scope, slug};
use axum::http::StatusCode;
use axum::response::Response;
use record::words::sentence;
use record::write::Import;
use serde::Deserialize;
use store::SubmitId;
use utoipa::ToSchema;

use super::answer::{at, json};
use super::caller::Umpire;
use super::idempotency::{Key, OpenedMatch};
use super::request::Body;
use super::shapes::MatchStatus;
use web_http::{ErrorKind, Problem};

/// The errors of a match, each with the place that it is about.
pub(super) fn wrong_fields(errors: FieldErrors) -> Problem {
    let named = errors.into_iter().map(|(field, error)| match field {
        "p1" | "p2" => format!("players.{field}: {error}"),
        field => format!("{field}: {error}"),
    });
    Problem::refused(named.collect::<Vec<_>>().join(" "))
}

/// Open a match
#[utoipa::path(post, path = "/api/v1/matches", tag = "umpire", operation_id = "openMatch", request_body = MatchFields,
    responses((status = 201, description = "It is open. `Location` says where it is.", body = MatchStatus)))]
pub(super) async fn open(umpire: Umpire, key: Key, Body(new): Body<MatchFields>) -> Result<Response, Problem> {
    created(&umpire.app, &umpire.act(&key), new, None).await
}

pub(super) async fn created(
    app: &App,
    act: &Act,
    new: MatchFields,
    plan: Option<SubmitId>,
) -> Result<Response, Problem> {
    let scope = if new.practice { Scope::Practice } else { Scope::Record };
    let new = new.parse(app.public_log.network().hash).map_err(wrong_fields)?;
    let match_id = app.commands.open_match(scope, act, &new).await.map_err(refused)?;
    if let Some(plan) = plan {
        app.umpires.plan_opened(plan, match_id).await?;
    }
    opened_answer(app, match_id).await
}

/// A match of the past.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PastMatch {
    /// The match in Death Match Notation.
    #[schema(min_length = 1, max_length = 200000)]
    dmn: String,
    /// Where it comes from: everybody reads it.
    #[schema(min_length = 1, max_length = 1000, pattern = "\\S", example = "the results thread of 2019, post 14")]
    source: String,
    /// Enter it although a match of the same players with the same steps, whose date and event do not contradict it, is in
    /// the record already; else that is refused.
    #[serde(default)]
    again: bool,
}

/// Enter a match of the past
#[utoipa::path(post, path = "/api/v1/matches/import", tag = "umpire", operation_id = "importMatch", request_body = PastMatch,
    responses((status = 201, description = "It is entered. `Location` says where it is.", body = MatchStatus)))]
pub(super) async fn import(umpire: Umpire, key: Key, Body(past): Body<PastMatch>) -> Result<Response, Problem> {
    let source = RulingText::required(Purpose::Source, &past.source).map_err(|error| match error {
        TextError::TooLong(long) => Problem::refused(format!("source: {long}")),
        missing => missing.into(),
    })?;
    let source = source.as_str();
    let import = Import::read(&past.dmn).map_err(|errors| {
        let texts: Vec<String> = errors.iter().take(5).map(ToString::to_string).collect();
        Problem::refused(sentence(&texts.join("; ")))
    })?;
    let app = &umpire.app;
    if let Some(why) = invalid(&import, app.system().now()) {
        return Err(Problem::refused(why));
    }
    let act = umpire.act(&key);
    let turn = app.imports.turn().await?;
    if !past.again && !app.imports.has_entered(&act, &import, Some(source)).await? {
        let there = app.imports.find_duplicate(&import, app.imports.import_id(&act)).await?;
        if let Some(there) = there {
            let there = match_address(there);
            return Err(Problem::conflict(format!(
                "The same match is in the record already, at {there}. To enter it a second time, say \"again\": true."
            )));
        }
    }
    let match_id = app.imports.import(&act, &import, Some(source)).await.map_err(refused)?;
    drop(turn);
    opened_answer(app, match_id).await
}

fn refused(error: app::AppError) -> Problem {
    let problem = Problem::from(error);
    match problem.kind {
        ErrorKind::Refused => Problem { detail: sentence(&problem.detail), ..problem },
        _ => problem,
    }
}

async fn opened_answer(app: &App, match_id: ledger::MatchId) -> Result<Response, Problem> {
    let history = app.matches.history(match_id).await?;
    let mut response = json(StatusCode::CREATED, &MatchStatus::of(&history))?;
    response.extensions_mut().insert(OpenedMatch(match_id));
    Ok(at(response, &format!("/api/v1/matches/{}", slug(match_id))))
}
