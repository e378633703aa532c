//! Matches planned for later. They are outside the log until one is opened. The dashboard lists the same plans, and
//! fills its form from them.

use std::sync::Arc;

use app::new_match::MatchFields;
use app::umpires::Planned;
use app::{Act, App};
use axum::extract::{FromRequestParts, Path};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use chrono::{DurationRound, SecondsFormat, TimeDelta};
use serde::{Deserialize, Serialize};
use store::SubmitId;
use utoipa::ToSchema;

use super::answer::{at, json};
use super::caller::Umpire;
use super::idempotency::Key;
use super::instant::Instant;
use super::opening::{created, wrong_fields};
use super::request::Body;
use super::shapes::MatchStatus;
use web_http::Problem;

/// A match to announce.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewPlan {
    /// When it is to begin. Plans are to the minute: seconds are left out.
    starts_at: Instant,
    /// The match, as it is to be opened.
    #[serde(rename = "match")]
    new: MatchFields,
}

/// A match that is planned.
#[derive(Serialize, ToSchema)]
#[schema(as = Plan)]
struct PlanJson {
    /// Its name: 32 hex digits.
    #[schema(example = "0f1e2d3c4b5a69788796a5b4c3d2e1f0")]
    id: String,
    starts_at: String,
    /// Whose plan it is, by pseudonym.
    #[schema(example = "3f9a1c0b7d2e")]
    umpire: String,
    /// The match, as it is to be opened.
    #[serde(rename = "match")]
    new: MatchFields,
}

/// What is planned, the next one first.
#[derive(Serialize, ToSchema)]
struct PlanList {
    plans: Vec<PlanJson>,
}

impl From<Planned> for PlanJson {
    fn from(planned: Planned) -> Self {
        let fields: Vec<(String, String)> = serde_json::from_str(&planned.fields).unwrap_or_default();
        Self {
            id: planned.name(),
            starts_at: planned.starts_at.to_rfc3339_opts(SecondsFormat::Secs, true),
            umpire: planned.umpire,
            new: MatchFields::of_form(&fields).0,
        }
    }
}

fn gone() -> Problem {
    Problem::not_found("There is no such plan. It may have been opened or dropped meanwhile.")
}

fn named(id: &str) -> Result<SubmitId, Problem> {
    id.parse().map_err(|_| gone())
}

async fn own(umpire: &Umpire, form: SubmitId) -> Result<Planned, Problem> {
    umpire.app.umpires.own_plan(&umpire.account, form).await?.ok_or_else(gone)
}

/// The request of an umpire about a plan of theirs. Anybody else but an admin is refused before the body is read.
pub(super) struct PlanRequest {
    umpire: Umpire,
    form: SubmitId,
    planned: Planned,
}

impl FromRequestParts<Arc<App>> for PlanRequest {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Response> {
        let umpire = Umpire::from_request_parts(parts, app).await.map_err(IntoResponse::into_response)?;
        let Path(id) = Path::<String>::from_request_parts(parts, app).await.map_err(IntoResponse::into_response)?;
        let form = named(&id).map_err(IntoResponse::into_response)?;
        let planned = own(&umpire, form).await.map_err(IntoResponse::into_response)?;
        Ok(Self { umpire, form, planned })
    }
}

async fn keep(umpire: &Umpire, form: SubmitId, plan: NewPlan) -> Result<PlanJson, Problem> {
    let app = &umpire.app;
    let starts_at = plan.starts_at.read("starts_at")?;
    let starts_at = starts_at.to_utc().duration_trunc(TimeDelta::minutes(1)).unwrap_or(starts_at.to_utc());
    if plan.new.practice {
        let why = "Practice is not announced. Open it when it begins, or plan a match of the record.";
        return Err(Problem::refused(why));
    }
    // A match that could not be opened is not announced either.
    plan.new.parse(app.public_log.network().hash).map_err(wrong_fields)?;
    let mut fields = plan.new.to_form();
    fields.push(("begins".to_owned(), starts_at.format("%Y-%m-%dT%H:%M").to_string()));
    app.umpires.plan(&umpire.account, form, starts_at, &fields).await?;
    Ok(own(umpire, form).await?.into())
}

/// The matches that are planned, the next one first
#[utoipa::path(get, path = "/api/v1/plans", tag = "umpire", operation_id = "listPlans",
    responses((status = 200, description = "Those that were neither opened nor dropped: 50 at most.", body = PlanList)))]
pub(super) async fn list(Umpire { app, .. }: Umpire) -> Result<Response, Problem> {
    json(StatusCode::OK, &PlanList { plans: app.umpires.planned().await?.into_iter().map(Into::into).collect() })
}

/// Plan a match
#[utoipa::path(post, path = "/api/v1/plans", tag = "umpire", operation_id = "planMatch", request_body = NewPlan,
    responses((status = 201, description = "It is announced. `Location` says where the plan is.", body = PlanJson)))]
pub(super) async fn make(umpire: Umpire, key: Key, Body(plan): Body<NewPlan>) -> Result<Response, Problem> {
    let plan = keep(&umpire, umpire.act(&key).form, plan).await?;
    Ok(at(json(StatusCode::CREATED, &plan)?, &format!("/api/v1/plans/{}", plan.id)))
}

/// A plan
#[utoipa::path(get, path = "/api/v1/plans/{id}", tag = "umpire", operation_id = "readPlan",
    responses((status = 200, description = "As it is announced.", body = PlanJson)))]
pub(super) async fn show(Umpire { app, .. }: Umpire, Path(id): Path<String>) -> Result<Response, Problem> {
    json(StatusCode::OK, &PlanJson::from(app.umpires.find_plan(named(&id)?).await?.ok_or_else(gone)?))
}

/// Change a plan
///
/// Only its umpire does, or an admin; the same holds for dropping and opening it.
#[utoipa::path(post, path = "/api/v1/plans/{id}", tag = "umpire", operation_id = "changePlan", request_body = NewPlan,
    responses((status = 200, description = "As it is announced now.", body = PlanJson)))]
pub(super) async fn change(request: PlanRequest, _: Key, Body(plan): Body<NewPlan>) -> Result<Response, Problem> {
    json(StatusCode::OK, &keep(&request.umpire, request.form, plan).await?)
}

/// Drop a plan
#[utoipa::path(delete, path = "/api/v1/plans/{id}", tag = "umpire", operation_id = "dropPlan",
    responses((status = 204, description = "It is announced no longer; nor was it, if there was none.")))]
pub(super) async fn forget(Umpire { app, account }: Umpire, Path(id): Path<String>) -> Result<Response, Problem> {
    app.umpires.drop_plan(&account, named(&id)?).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Open a match as it was planned
#[utoipa::path(post, path = "/api/v1/plans/{id}/open", tag = "umpire", operation_id = "openPlan",
    responses((status = 201, description = "It is open, and announced no longer. `Location` says where it is.", body = MatchStatus)))]
pub(super) async fn open(PlanRequest { umpire, form, planned }: PlanRequest, _: Key) -> Result<Response, Problem> {
    // The plan itself is the act: asked for at once with many keys, it opens one match.
    created(&umpire.app, &Act { by: umpire.by(), form }, PlanJson::from(planned).new, Some(form)).await
}
