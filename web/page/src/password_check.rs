//! The page that asks for the password again before accounts, links and tokens change: a browser that somebody left
//! open must not be enough for that.

use app::App;
use app::account::{self, CHECK_MINUTES, CheckedBy, RateLimit, RateLimits};
use askama::Template;
use axum::http::HeaderMap;
use axum::response::Response;

use super::{Frame, rendered};
use web_http::visitor::{Peer, SignedIn, session_token};
use web_http::{ErrorKind, Problem};

#[derive(Clone, Copy, Debug)]
pub struct SentForm<'f> {
    pub action: &'static str,
    /// Its fields, without the password.
    pub fields: &'f [(&'static str, &'f str)],
    pub password: &'f str,
}

#[derive(Template)]
#[template(path = "password_check.html")]
struct CheckPage<'f> {
    frame: Frame,
    name: &'f str,
    action: &'static str,
    fields: &'f [(&'static str, &'f str)],
    minutes: i64,
    by: CheckedBy,
    problem: Option<String>,
}

impl CheckPage<'_> {
    /// What was typed and is not sent again, because there is no password to send it with.
    fn typed(&self) -> Option<&str> {
        let typed = self.fields.iter().find(|(name, value)| *name == "name" && !value.is_empty());
        typed.map(|(_, value)| *value).filter(|_| self.by != CheckedBy::Password)
    }
}

/// The sentence on a page with such forms: when the password is asked for again. Whose password is not enough, and who
/// signed in too long ago, reads it before filling anything in.
#[derive(Debug, Template)]
#[template(path = "check_notice.html")]
pub struct CheckNotice {
    acts: &'static str,
    minutes: i64,
    by: CheckedBy,
    is_checked: bool,
}

impl CheckNotice {
    pub async fn of(app: &App, umpire: &SignedIn, headers: &HeaderMap, acts: &'static str) -> Result<Self, Problem> {
        let (pool, system) = (app.pool(), app.system());
        let is_checked = match session_token(headers) {
            Some(session) => account::is_checked(pool, system, &session).await?,
            None => false,
        };
        let by = account::checked_by(pool, &umpire.0).await?;
        Ok(Self { acts, minutes: CHECK_MINUTES, by, is_checked })
    }
}

/// None if the umpire was checked a short time ago, or typed the right password with this form; otherwise the page that
/// asks for it, with what was filled in, also after too many tries.
pub async fn password_check(
    app: &App,
    limits: &RateLimits,
    umpire: &SignedIn,
    peer: Peer,
    headers: &HeaderMap,
    form: SentForm<'_>,
) -> Result<Option<Response>, Problem> {
    let (pool, system, who) = (app.pool(), app.system(), &umpire.0);
    let session = session_token(headers);
    if let Some(session) = &session
        && account::is_checked(pool, system, session).await?
    {
        return Ok(None);
    }
    let by = account::checked_by(pool, who).await?;
    let typed = session.filter(|_| by == CheckedBy::Password && !form.password.is_empty());
    let mut refusal = Problem::of(
        ErrorKind::NotChecked,
        format!(
            "Your last check is more than {CHECK_MINUTES} minutes ago. Send the form with your password, or sign in again."
        ),
    );
    if let Some(session) = &typed {
        refusal = match limits.count(system, RateLimit::Check, session.hash().bytes()) {
            Err(many) => Problem::too_many(many.retry_seconds),
            Ok(()) if account::check(pool, system, &peer.actor(Some(who)), who, session, form.password).await? => {
                return Ok(None);
            }
            Ok(()) => refusal.saying("This password is not right. Type it again."),
        };
    }
    let mut frame = Frame::titled("Sign in again to do this").in_section("account");
    frame.umpire = Some(who.name.clone());
    let page = CheckPage {
        frame,
        name: &who.name,
        action: form.action,
        fields: form.fields,
        minutes: CHECK_MINUTES,
        by,
        problem: typed.map(|_| refusal.detail.clone()),
    };
    let mut response = refusal.with_headers(rendered(refusal.status(), &page)?);
    response.extensions_mut().insert(refusal);
    Ok(Some(response))
}
