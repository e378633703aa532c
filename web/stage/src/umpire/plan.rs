//! A match announced for later: the dashboard's form, stored until an umpire opens the match with it.

use std::sync::Arc;

use app::App;
use app::umpires::Planned;
use app::views::ruleset_name;
use axum::extract::State;
use axum::response::{IntoResponse, Redirect, Response};
use chrono::{DateTime, NaiveDateTime, Utc};
use store::SubmitId;

use super::form_data::FormData;
use page::When;
use web_http::Problem;
use web_http::visitor::SignedIn;

#[derive(Debug)]
pub(super) struct PlannedMatch {
    pub(super) name: String,
    pub(super) bout: String,
    pub(super) when: When,
    pub(super) ruleset: String,
    pub(super) umpire: String,
}

impl PlannedMatch {
    pub(super) fn of(planned: &Planned, umpire: String) -> Self {
        Self {
            name: planned.name(),
            bout: format!("{} – {}", planned.p1, planned.p2),
            when: When::utc_minute(planned.starts_at),
            ruleset: ruleset_name(&planned.ruleset),
            umpire,
        }
    }
}

pub(super) fn start_time(sent: &FormData) -> Result<DateTime<Utc>, &'static str> {
    let text = sent.text("begins").replace(' ', "T");
    let forms = ["%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"];
    let at = forms.into_iter().find_map(|form| NaiveDateTime::parse_from_str(&text, form).ok());
    at.map(|at| at.and_utc()).ok_or("Enter the day and time of the start.")
}

pub(super) async fn find(app: &App, name: &str) -> Result<Option<Planned>, Problem> {
    match name.parse() {
        Ok(form) => Ok(app.umpires.find_plan(form).await?),
        Err(_) => Ok(None),
    }
}

pub(super) fn form_fields(planned: &Planned) -> FormData {
    let mut fields: Vec<(String, String)> = serde_json::from_str(&planned.fields).unwrap_or_default();
    fields.push(("plan".to_owned(), planned.name()));
    FormData::of(fields)
}

pub(super) async fn store(
    app: &App,
    umpire: &SignedIn,
    form: SubmitId,
    sent: &FormData,
    begins_at: DateTime<Utc>,
) -> Result<Response, Problem> {
    // A changed plan keeps its name.
    let form = sent.text("plan").parse().unwrap_or(form);
    app.umpires.plan(&umpire.0, form, begins_at, &sent.all_but(&["form", "plan", "do"])).await?;
    Ok(Redirect::to("/umpire").into_response())
}

pub(super) async fn withdraw(
    State(app): State<Arc<App>>,
    umpire: SignedIn,
    sent: FormData,
) -> Result<Response, Problem> {
    let refused = || Problem::refused("There is no such plan. It may have been opened or dropped meanwhile.");
    let plan = sent.text("plan").parse::<SubmitId>().map_err(|_| refused())?;
    app.umpires.drop_plan(&umpire.0, plan).await?;
    Ok(Redirect::to("/umpire").into_response())
}
