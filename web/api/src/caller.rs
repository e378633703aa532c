//! The sender of a request, known only by its token. Cookies have no effect here, so no page of another site can act
//! for somebody, and any page may read every answer.

use std::num::NonZeroU32;
use std::sync::Arc;

use app::account::player::{SeatAccess, SeatRef};
use app::account::{self, Bearer, Channel, RateLeft, RateLimit, RateLimits, Scope, Token};
use app::{Act, App, AppError, InFlight, by_umpire};
use axum::Extension;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use ledger::Author;

use super::arrival;
use super::idempotency::{self, Key};
use super::request::form;
use web_http::visitor::Peer;
use web_http::{ErrorKind, Problem};

const SEAT_COST: NonZeroU32 = NonZeroU32::new(10).unwrap();

#[derive(Clone, Debug)]
pub(super) struct Caller(pub(super) Option<(Token, Bearer)>);

pub(super) struct Umpire {
    pub(super) app: Arc<App>,
    pub(super) account: account::Umpire,
}

pub(super) struct Admin {
    pub(super) app: Arc<App>,
    pub(super) actor: account::Actor,
}

pub(super) struct Player {
    pub(super) app: Arc<App>,
    pub(super) chair: SeatRef,
    pub(super) access: SeatAccess,
}

impl Umpire {
    pub(super) fn by(&self) -> Author {
        by_umpire(&self.account.id)
    }

    pub(super) fn act(&self, key: &Key) -> Act {
        Act { by: self.by(), form: form(key) }
    }
}

/// Looks up the token, counts the request, and lets pages of other sites read the answer.
///
/// What changes something is worked on to its end, also if its sender hangs up meanwhile. A request that was given up
/// half-way would leave nothing but the time of its arrival, and a later choice could come with that time.
pub(super) async fn identify(
    State(app): State<Arc<App>>,
    Extension(limits): Extension<Arc<RateLimits>>,
    request: Request,
    next: Next,
) -> Response {
    let changes = request.method() != Method::GET && request.method() != Method::HEAD;
    let answered = match arrival::note(&app, request).await {
        Ok((request, underway)) if changes => {
            // What the database warns of is heard in the task that does the work.
            let working = async move {
                let answered = answered(app.clone(), limits, request, underway, next);
                app.kept(answered, |_| false).await.unwrap_or_else(|error| Problem::from(error).into_response())
            };
            tokio::spawn(working).await.unwrap_or_else(|error| Problem::broken(&error).into_response())
        }
        Ok((request, underway)) => answered(app, limits, request, underway, next).await,
        Err(problem) => refused(problem),
    };
    with_cors(answered)
}

async fn answered(
    app: Arc<App>,
    limits: Arc<RateLimits>,
    mut request: Request,
    underway: Option<InFlight>,
    next: Next,
) -> Response {
    let sent = request.headers().get(header::AUTHORIZATION).cloned();
    let whose = Peer::of(request.extensions()).counted();
    let stores = request.headers().contains_key(idempotency::NAME);
    match caller(&app, &limits, Peer::of(request.extensions()), sent, underway.as_ref()).await {
        Ok(caller) => {
            if let Some((token, bearer)) = caller.0.as_ref().filter(|_| stores) {
                let cost = if bearer.scope().is_none() { SEAT_COST } else { NonZeroU32::MIN };
                let counted = limits.count_many(app.system(), RateLimit::StoredAnswer, token.hash().bytes(), cost);
                if let Err(many) = counted {
                    return refused(Problem::too_many(many.retry_seconds));
                }
            }
            let whose = caller.0.as_ref().map_or(whose, |(token, _)| token.hash().bytes().to_vec());
            let left = limits.left(app.system(), RateLimit::Program, &whose);
            request.extensions_mut().insert(caller);
            with_limit(next.run(request).await, left)
        }
        Err(problem) => refused(problem),
    }
}

async fn caller(
    app: &App,
    limits: &RateLimits,
    peer: Peer,
    sent: Option<HeaderValue>,
    underway: Option<&InFlight>,
) -> Result<Caller, Problem> {
    let limit = |whose: &[u8]| {
        limits.count(app.system(), RateLimit::Program, whose).map_err(|many| Problem::too_many(many.retry_seconds))
    };
    let Some(sent) = sent else {
        limit(&peer.counted())?;
        return Ok(Caller(None));
    };
    let token = sent.to_str().ok().and_then(bearer).and_then(|token| account::read_token(token).ok());
    let found = match &token {
        Some(token) => {
            let look =
                || async { account::of_token(app.pool(), app.system(), token).await.map_err(AppError::from_account) };
            let bearer = if underway.is_some() { app::with_retries(look).await? } else { look().await? };
            match (&bearer, underway) {
                // The first use of a link is entered; a submission must not be told by that.
                (Some(Bearer::Seat(access)), Some(underway)) => underway.set_match(access.seat_ref.match_id),
                (Some(Bearer::Seat(access)), None) => app.seats.note_program(token, *access).await?,
                _ => {}
            }
            bearer.map(|bearer| (token.clone(), bearer))
        }
        None => None,
    };
    // Attempts with invalid tokens are counted by address.
    match found {
        Some((token, bearer)) => {
            limit(token.hash().bytes())?;
            Ok(Caller(Some((token, bearer))))
        }
        None => {
            limit(&peer.counted())?;
            Err(no_token("This token opens nothing: it was revoked, has ended, or is incomplete."))
        }
    }
}

/// RFC 6750, section 2.1; the scheme in any case (RFC 9110, section 11.1).
fn bearer(header: &str) -> Option<&str> {
    let (scheme, token) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn no_token(detail: &str) -> Problem {
    Problem::of(ErrorKind::NoToken, detail)
}

pub(super) fn needs_token() -> Problem {
    no_token("This needs a token: Authorization: Bearer, and the token. An umpire makes one at /account.")
}

pub(super) fn needs_umpire() -> Problem {
    forbidden("This needs an umpire’s token, with the scope umpire or admin.")
}

fn forbidden(detail: &str) -> Problem {
    Problem::of(ErrorKind::WrongToken, detail)
}

/// A refusal, with the header that RFC 6750 requires of a 401.
fn refused(problem: Problem) -> Response {
    let status = problem.status();
    let mut response = problem.into_response();
    if status == StatusCode::UNAUTHORIZED {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer realm=\"matchbook\""));
    }
    response
}

/// How many requests are left to this caller (draft-ietf-httpapi-ratelimit-headers).
fn with_limit(mut response: Response, left: RateLeft) -> Response {
    let policy = format!("\"program\";q={};w={}", left.at_once, left.window.as_secs());
    let now = format!("\"program\";r={};t={}", left.left, left.whole_after.as_millis().div_ceil(1000));
    for (name, value) in [("ratelimit-policy", policy), ("ratelimit", now)] {
        response
            .headers_mut()
            .extend(HeaderValue::try_from(value).ok().map(|value| (HeaderName::from_static(name), value)));
    }
    response
}

/// What pages of other sites may read of an answer besides its body.
const EXPOSED: &str = "etag, link, location, ratelimit, ratelimit-policy, retry-after, idempotency-replayed";

fn with_cors(mut response: Response) -> Response {
    let unauthorized = response.status() == StatusCode::UNAUTHORIZED;
    let headers = response.headers_mut();
    for (name, value) in [(header::CACHE_CONTROL, "no-store"), (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")] {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED));
    headers.append(header::VARY, HeaderValue::from_static("authorization"));
    if unauthorized {
        headers.entry(header::WWW_AUTHENTICATE).or_insert(HeaderValue::from_static("Bearer realm=\"matchbook\""));
    }
    response
}

/// Tells a browser which methods a page of another site may use (the Fetch standard, "CORS-preflight request"). It is
/// answered before routing, because no route accepts OPTIONS.
pub fn preflight(methods: &'static str) -> Response {
    let mut headers = HeaderMap::new();
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::ACCESS_CONTROL_ALLOW_METHODS, methods),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, "authorization, content-type, idempotency-key, if-none-match"),
        (header::ACCESS_CONTROL_MAX_AGE, "86400"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    (StatusCode::NO_CONTENT, headers).into_response()
}

fn known(parts: &Parts) -> Option<&(Token, Bearer)> {
    parts.extensions.get::<Caller>().and_then(|caller| caller.0.as_ref())
}

fn allowed(parts: &Parts, least: Scope) -> Result<account::Umpire, Problem> {
    match known(parts) {
        None => Err(needs_token()),
        Some((_, Bearer::Umpire { umpire, scope })) if *scope >= least => Ok(umpire.clone()),
        Some(_) if least == Scope::Admin => Err(forbidden("This needs the token of an admin, with the scope admin.")),
        Some(_) => Err(needs_umpire()),
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        Ok(Self(known(parts).cloned()))
    }
}

impl FromRequestParts<Arc<App>> for Umpire {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        Ok(Self { app: app.clone(), account: allowed(parts, Scope::Umpire)? })
    }
}

impl FromRequestParts<Arc<App>> for Admin {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let account = allowed(parts, Scope::Admin)?;
        let actor = account::actor(Channel::Api, Some(&account), Peer::of(&parts.extensions).0);
        Ok(Self { app: app.clone(), actor })
    }
}

impl FromRequestParts<Arc<App>> for Player {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        match known(parts) {
            Some((_, Bearer::Seat(access))) => {
                app.seats.note_here(access.seat_ref);
                Ok(Self { app: app.clone(), chair: access.seat_ref, access: *access })
            }
            Some(_) => Err(forbidden("This is for players: the token is the last part of a seat’s private link.")),
            None => Err(no_token("This needs a seat’s token: the last part of its private link.")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_borne_in_one_way() {
        assert_eq!(bearer("Bearer mb_x"), Some("mb_x"));
        assert_eq!(bearer("bearer  mb_x "), Some("mb_x"));
        for other in ["Basic eDp5", "mb_x", "", "Bearer"] {
            assert_eq!(bearer(other), None, "{other}");
        }
    }
}
