//! The sender of a request for a page: session, address, browser.

mod beacon_round_limit;
mod browser;
mod peer;
mod player_key_limit;

use std::sync::Arc;

use app::account::{Token, Umpire, of_session};
use app::obstacle::Obstacle;
use app::{App, AppError, by_umpire};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};

use crate::{ErrorKind, Problem, is_https};

pub use beacon_round_limit::count_round;
pub use browser::browser;
pub use peer::UndeclaredProxy;
pub use peer::{Peer, forwarded};
pub use player_key_limit::count_player_key;

const COOKIE: &str = "matchbook-session";
/// The session's cookie with HTTPS: with this prefix no site beside this one can set it (RFC 6265bis, section 4.1.3.2).
const HTTPS_COOKIE: &str = "__Host-matchbook-session";

#[derive(Clone, Debug, Default)]
pub struct Visitor {
    pub umpire: Option<Umpire>,
}

#[derive(Clone, Debug)]
pub struct SignedIn(
    /// The umpire.
    pub Umpire,
    /// What keeps the site from accepting or closing anything, which umpires must know.
    pub Option<Obstacle>,
);

impl SignedIn {
    #[must_use]
    pub fn by(&self) -> ledger::Author {
        by_umpire(&self.0.id)
    }
}

impl Visitor {
    #[must_use]
    pub fn name(&self) -> Option<String> {
        self.umpire.as_ref().map(|umpire| umpire.name.clone())
    }
}

#[must_use]
pub fn session_token(headers: &HeaderMap) -> Option<Token> {
    cookie(headers, session_cookie(headers))
}

#[must_use]
pub fn session_cookie(headers: &HeaderMap) -> &'static str {
    if is_https(headers) { HTTPS_COOKIE } else { COOKIE }
}

/// The name of a cookie that is sent to a part of this site alone. With HTTPS its prefix keeps pages without HTTPS from
/// setting it (RFC 6265bis, section 4.1.3.1).
#[must_use]
pub fn cookie_of_part(headers: &HeaderMap, name: &str) -> String {
    if is_https(headers) { format!("__Secure-{name}") } else { name.to_owned() }
}

#[must_use]
pub fn seat_cookie(headers: &HeaderMap, slug: &str, seat: &str) -> String {
    cookie_of_part(headers, &format!("matchbook-play-{slug}-{seat}"))
}

#[must_use]
pub fn cookie(headers: &HeaderMap, name: &str) -> Option<Token> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|cookies| cookies.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(sent, _)| *sent == name).and_then(|(_, value)| value.parse().ok())
}

impl FromRequestParts<Arc<App>> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let Some(token) = session_token(&parts.headers) else { return Ok(Self::default()) };
        let umpire = of_session(app.pool(), app.system(), &token).await;
        Ok(Self { umpire: umpire.map_err(AppError::from_account)? })
    }
}

impl FromRequestParts<Arc<App>> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Problem> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        visitor.umpire.map(|umpire| Self(umpire, app.obstacle())).ok_or_else(|| {
            let detail = "This page is for umpires. Open the sign-in link that you were given, then come back.";
            Problem::of(ErrorKind::NotSignedIn, detail).back("/sign-in", "How to sign in")
        })
    }
}
