//! The document at `/openapi.json`: the operations as their handlers describe them, with what is the same for all of a
//! kind: who may ask, which refusals there are, and the parameters that many share.

use app::AppError;
use utoipa::openapi::path::{Operation, Parameter, PathItem};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    Components, ContentBuilder, OpenApi as Document, Ref, RefOr, Response as DocumentedResponse, ResponseBuilder,
};
use utoipa::{IntoParams, Modify, OpenApi};

use super::answer::ProblemBody;
use super::caller::{needs_token, needs_umpire};
use super::examples;
use super::parameters::{IdempotencyKey, KEY_NAME, PlanId, RulesetName, Slug, UmpireName, WebhookId};
use super::request::{malformed, not_json, too_large};
use web_http::Problem;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Matchbook",
        description = "Matches read, recorded, ruled on and played by programs. The page at /api is the way in. \
            Every answer that is no success is application/problem+json, with sentences that say what to do.",
        license(name = "AGPL-3.0-or-later", identifier = "AGPL-3.0-or-later"),
    ),
    servers((url = "/", description = "This site")),
    tags(
        (name = "reading", description = "What everybody may read, with or without a token."),
        (name = "umpire", description = "What an umpire does. Acts carry an Idempotency-Key, and name the head or the decision that they were decided on."),
        (name = "player", description = "A seat of a live match. The token is the last part of the seat's private link."),
        (name = "registered", description = "Registered players: chains of keys in the log. Acts need no token: what is sent proves itself."),
        (name = "webhooks", description = "Where this site tells programs what happens, by the rules of Standard Webhooks."),
        (name = "accounts", description = "Tokens, umpires and sessions."),
    ),
    components(schemas(ProblemBody)),
    modifiers(&Tokens),
)]
struct Api;

struct Tokens;

impl Modify for Tokens {
    fn modify(&self, document: &mut Document) {
        let scheme = |description: &str| {
            let mut http = Http::new(HttpAuthScheme::Bearer);
            http.description = Some(description.to_owned());
            SecurityScheme::Http(http)
        };
        let components = document.components.get_or_insert_with(Components::new);
        components
            .add_security_scheme("token", scheme("An umpire's token, made at /account or by `matchbook token add`."));
        components.add_security_scheme("seat", scheme("The last part of a seat's private link."));
    }
}

pub(super) fn empty() -> Document {
    Api::openapi()
}

pub(super) fn complete(document: &mut Document) {
    for (path, item) in &mut document.paths.paths {
        let PathItem { get, post, delete, .. } = item;
        for (operation, method) in [(get, Method::Get), (post, Method::Post), (delete, Method::Delete)] {
            if let Some(operation) = operation {
                add_parameters(operation, path, method);
                add_security(operation);
                add_refusals(operation, method);
            }
        }
    }
    add_shared_refusals(document);
    examples::put_into(document);
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Method {
    Get,
    Post,
    Delete,
}

fn is_tagged(operation: &Operation, tag: &str) -> bool {
    operation.tags.iter().flatten().any(|own| own == tag)
}

fn is_named(parameter: &RefOr<Parameter>, name: &str) -> bool {
    matches!(parameter, RefOr::T(parameter) if parameter.name == name)
}

fn parameters_of(path: &str) -> Vec<Parameter> {
    match path.trim_start_matches("/api/v1/") {
        path if path.starts_with("matches/{slug}") || path.starts_with("results/{slug}") => Slug::into_params(|| None),
        path if path.starts_with("webhooks/{id}") => WebhookId::into_params(|| None),
        path if path.starts_with("plans/{id}") => PlanId::into_params(|| None),
        path if path.starts_with("umpires/{id}") => UmpireName::into_params(|| None),
        path if path.starts_with("rulesets/{game}") => RulesetName::into_params(|| None),
        _ => Vec::new(),
    }
}

/// The parameters of the address, and the key of an act. An operation that describes one of its own keeps it.
fn add_parameters(operation: &mut Operation, path: &str, method: Method) {
    // A line is only read, and what proves itself is entered once whoever sends it.
    let id = operation.operation_id.as_deref();
    let needs_no_key = matches!(id, Some("readLine" | "handInRound")) || is_tagged(operation, "registered");
    let mut parameters = operation.parameters.take().unwrap_or_default();
    let mut shared = parameters_of(path);
    shared.retain(|shared| !parameters.iter().any(|parameter| is_named(parameter, &shared.name)));
    parameters.splice(0..0, shared.into_iter().map(RefOr::T));
    if method == Method::Post && !needs_no_key && !parameters.iter().any(|parameter| is_named(parameter, KEY_NAME)) {
        parameters.extend(IdempotencyKey::into_params(|| None).into_iter().map(RefOr::T));
    }
    operation.parameters = Some(parameters).filter(|parameters| !parameters.is_empty());
}

fn add_security(operation: &mut Operation) {
    let token = || SecurityRequirement::new("token", Vec::<String>::new());
    if operation.security.is_none() {
        operation.security = Some(if is_tagged(operation, "reading") {
            vec![SecurityRequirement::default(), token()]
        } else if is_tagged(operation, "registered") {
            vec![SecurityRequirement::default()]
        } else if is_tagged(operation, "player") {
            vec![SecurityRequirement::new("seat", Vec::<String>::new())]
        } else {
            vec![token()]
        });
    }
}

fn add_refusals(operation: &mut Operation, method: Method) {
    let statuses: &[u16] = match method {
        Method::Get if is_tagged(operation, "reading") => &[304, 400, 401, 404, 422, 429, 503],
        Method::Get => &[400, 401, 403, 404, 429, 503],
        Method::Post => &REFUSALS,
        Method::Delete => &[400, 401, 403, 404, 422, 429, 503],
    };
    let refusal = |status: &u16| {
        let response = match *status {
            304 => RefOr::T(ResponseBuilder::new().description(meaning(304)).build()),
            status => RefOr::Ref(Ref::from_response_name(name(status))),
        };
        (status.to_string(), response)
    };
    operation.responses.responses.extend(statuses.iter().map(refusal));
}

/// Every status of a refusal, which are those of an act.
const REFUSALS: [u16; 10] = [400, 401, 403, 404, 409, 413, 415, 422, 429, 503];

fn add_shared_refusals(document: &mut Document) {
    let refusal = |status: u16| -> (String, RefOr<DocumentedResponse>) {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem")));
        let content = content.example(Some(example(status).body())).build();
        let response = ResponseBuilder::new().description(meaning(status));
        (name(status), RefOr::T(response.content("application/problem+json", content).build()))
    };
    document.components.get_or_insert_default().responses.extend(REFUSALS.map(refusal));
}

fn name(status: u16) -> String {
    format!("Refused{status}")
}

const fn meaning(status: u16) -> &'static str {
    match status {
        304 => "The reader has the newest: its tag still fits.",
        400 => "Not understood: the address, a header or the body does not read.",
        401 => "There is no token, or it opens nothing.",
        403 => "The token does not allow this.",
        404 => "There is nothing at this address.",
        409 => {
            "Somebody else was first, or it came too late; or the same request is being worked on. Read again, then decide again."
        }
        413 => "More than 256 kB.",
        415 => "The body is not JSON.",
        422 => {
            "It reads, and the rules or the state of the match are against it; or the Idempotency-Key was used for another request."
        }
        429 => "Too often. `Retry-After` says when to try again.",
        _ => {
            "The database does not answer. Nothing was acknowledged that is not stored: send the same again, with the same key."
        }
    }
}

fn example(status: u16) -> Problem {
    match status {
        400 => malformed("The body does not read. Missing field `ruleset` at line 1 column 2."),
        401 => needs_token(),
        403 => needs_umpire(),
        404 => AppError::NoMatch.into(),
        409 => AppError::Overtaken.into(),
        413 => too_large(),
        415 => not_json(),
        422 => Problem::refused("There is no such step to strike."),
        429 => Problem::too_many(2),
        _ => Problem::away("The answer takes too long just now. Ask again in a moment."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_told_with_one_of_its_status() {
        for status in REFUSALS {
            assert_eq!(example(status).status().as_u16(), status);
        }
    }
}
