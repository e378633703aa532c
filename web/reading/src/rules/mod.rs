//! The rules in our own words: every ruleset, its numbered clauses, and its rulings.

mod declared;
mod glossary;
mod list;
mod ruleset;
mod ruleset_test_cases;
mod test_case_table;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::routing::get;

pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/rules", get(list::list))
        .route("/games", get(declared::list))
        .route("/games/{hash}", get(declared::game))
        .route("/glossary", get(glossary::glossary))
        .route("/rules/{game}", get(list::game))
        .route("/rules/{game}/{ruleset}", get(ruleset::text))
        .route("/rules/{game}/{ruleset}/conformance", get(ruleset_test_cases::conformance))
}
