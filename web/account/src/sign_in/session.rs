//! The session that a browser carries in a cookie.

use std::sync::Arc;

use app::App;
use app::account::{self, SESSION_DAYS, Token};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};

use web_http::visitor::{Peer, Visitor, session_cookie};
use web_http::{Problem, is_https};

/// The cookie for a session's token: sent only to this site, not readable by scripts, and restricted to HTTPS if the
/// browser came by HTTPS.
pub(super) fn cookie(token: &Token, headers: &HeaderMap) -> Result<HeaderValue, Problem> {
    let seconds = SESSION_DAYS * 24 * 60 * 60;
    set(&format!("{}={}; Max-Age={seconds}", session_cookie(headers), token.reveal()), "/", headers)
}

pub(super) fn set(pair: &str, path: &str, headers: &HeaderMap) -> Result<HeaderValue, Problem> {
    let secure = if is_https(headers) { "; Secure" } else { "" };
    let cookie = HeaderValue::try_from(format!("{pair}; Path={path}; HttpOnly; SameSite=Lax{secure}"));
    let mut cookie = cookie.map_err(|error| Problem::broken(&error))?;
    cookie.set_sensitive(true);
    Ok(cookie)
}

pub(super) async fn end(
    State(app): State<Arc<App>>,
    peer: Peer,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    if let Some(token) = web_http::visitor::session_token(&headers) {
        let actor = peer.actor(visitor.umpire.as_ref());
        account::sign_out(app.pool(), app.system(), &actor, &token).await.map_err(super::failed)?;
    }
    let cookie = set(&format!("{}=; Max-Age=0", session_cookie(&headers)), "/", &headers)?;
    Ok(([(header::SET_COOKIE, cookie)], Redirect::to("/sign-in")).into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie_of(headers: &HeaderMap) -> String {
        let token: Token = "ab".repeat(32).parse().unwrap();
        cookie(&token, headers).unwrap().to_str().unwrap().to_owned()
    }

    #[test]
    fn the_cookie_is_for_this_site_alone() {
        let plain = cookie_of(&HeaderMap::new());
        let token = "ab".repeat(32);
        assert_eq!(plain, format!("matchbook-session={token}; Max-Age=2592000; Path=/; HttpOnly; SameSite=Lax"));
        let by_https =
            HeaderMap::from_iter([("x-forwarded-proto".parse().unwrap(), HeaderValue::from_static("https"))]);
        // The prefix makes browsers refuse it from a site beside this one, and without HTTPS.
        assert_eq!(cookie_of(&by_https), format!("__Host-{plain}; Secure"));
    }
}
