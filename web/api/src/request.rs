//! A program's request: the body, the parameters and the parts of the address. Every error names the place.

use app::{App, form_of, slug};
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Json, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use ledger::MatchId;
use serde::de::DeserializeOwned;
use store::SubmitId;
use uuid::Uuid;

use super::idempotency::Key;
use web_http::{ErrorKind, Problem};

/// A JSON body.
#[derive(Clone, Debug)]
pub(super) struct Body<T>(pub(super) T);

#[derive(Clone, Debug)]
pub(super) struct Parameters<T>(pub(super) T);

#[derive(Clone, Debug)]
pub(super) struct MatchSlug(pub(super) String);

pub(super) fn malformed(detail: impl Into<String>) -> Problem {
    Problem::of(ErrorKind::Malformed, detail)
}

pub(super) fn too_large() -> Problem {
    Problem::of(ErrorKind::TooLarge, "This is larger than any request of ours: at most 256 kB.")
}

/// The error for a body that is not JSON.
pub(super) fn not_json() -> Problem {
    let detail = "A body is JSON, and says so: Content-Type: application/json.";
    Problem::of(ErrorKind::UnsupportedMediaType, detail)
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(body)) => Ok(Self(body)),
            Err(JsonRejection::MissingJsonContentType(_)) => Err(not_json()),
            Err(rejection) if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => Err(too_large()),
            Err(rejection) => Err(malformed(format!("The body does not read. {}.", cause(&rejection)))),
        }
    }
}

fn cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    let text = cause.to_string();
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}

impl<S: Send + Sync, T: DeserializeOwned + Send> FromRequestParts<S> for Parameters<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let query = Query::<T>::from_request_parts(parts, state).await;
        query.map(|Query(parameters)| Self(parameters)).map_err(|rejection| {
            malformed(format!("The parameters of the address do not read. {}.", cause(&rejection)))
        })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for MatchSlug {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let Path(path) = path.map_err(|_| malformed("The address is no text."))?;
        let named = path.into_iter().find(|(name, _)| name == "slug").map(|(_, named)| named);
        // A match can also be named by its id, which lists and entries call `match`.
        let slug = named.map(|named| Uuid::try_parse(&named).map_or(named, |id| slug(MatchId(id))));
        slug.map(Self).ok_or_else(|| malformed("The address names no match."))
    }
}

impl MatchSlug {
    pub(super) async fn id(&self, app: &App) -> Result<MatchId, Problem> {
        Ok(app.matches.match_of(&self.0).await?)
    }
}

pub(super) fn form(key: &Key) -> SubmitId {
    form_of(&["api", &key.owner, &key.text])
}
