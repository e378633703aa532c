//! The Idempotency-Key header (draft-ietf-httpapi-idempotency-key-header): a repeated request with the same key acts
//! once, and gets the same answer for a day.
//!
//! Two parts ensure this. The answer is stored here. And the key is the id of the act in the app, so an act whose
//! answer was lost in a crash is found when the request is repeated. That is why a request without an answer never
//! blocks its key once nobody works on it here: repeated with the same bytes, it acts once. It counts from its first
//! arrival, as long as its sender has sent nothing else since: nobody keeps several times to choose from.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use app::account::Scope;
use app::{App, AppError};
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use ledger::{Hash, MatchId, Moment};
use serde::{Deserialize, Serialize};
use store::StoreError;
use store::idempotency::{self, IdempotencyKey};

use super::caller::Caller;
use super::practice::{is_of_practice, practice_match};
use super::request::{malformed, too_large};
use web_http::{ErrorKind, Problem};

pub(super) const NAME: HeaderName = HeaderName::from_static("idempotency-key");
/// The header of an answer that is repeated.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");
/// The hours for which an answer is stored.
const KEPT_HOURS: i64 = 24;
pub(super) const BODY_MAX_BYTES: usize = 256 * 1024;
/// The largest answer that is stored.
const ANSWER_MAX_BYTES: usize = 4 * 1024 * 1024;
const KEY_MAX_CHARS: usize = 80;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// The hash of the token in the request.
    pub(super) owner: String,
    pub(super) text: String,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct ArrivedAt(pub(super) Moment);

#[derive(Clone, Copy, Debug)]
pub(super) struct OpenedMatch(pub(super) MatchId);

#[derive(Debug, Serialize, Deserialize)]
struct StoredAnswer {
    /// The scope of the umpire's token at that time; none for a seat.
    #[serde(default)]
    scope: Option<Scope>,
    status: u16,
    kind: String,
    location: Option<String>,
    body: String,
}

#[derive(Debug, Default)]
pub(super) struct InProgress(Mutex<HashSet<(Vec<u8>, String)>>);

/// A request in progress, until it is dropped: with its answer, or with its connection.
struct RequestGuard<'p> {
    all: &'p InProgress,
    request: (Vec<u8>, String),
}

impl InProgress {
    fn begin(&self, owner: &[u8], text: &str) -> Option<RequestGuard<'_>> {
        let request = (owner.to_vec(), text.to_owned());
        let is_new = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(request.clone());
        is_new.then_some(RequestGuard { all: self, request })
    }
}

impl Drop for RequestGuard<'_> {
    fn drop(&mut self) {
        self.all.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.request);
    }
}

/// Reads a key: a string of RFC 8941 in quotes, or bare.
fn read(text: &str) -> Option<&str> {
    let bare = match text.strip_prefix('"') {
        Some(rest) => rest.strip_suffix('"')?,
        None => text,
    };
    let may = |byte: u8| byte.is_ascii_alphanumeric() || b"._:-".contains(&byte);
    ((1..=KEY_MAX_CHARS).contains(&bare.len()) && bare.bytes().all(may)).then_some(bare)
}

impl<S: Send + Sync> FromRequestParts<S> for Key {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        parts.extensions.get::<Self>().cloned().ok_or_else(|| {
            malformed("This needs the header Idempotency-Key: 1 to 80 letters, digits, points, colons, dashes or underscores, \
                       in quotes or without; another one for every act, and the same when you send the same again.")
        })
    }
}

impl FromRequestParts<Arc<App>> for ArrivedAt {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        Ok(parts.extensions.get::<Self>().copied().unwrap_or_else(|| Self(app.system().now())))
    }
}

pub(super) async fn layer(
    State((app, in_progress)): State<(Arc<App>, Arc<InProgress>)>,
    request: Request,
    next: Next,
) -> Response {
    if request.method() != Method::POST {
        return next.run(request).await;
    }
    let sent = request.headers().get(NAME).map(|sent| sent.to_str().ok().and_then(read).map(str::to_owned));
    let caller = request.extensions().get::<Caller>().and_then(|caller| caller.0.as_ref());
    let owner = caller.map(|(token, bearer)| Owner { token: *token.hash().bytes(), scope: bearer.scope() });
    let (text, owner) = match (sent, owner) {
        (Some(Some(text)), Some(owner)) => (text, owner),
        // The handler reports the missing key or token.
        _ => return next.run(request).await,
    };
    let Some(_working) = in_progress.begin(&owner.token, &text) else { return busy().into_response() };
    match answer(&app, request, next, owner, &text).await {
        Ok(response) => response,
        Err(problem) => problem.into_response(),
    }
}

#[derive(Clone, Copy)]
struct Owner {
    /// The hash of the token in the request.
    token: [u8; 32],
    /// The scope of an umpire's token now; none for a seat.
    scope: Option<Scope>,
}

async fn answer(app: &Arc<App>, request: Request, next: Next, owner: Owner, text: &str) -> Result<Response, Problem> {
    let (mut parts, body) = request.into_parts();
    let body = to_bytes(body, BODY_MAX_BYTES).await.map_err(|_| too_large())?;
    // A seat's submission was read before its token was looked up, and due decisions wait for it.
    let noted = parts.extensions.get::<ArrivedAt>().copied();
    let arrived_at = noted.unwrap_or_else(|| ArrivedAt(app.system().now())).0;
    let path = parts.uri.path().to_owned();
    let digest = app.vault.digest(&[b"api", path.as_bytes(), &body]);
    let about = practice_match(&mut parts, app).await?;
    let begun = if noted.is_some() {
        app::with_retries(|| begin(app, &owner.token, text, &digest, about, arrived_at)).await?
    } else {
        begin(app, &owner.token, text, &digest, about, arrived_at).await?
    };
    match begun {
        KeyState::Answered(stored) if stored.is_empty() => return Err(gone()),
        KeyState::Answered(stored) => {
            let stored = unlock(app, &owner.token, text, &stored)?;
            if owner.scope >= stored.scope {
                return replay(stored);
            }
            // The token may do less than it did then. The handler decides if it still may do this; the act happens once.
        }
        KeyState::Used => {
            return Err(Problem::refused(
                "This Idempotency-Key was used for another request. Nothing was done; every act has a key of its own.",
            ));
        }
        KeyState::Busy => return Err(busy()),
        KeyState::Ours { arrived } => {
            parts.extensions.insert(ArrivedAt(arrived));
        }
    }
    let key = Key { owner: owner.token.iter().map(|byte| format!("{byte:02x}")).collect(), text: text.to_owned() };
    parts.extensions.insert(key);
    let response = next.run(Request::from_parts(parts, Body::from(body))).await;
    finish(app, owner, text, response).await
}

enum KeyState {
    /// This request, which first arrived at this time.
    Ours { arrived: Moment },
    /// The same request, already answered: the stored answer, or nothing if it was about practice that was deleted
    /// since.
    Answered(Vec<u8>),
    /// The key was released at this very moment.
    Busy,
    /// Another request.
    Used,
}

/// Claims the key for this request, or returns the stored answer.
///
/// A row without an answer is of a request that died with its process, or that another node works on: either way this
/// one goes on. The act has the key for its id, so that it happens once. The time of the first arrival stays, because
/// whoever asks again because of a crash of ours must not be late by it; unless the same sender used another key since.
async fn begin(
    app: &App,
    owner: &[u8],
    text: &str,
    digest: &Hash,
    about: Option<MatchId>,
    arrived_at: Moment,
) -> Result<KeyState, AppError> {
    let old = app.system().now().to_utc() - TimeDelta::hours(KEPT_HOURS);
    let key = IdempotencyKey { owner, text };
    if idempotency::claim(app.pool(), key, digest, arrived_at.to_utc(), about, old).await? {
        return Ok(KeyState::Ours { arrived: arrived_at });
    }
    Ok(match idempotency::find(app.pool(), key).await? {
        Some(row) if row.digest != digest.bytes().as_slice() => KeyState::Used,
        Some(row) => match row.answer {
            Some(answer) => KeyState::Answered(answer),
            None if row.is_last => {
                KeyState::Ours { arrived: arrived_at.min(Moment::try_from(row.at).unwrap_or(arrived_at)) }
            }
            None => KeyState::Ours { arrived: arrived_at },
        },
        None => KeyState::Busy,
    })
}

fn busy() -> Problem {
    let detail = "The same request is being worked on. Send it again in a moment: it is answered the same.";
    Problem { retry_seconds: Some(1), ..Problem::of(ErrorKind::InProgress, detail) }
}

fn gone() -> Problem {
    Problem::not_found(
        "What this request did was done before, in a practice match that was deleted since. For another act, send another key.",
    )
}

fn place(owner: &[u8], text: &str) -> String {
    let owner: String = owner.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("api-answer/{owner}/{text}")
}

fn unlock(app: &App, owner: &[u8], text: &str, locked: &[u8]) -> Result<StoredAnswer, Problem> {
    let stored = app.vault.unlock(&place(owner, text), locked).map_err(AppError::from)?;
    serde_json::from_slice(&stored).map_err(|error| Problem::broken(&error))
}

fn replay(stored: StoredAnswer) -> Result<Response, Problem> {
    let status = StatusCode::from_u16(stored.status).map_err(|error| Problem::broken(&error))?;
    let mut response = (status, stored.body).into_response();
    let headers = response.headers_mut();
    headers.insert(REPLAYED, HeaderValue::from_static("true"));
    for (name, value) in [(header::CONTENT_TYPE, Some(stored.kind)), (header::LOCATION, stored.location)] {
        if let Some(value) = value.and_then(|value| HeaderValue::try_from(value).ok()) {
            headers.insert(name, value);
        }
    }
    Ok(response)
}

/// True if an answer reports the outcome of a request, and not that it was unread or unreadable. A sender who corrects
/// an unreadable request may use the same key again.
fn is_final(status: StatusCode) -> bool {
    let passing = [
        StatusCode::BAD_REQUEST,
        StatusCode::UNSUPPORTED_MEDIA_TYPE,
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::NOT_FOUND,
        StatusCode::METHOD_NOT_ALLOWED,
        StatusCode::TOO_MANY_REQUESTS,
    ];
    !status.is_server_error() && !passing.contains(&status)
}

async fn finish(app: &App, owner: Owner, text: &str, response: Response) -> Result<Response, Problem> {
    let failed = |error: StoreError| Problem::from(AppError::from(error));
    let key = IdempotencyKey { owner: &owner.token, text };
    if !is_final(response.status()) {
        idempotency::release(app.pool(), key).await.map_err(failed)?;
        return Ok(response);
    }
    let opened =
        response.extensions().get::<OpenedMatch>().map(|opened| opened.0).filter(|opened| is_of_practice(*opened));
    let (parts, bytes) = match response.extensions().get::<Problem>() {
        // In the form that the site will send.
        Some(problem) => problem.to_json().into_parts(),
        None => response.into_parts(),
    };
    let bytes: Bytes = to_bytes(bytes, ANSWER_MAX_BYTES).await.map_err(|error| Problem::broken(&error))?;
    let written = |name: &HeaderName| parts.headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
    let stored = StoredAnswer {
        scope: owner.scope,
        status: parts.status.as_u16(),
        kind: written(&header::CONTENT_TYPE).unwrap_or_default(),
        location: written(&header::LOCATION),
        body: String::from_utf8_lossy(&bytes).into_owned(),
    };
    let stored = serde_json::to_vec(&stored).map_err(|error| Problem::broken(&error))?;
    let locked = app.vault.lock(&place(&owner.token, text), &stored).map_err(AppError::from)?;
    // Nothing is stored for a match that was deleted meanwhile: repeating the request reports the deletion.
    idempotency::answer(app.pool(), key, &locked, opened).await.map_err(failed)?;
    Ok(Response::from_parts(parts, Body::from(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_reads_with_and_without_quotes() {
        assert_eq!(read("\"8e03978e-40d5\""), Some("8e03978e-40d5"));
        assert_eq!(read("round:7.1"), Some("round:7.1"));
        for other in ["", "\"\"", "\"open", "two words", "é", &"x".repeat(81)] {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
