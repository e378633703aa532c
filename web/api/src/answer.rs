//! Answers in JSON.

use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::ToSchema;

use web_http::Problem;

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

pub(super) fn at(mut response: Response, address: &str) -> Response {
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(header::LOCATION, address);
    }
    response
}

pub fn untaken(method: &Method, answer: &HeaderMap) -> String {
    let taken = answer.get(header::ALLOW).and_then(|taken| taken.to_str().ok()).unwrap_or_default();
    let taken: Vec<&str> = taken.split(',').map(str::trim).filter(|method| !method.is_empty()).collect();
    match taken.split_last() {
        Some((last, [])) => format!("This address takes {last} and not {method}."),
        Some((last, others)) => format!("This address takes {} and {last}, and not {method}.", others.join(", ")),
        None => format!("This address does not take {method}."),
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
}
