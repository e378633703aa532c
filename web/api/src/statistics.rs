//! The statistics of a ruleset's finished matches, for programs. Rates are left to the reader; the pages show none for
//! fewer than ten.

use app::statistics::{Phase, Statistics};
use axum::response::Response;
use ledger::Hash;
use serde::Deserialize;

use super::read_request::ReadRequest;
use super::request::{Parameters, malformed};
use super::rulesets::named;
use web_http::{Problem, Segments};

/// The number of pairs listed.
const PAIRS: i64 = 40;

/// When pairs met.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct PairFilter {
    /// Only pairs of some rounds (`rounds-1-5`, `rounds-6-10` and so on), or of one score (`ahead`, `level` and `behind`,
    /// as seat 1 stands). Nothing else is narrowed by it.
    #[param(pattern = "^(rounds-[0-9]{1,2}-[0-9]{1,2}|ahead|level|behind)$")]
    when: Option<String>,
}

/// What finished matches of a ruleset add up to
///
/// Counts alone, each beside what it was counted out of. A match that is ruled void, or runs, is not in them.
#[utoipa::path(get, path = "/api/v1/rulesets/{game}/{ruleset}/statistics", tag = "reading", operation_id = "readStatistics",
    params(PairFilter),
    responses((status = 200, description = "The counts.", body = Statistics)))]
pub(super) async fn show(
    request: ReadRequest,
    Segments((game, ruleset)): Segments<(String, String)>,
    Parameters(PairFilter { when }): Parameters<PairFilter>,
) -> Result<Response, Problem> {
    let id = named(&game, &ruleset)?.card().id;
    let phase = Phase::read(when.as_deref().unwrap_or_default())
        .ok_or_else(|| malformed("Pairs are counted by `when` as rounds-1-5 and so on, ahead, level and behind."))?;
    request.json(Hash::ZERO, &Statistics::of(request.app.archive(), id, phase, PAIRS).await?)
}
