//! The API for programs: everything that the pages can do, under tokens.
//!
//! The document at `/openapi.json` is made from the handlers themselves: an operation that it does not describe is not
//! routed. Handlers parse the request, call the same acts of [`Book`] as the pages, and report the result; they decide
//! nothing.

mod accounts;
mod answer;
mod arrival;
mod because;
mod caller;
mod clocks;
mod deletion;
mod events;
mod examples;
mod forms;
mod guide;
mod instant;
mod links;
mod list;
mod objections;
mod once;
mod opening;
mod plans;
mod players;
mod playing;
mod practice;
mod private_notes;
mod reading;
mod ready;
mod rulesets;
mod ruling;
mod seat;
mod sent;
mod shape;
mod statistics;
mod webhooks;

use std::sync::Arc;

use app::App;
use axum::Router;
use axum::http::HeaderMap;
use axum::middleware::from_fn_with_state;
use axum::response::Response;
use axum::routing::get;
use ledger::Hash;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Components, OpenApi as Document};
use utoipa::{Modify, OpenApi};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::http::{Answer, fresh};

pub(crate) use answer::untaken;
pub(crate) use caller::preflight;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Matchbook",
        description = "Matches read, recorded, ruled on and played by programs. The page at /api is the way in. \
            Every answer that is no success is application/problem+json, with sentences that say what to do.",
        license(name = "AGPL-3.0-or-later", identifier = "AGPL-3.0-or-later"),
    ),
    tags(
        (name = "reading", description = "What everybody may read, with or without a token."),
        (name = "umpire", description = "What an umpire does. Acts carry an Idempotency-Key, and name the head or the decision that they were decided on."),
        (name = "player", description = "A seat of a live match. The token is what stands last in the seat's private link."),
        (name = "webhooks", description = "Where this site tells programs what happens, by the rules of Standard Webhooks."),
        (name = "accounts", description = "Tokens, umpires and sessions."),
    ),
    components(schemas(answer::ProblemBody)),
    modifiers(&Tokens),
)]
struct Api;

/// The two kinds of tokens.
struct Tokens;

impl Modify for Tokens {
    fn modify(&self, document: &mut Document) {
        let scheme = |told: &str| {
            let mut http = Http::new(HttpAuthScheme::Bearer);
            http.description = Some(told.to_owned());
            SecurityScheme::Http(http)
        };
        let components = document.components.get_or_insert_with(Components::new);
        components
            .add_security_scheme("token", scheme("An umpire's token, made at /account or by `matchbook token add`."));
        components.add_security_scheme("seat", scheme("What stands last in a seat's private link."));
    }
}

fn parts() -> (Router<Arc<App>>, Document) {
    let (router, mut document) = OpenApiRouter::with_openapi(Api::openapi())
        .routes(routes!(rulesets::list))
        .routes(routes!(rulesets::one))
        .routes(routes!(statistics::show))
        .routes(routes!(players::list))
        .routes(routes!(players::one))
        .routes(routes!(players::versus))
        .routes(routes!(events::list))
        .routes(routes!(events::one))
        .routes(routes!(list::page, opening::open))
        .routes(routes!(list::lines))
        .routes(routes!(opening::import))
        .routes(routes!(reading::whole, deletion::delete))
        .routes(routes!(reading::state))
        .routes(routes!(reading::entries))
        .routes(routes!(playing::received))
        .routes(routes!(playing::read))
        .routes(routes!(playing::record))
        .routes(routes!(playing::type_for))
        .routes(routes!(playing::close))
        .routes(routes!(playing::draw))
        .routes(routes!(playing::list_without))
        .routes(routes!(clocks::run))
        .routes(routes!(clocks::pause))
        .routes(routes!(clocks::extend))
        .routes(routes!(because::warn))
        .routes(routes!(because::go_on_recorded))
        .routes(routes!(because::successors, because::hand_over))
        .routes(routes!(because::late))
        .routes(routes!(because::admit))
        .routes(routes!(ruling::rule))
        .routes(routes!(ruling::note))
        .routes(routes!(private_notes::list, private_notes::keep))
        .routes(routes!(objections::list))
        .routes(routes!(objections::answer))
        .routes(routes!(ready::read))
        .routes(routes!(ruling::strike))
        .routes(routes!(ruling::correct))
        .routes(routes!(ruling::end))
        .routes(routes!(links::list, links::make))
        .routes(routes!(links::revoke))
        .routes(routes!(seat::show))
        .routes(routes!(seat::submit))
        .routes(routes!(seat::receipts))
        .routes(routes!(objections::own, objections::object))
        .routes(routes!(ready::say))
        .routes(routes!(plans::list, plans::make))
        .routes(routes!(plans::show, plans::change, plans::forget))
        .routes(routes!(plans::open))
        .routes(routes!(webhooks::list, webhooks::make))
        .routes(routes!(webhooks::show, webhooks::remove))
        .routes(routes!(webhooks::rotate))
        .routes(routes!(webhooks::stop))
        .routes(routes!(webhooks::start))
        .routes(routes!(webhooks::deliveries))
        .routes(routes!(webhooks::test))
        .routes(routes!(webhooks::again))
        .routes(routes!(accounts::me))
        .routes(routes!(accounts::umpires, accounts::add))
        .routes(routes!(accounts::link))
        .routes(routes!(accounts::end_sessions))
        .routes(routes!(accounts::tokens, accounts::make_token))
        .routes(routes!(accounts::revoke_token))
        .split_for_parts();
    answer::put_refusals_into(&mut document);
    examples::put_into(&mut document);
    (router, document)
}

pub(crate) fn routes(app: &Arc<App>) -> Router<Arc<App>> {
    let (router, document) = parts();
    // The document holds only strings and numbers, so serializing cannot fail.
    let document = Answer::data("application/json", serde_json::to_vec(&document).unwrap_or_default());
    let told = move |request: HeaderMap| {
        let document = document.clone();
        async move { tell(&request, document) }
    };
    router
        .layer(from_fn_with_state((app.clone(), Arc::new(once::InProgress::default())), once::once))
        .layer(from_fn_with_state(app.clone(), caller::know))
        .route("/openapi.json", get(told))
        .merge(guide::routes())
}

fn tell(request: &HeaderMap, document: Answer) -> Response {
    fresh(request, Hash::ZERO, document)
}
