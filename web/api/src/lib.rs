//! The API for programs: everything that the pages can do, under tokens.
//!
//! The document at `/openapi.json` is made from the handlers themselves: an operation that it does not describe is not
//! routed. Handlers parse the request, call the same acts of [`App`] as the pages, and report the result; they decide
//! nothing.

mod accounts;
mod acts;
mod answer;
mod arrival;
mod caller;
mod deletion;
mod document;
mod events;
mod examples;
mod forms;
mod idempotency;
mod instant;
mod late;
mod links;
mod list;
mod match_context;
mod moves;
mod objections;
mod opening;
mod parameters;
mod plans;
mod players;
mod practice;
mod private_notes;
mod read_request;
mod reading;
mod ready;
mod registered;
mod request;
mod results;
mod rulesets;
mod seat;
mod shapes;
mod shares;
mod statistics;
mod successors;
mod webhooks;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::http::HeaderMap;
use axum::middleware::from_fn_with_state;
use axum::routing::get;
use ledger::Hash;
use utoipa::openapi::OpenApi as Document;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use web_http::{Answer, fresh};

pub use answer::untaken;
pub use caller::preflight;

fn parts() -> (Router<Arc<App>>, Document) {
    let all = OpenApiRouter::with_openapi(document::empty());
    let all = all.merge(archive()).merge(umpire()).merge(player()).merge(webhooks()).merge(accounts());
    let (router, mut document) = all.split_for_parts();
    document::complete(&mut document);
    (router, document)
}

fn archive() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(rulesets::list))
        .routes(routes!(rulesets::one))
        .routes(routes!(statistics::show))
        .routes(routes!(players::list))
        .routes(routes!(players::one))
        .routes(routes!(players::versus))
        .routes(routes!(registered::register))
        .routes(routes!(registered::one, registered::go_on))
        .routes(routes!(events::list))
        .routes(routes!(events::one))
        .routes(routes!(list::page, opening::open))
        .routes(routes!(list::lines))
        .routes(routes!(opening::import))
        .routes(routes!(reading::whole, deletion::delete))
        .routes(routes!(reading::state))
        .routes(routes!(reading::entries))
        .routes(routes!(results::one))
        .routes(routes!(shares::hand_in_round))
}

fn umpire() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(moves::received))
        .routes(routes!(moves::read))
        .routes(routes!(moves::record))
        .routes(routes!(moves::type_for))
        .routes(routes!(moves::close))
        .routes(routes!(acts::announce))
        .routes(routes!(acts::draw))
        .routes(routes!(acts::begin_shares))
        .routes(routes!(acts::draw_without_round))
        .routes(routes!(acts::run_clocks))
        .routes(routes!(acts::pause_clocks))
        .routes(routes!(acts::extend_clock))
        .routes(routes!(acts::warn))
        .routes(routes!(acts::go_on_recorded))
        .routes(routes!(successors::list, acts::hand))
        .routes(routes!(late::late))
        .routes(routes!(acts::admit))
        .routes(routes!(acts::rule))
        .routes(routes!(acts::note))
        .routes(routes!(private_notes::list, private_notes::keep))
        .routes(routes!(objections::list))
        .routes(routes!(acts::answer_objection))
        .routes(routes!(ready::read))
        .routes(routes!(acts::strike))
        .routes(routes!(acts::correct))
        .routes(routes!(acts::end))
        .routes(routes!(links::list, links::make))
        .routes(routes!(links::revoke))
        .routes(routes!(results::tell))
        .routes(routes!(plans::list, plans::make))
        .routes(routes!(plans::show, plans::change, plans::forget))
        .routes(routes!(plans::open))
}

fn player() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(seat::show))
        .routes(routes!(seat::submit))
        .routes(routes!(shares::open))
        .routes(routes!(seat::receipts))
        .routes(routes!(objections::own, objections::object))
        .routes(routes!(ready::say))
}

fn webhooks() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(webhooks::list, webhooks::make))
        .routes(routes!(webhooks::show, webhooks::remove))
        .routes(routes!(webhooks::rotate))
        .routes(routes!(webhooks::stop))
        .routes(routes!(webhooks::start))
        .routes(routes!(webhooks::deliveries))
        .routes(routes!(webhooks::test))
        .routes(routes!(webhooks::again))
}

fn accounts() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(accounts::me))
        .routes(routes!(accounts::umpires))
        .routes(routes!(accounts::end_sessions))
        .routes(routes!(accounts::tokens))
        .routes(routes!(accounts::revoke_token))
}

pub fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let (router, document) = parts();
    // The document holds only strings and numbers, so serializing cannot fail.
    let document = Answer::data("application/json", serde_json::to_vec(&document).unwrap_or_default());
    let show = move |request: HeaderMap| {
        let document = document.clone();
        async move { fresh(&request, Hash::ZERO, document) }
    };
    router
        .layer(from_fn_with_state((app.clone(), Arc::new(idempotency::InProgress::default())), idempotency::layer))
        .layer(from_fn_with_state(app.clone(), caller::identify))
        .route("/openapi.json", get(show))
}
