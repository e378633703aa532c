//! Statistics of a ruleset's finished matches. Every figure names its number of cases, and every rate its 95 %
//! interval; with fewer than ten cases there is no rate.

mod answers;
mod bars;
mod explore;
mod fates;
mod list;
mod matches;
mod matrix;
mod pair_row;
mod question_table;
mod ruleset;
mod sparkline;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::routing::get;

use web_http::Problem;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/statistics", get(list::list))
        .route("/statistics/{game}/{ruleset}", get(ruleset::ruleset))
        .route("/statistics/{game}/{ruleset}/matches", get(matches::matches))
        .route("/statistics/{game}/{ruleset}/explore", get(explore::explore))
        .route("/statistics/{game}/{ruleset}/explore/matches", get(explore::explore_matches))
}

fn find_ruleset(game: &str, ruleset: &str) -> Result<&'static dyn engine::Ruleset, Problem> {
    engine::ruleset(&format!("{game}/{ruleset}"))
        .map_err(|_| Problem::not_found("There is no ruleset of this name.").back("/statistics", "See every ruleset"))
}
