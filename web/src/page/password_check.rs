//! The page that asks for the password again before accounts, links and tokens change: a browser that somebody left
//! open must not be enough for that.

use app::App;
use app::account::{self, CHECK_MINUTES, RateLimit, RateLimits};
use askama::Template;
use axum::http::HeaderMap;
use axum::response::Response;

use super::{Frame, rendered};
use crate::http::{ErrorKind, Problem};
use crate::visitor::{Peer, SignedIn, session_token};

/// A form that was sent. It is sent again with the password.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SentForm<'f> {
    /// Its address.
    pub(crate) action: &'static str,
    /// Its fields, without the password.
    pub(crate) fields: &'f [(&'static str, &'f str)],
    /// The password; empty if none was typed yet.
    pub(crate) password: &'f str,
}

#[derive(Template)]
#[template(path = "page/password_check.html")]
struct CheckPage<'f> {
    frame: Frame,
    name: &'f str,
    action: &'static str,
    fields: &'f [(&'static str, &'f str)],
    minutes: i64,
    has_password: bool,
    problem: Option<String>,
}

/// None if the umpire was checked a short time ago, or typed the right password with this form; otherwise the page that
/// asks for it.
///
/// # Errors
/// Too many tries, or the database.
pub(crate) async fn password_check(
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
    let has_password = account::has_password(pool, who).await?;
    let typed = session.filter(|_| has_password && !form.password.is_empty());
    if let Some(session) = &typed {
        let counted = limits.count(system, RateLimit::Name, who.name.as_bytes());
        counted.map_err(|many| Problem::too_many(many.retry_seconds).back("/account", "Back to your account"))?;
        if account::check(pool, system, &peer.actor(Some(who)), who, session, form.password).await? {
            return Ok(None);
        }
    }
    let wrong = typed.map(|_| "This password is not right. Type it again.".to_owned());
    let why = wrong.clone().unwrap_or_else(|| {
        format!("Your last check is more than {CHECK_MINUTES} minutes ago. Send the form with your password, or sign in again.")
    });
    let refusal = Problem::of(ErrorKind::NotChecked, why);
    let mut frame = Frame::titled("Your password, once more").in_section("account");
    frame.umpire = Some(who.name.clone());
    let page = CheckPage {
        frame,
        name: &who.name,
        action: form.action,
        fields: form.fields,
        minutes: CHECK_MINUTES,
        has_password,
        problem: wrong,
    };
    let mut response = rendered(refusal.status(), &page)?;
    response.extensions_mut().insert(refusal);
    Ok(Some(response))
}
