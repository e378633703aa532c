//! Answers, and their description in the document of the API.

use std::collections::BTreeMap;

use app::AppError;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use ledger::Hash;
use serde::Serialize;
use utoipa::openapi::{ContentBuilder, OpenApi as Document, Ref, RefOr, Response as Told, ResponseBuilder};
use utoipa::{IntoResponses, ToSchema};

use super::caller::{needs_token, needs_umpire};
use super::sent::{malformed, not_json, too_large};
use crate::http::{Answer, Problem, fresh};

/// A refusal, as RFC 9457 writes it.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(super) struct ProblemBody {
    /// Always `about:blank`: the status says what kind it is.
    #[serde(rename = "type")]
    kind: String,
    /// In a few words.
    title: String,
    /// The status of the answer.
    status: u16,
    /// What happened, and what to do, in sentences for people.
    detail: String,
}

/// JSON that no cache stores.
pub(super) fn json(status: StatusCode, body: &impl Serialize) -> Result<Response, Problem> {
    let bytes = serde_json::to_vec(body).map_err(|error| Problem::broken(&error))?;
    Ok((status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response())
}

/// JSON that readers may cache and revalidate: its tag names the head.
pub(super) fn public(request: &HeaderMap, head: Hash, body: &impl Serialize) -> Result<Response, Problem> {
    let bytes = serde_json::to_vec(body).map_err(|error| Problem::broken(&error))?;
    Ok(fresh(request, head, Answer::data("application/json", bytes)))
}

/// Adds the address of the new resource.
pub(super) fn at(mut response: Response, address: &str) -> Response {
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(header::LOCATION, address);
    }
    response
}

/// The methods that an address accepts, for an answer to another method; they are in its `Allow` header.
pub(crate) fn untaken(method: &Method, answer: &HeaderMap) -> String {
    let taken = answer.get(header::ALLOW).and_then(|taken| taken.to_str().ok()).unwrap_or_default();
    let taken: Vec<&str> = taken.split(',').map(str::trim).filter(|method| !method.is_empty()).collect();
    match taken.split_last() {
        Some((last, [])) => format!("This address takes {last} and not {method}."),
        Some((last, others)) => format!("This address takes {} and {last}, and not {method}.", others.join(", ")),
        None => format!("This address does not take {method}."),
    }
}

const fn meaning(status: u16) -> &'static str {
    match status {
        304 => "The reader has the newest: its tag still fits.",
        400 => "Not understood: the address, a header or the body does not read.",
        401 => "There is no token, or it opens nothing.",
        403 => "The token does not allow this.",
        404 => "There is nothing at this address.",
        409 => {
            "Somebody else was first, or it came too late; or the same request is being worked on. Read again, then decide anew."
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

/// Every status of a refusal in the document.
const REFUSALS: [u16; 10] = [400, 401, 403, 404, 409, 413, 415, 422, 429, 503];

/// An example of a refusal with this status.
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
        _ => Problem::away("The database takes too long just now. Ask again in a moment."),
    }
}

/// Adds the refusals to the shared part of the document: each is described once, with an example.
pub(super) fn put_refusals_into(document: &mut Document) {
    let told = |status: u16| {
        let content = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem")));
        let content = content.example(Some(example(status).body())).build();
        let response = ResponseBuilder::new().description(meaning(status));
        (name(status), RefOr::T(response.content("application/problem+json", content).build()))
    };
    document.components.get_or_insert_default().responses.extend(REFUSALS.map(told));
}

fn name(status: u16) -> String {
    format!("Refused{status}")
}

fn told(statuses: &[u16]) -> BTreeMap<String, RefOr<Told>> {
    let told = |status: u16| {
        let told = match status {
            304 => RefOr::T(ResponseBuilder::new().description(meaning(status)).build()),
            _ => RefOr::Ref(Ref::from_response_name(name(status))),
        };
        (status.to_string(), told)
    };
    statuses.iter().map(|status| told(*status)).collect()
}

/// The errors of public reads.
pub(super) struct Reads;
/// The errors of reads that are not public.
pub(super) struct OwnReads;
/// The errors of acts.
pub(super) struct Acts;
/// The errors of revoking.
pub(super) struct Revokes;

impl IntoResponses for Reads {
    fn responses() -> BTreeMap<String, RefOr<Told>> {
        told(&[304, 400, 401, 404, 422, 429, 503])
    }
}

impl IntoResponses for OwnReads {
    fn responses() -> BTreeMap<String, RefOr<Told>> {
        told(&[400, 401, 403, 404, 429, 503])
    }
}

impl IntoResponses for Acts {
    fn responses() -> BTreeMap<String, RefOr<Told>> {
        told(&[400, 401, 403, 404, 409, 413, 415, 422, 429, 503])
    }
}

impl IntoResponses for Revokes {
    fn responses() -> BTreeMap<String, RefOr<Told>> {
        told(&[400, 401, 403, 404, 422, 429, 503])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_says_which_methods_it_takes() {
        let untaken = |taken: &'static str| {
            untaken(&Method::PATCH, &HeaderMap::from_iter([(header::ALLOW, HeaderValue::from_static(taken))]))
        };
        assert_eq!(untaken("POST"), "This address takes POST and not PATCH.");
        assert_eq!(untaken("GET,HEAD,POST"), "This address takes GET, HEAD and POST, and not PATCH.");
        assert_eq!(untaken(""), "This address does not take PATCH.");
    }

    #[test]
    fn a_refusal_is_told_with_one_of_its_status() {
        for status in REFUSALS {
            assert_eq!(example(status).status().as_u16(), status);
        }
    }
}
