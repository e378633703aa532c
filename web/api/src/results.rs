//! Matches that are known by their result alone: told and read. The list of matches has them all, with the check `result`.

use app::comments::Recording;
use app::known_results::{KnownResult, KnownResultAct, ResultFields, TOLD_MAX};
use app::slug;
use app::views::match_address;
use axum::http::StatusCode;
use axum::response::Response;
use ledger::{Hash, MatchId};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answer::{at, json};
use super::caller::Umpire;
use super::idempotency::Key;
use super::read_request::ReadRequest;
use super::request::Body;
use web_http::{Problem, Segments};

/// Some of them.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NewResults {
    /// All are entered, or none.
    #[schema(min_items = 1, max_items = 500)]
    results: Vec<ResultFields>,
    /// Enter them although a match of the same two with the same game, date and event is in the archive; else that is refused.
    #[serde(default)]
    again: bool,
}

/// The short names of the matches that were entered.
#[derive(Serialize, ToSchema)]
struct ToldResults {
    /// In the order in which they were sent.
    matches: Vec<String>,
}

/// What somebody said of a match, and what became of it.
#[derive(Serialize, ToSchema)]
struct ToldResult {
    told: KnownResult,
    /// Its recordings.
    recordings: Vec<String>,
    /// Who told and corrected it, and when; oldest first.
    acts: Vec<KnownResultAct>,
}

/// Enter matches that are known by their result
#[utoipa::path(post, path = "/api/v1/results", tag = "umpire", operation_id = "tellResults", request_body = NewResults,
    responses((status = 201, description = "All are entered. `Location` says where the first is.", body = ToldResults)))]
pub(super) async fn tell(umpire: Umpire, key: Key, Body(new): Body<NewResults>) -> Result<Response, Problem> {
    let (results, now, form) = (&umpire.app.known_results, umpire.app.system().now(), umpire.act(&key).form);
    if new.results.is_empty() || new.results.len() > TOLD_MAX {
        return Err(Problem::refused(format!("results: Send at least one, and at most {TOLD_MAX} at once.")));
    }
    let mut all = Vec::with_capacity(new.results.len());
    for (n, fields) in new.results.iter().enumerate() {
        let checked = fields.check(now).map_err(|errors| {
            let named = errors.into_iter().map(|(field, why)| format!("results.{n}.{field}: {why}"));
            Problem::refused(named.collect::<Vec<_>>().join(" "))
        })?;
        let there = if new.again { None } else { results.find_duplicate(&checked).await? };
        if let Some(there) = there.filter(|there| *there != results.nth_told(&umpire.account, form, n)) {
            let there = match_address(there);
            return Err(Problem::conflict(format!(
                "results.{n}: A match of these two with this game, date and event is in the archive already, at {there}. To \
                 enter it a second time, say \"again\": true."
            )));
        }
        all.push(checked);
    }
    let matches: Vec<String> = results.tell(&umpire.account, form, &all).await?.into_iter().map(slug).collect();
    let first = matches.first().map(|first| format!("/api/v1/results/{first}")).unwrap_or_default();
    Ok(at(json(StatusCode::CREATED, &ToldResults { matches })?, &first))
}

/// A match that is known by its result
#[utoipa::path(get, path = "/api/v1/results/{slug}", tag = "reading", operation_id = "readResult",
    responses((status = 200, description = "What somebody said of it.", body = ToldResult)))]
pub(super) async fn one(request: ReadRequest, Segments(name): Segments<String>) -> Result<Response, Problem> {
    let app = &request.app;
    let told = app.known_results.find_present(&name).await?;
    let acts = app.known_results.acts(&told).await?;
    let recordings = app.comments.recordings(MatchId(told.match_id)).await?;
    let recordings = recordings.into_iter().map(|Recording { address, .. }| address).collect();
    request.json(Hash::ZERO, &ToldResult { told, recordings, acts })
}
