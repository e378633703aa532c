//! Signing in with an account at Discord, if the operator has set that up, and linking such accounts.
//!
//! A form leads to Discord by way of a page: a redirect would count as part of sending the form, which every page's
//! policy restricts to this site. The address to which Discord returns redirects at once, so that Discord's code stays
//! in no address.

use std::sync::Arc;

use app::App;
use app::account::{
    self, Authorization, CallbackQuery, PendingSignIn, RateLimit, RateLimits, SIGN_IN_MINUTES, SignInError, Token,
    Umpire, chat,
};
use askama::Template;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use axum::{Extension, Form};
use serde::Deserialize;

use super::{failed, session};
use page::{Frame, SentForm, page, password_check};
use web_http::visitor::{Peer, SignedIn, Visitor, cookie_of_part};
use web_http::{Problem, site};

/// The cookie for a sign-in that this browser began at Discord.
const COOKIE: &str = "matchbook-discord";
const PATH: &str = "/sign-in/discord";
/// The address to which Discord returns.
const BACK: &str = "/sign-in/discord/back";

#[derive(Clone, Debug)]
pub(super) struct DiscordApp(pub(super) Option<Arc<Authorization>>);

#[derive(Template)]
#[template(path = "sign_in/discord.html")]
struct RedirectPage {
    frame: Frame,
    address: String,
}

#[derive(Deserialize)]
pub(super) struct LinkForm {
    #[serde(default)]
    what: String,
    #[serde(default)]
    password: String,
}

impl DiscordApp {
    fn open(&self) -> Result<&Authorization, Problem> {
        let detail = "This site is not set up for signing in with Discord. Sign in by a link or with a password.";
        self.0.as_deref().ok_or_else(|| Problem::not_found(detail).back("/sign-in", "How to sign in"))
    }
}

pub(super) async fn begin(
    State(app): State<Arc<App>>,
    Extension(discord_app): Extension<DiscordApp>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let counted = limits.count(app.system(), RateLimit::Address, &peer.counted());
    counted.map_err(|many| Problem::too_many(many.retry_seconds))?;
    redirect(&app, discord_app.open()?, &headers, None).await
}

pub(super) async fn back() -> Redirect {
    Redirect::to("/sign-in")
}

pub(super) async fn send(
    State(app): State<Arc<App>>,
    Extension(discord_app): Extension<DiscordApp>,
    Extension(limits): Extension<Arc<RateLimits>>,
    peer: Peer,
    umpire: SignedIn,
    headers: HeaderMap,
    Form(LinkForm { what, password }): Form<LinkForm>,
) -> Result<Response, Problem> {
    match what.as_str() {
        what @ ("link" | "unlink") => {
            let form = SentForm { action: "/account/discord", fields: &[("what", what)], password: &password };
            if let Some(asks) = password_check(&app, &limits, &umpire, peer, &headers, form).await? {
                return Ok(asks);
            }
            if what == "link" {
                return redirect(&app, discord_app.open()?, &headers, Some(&umpire.0)).await;
            }
            let actor = peer.actor(Some(&umpire.0));
            chat::unlink(app.pool(), app.system(), &actor, &umpire.0).await.map_err(failed)?;
            Ok(Redirect::to("/account?done=unlinked").into_response())
        }
        _ => Err(Problem::refused("This form says nothing that can be done here. Open its page again.")
            .back("/account", "Back to your account")),
    }
}

async fn redirect(
    app: &App,
    discord: &Authorization,
    headers: &HeaderMap,
    links: Option<&Umpire>,
) -> Result<Response, Problem> {
    let back = format!("{}{BACK}", site(headers));
    let (token, address) = discord.begin(app.pool(), app.system(), &back, links).await.map_err(failed)?;
    let mut frame = Frame::titled("On to Discord").in_section("sign-in");
    frame.umpire = links.map(|umpire| umpire.name.clone());
    let refresh = HeaderValue::try_from(format!("0; url={address}")).map_err(|error| Problem::broken(&error))?;
    let mut response = page(&RedirectPage { frame, address })?;
    let seconds = SIGN_IN_MINUTES * 60;
    let name = cookie_of_part(headers, COOKIE);
    let cookie = session::set(&format!("{name}={}; Max-Age={seconds}", token.reveal()), PATH, headers)?;
    response.headers_mut().append(header::SET_COOKIE, cookie);
    response.headers_mut().insert(header::REFRESH, refresh);
    Ok(response)
}

pub(super) async fn end(
    State(app): State<Arc<App>>,
    Extension(discord_app): Extension<DiscordApp>,
    peer: Peer,
    visitor: Visitor,
    headers: HeaderMap,
    brought: Result<Query<CallbackQuery>, QueryRejection>,
) -> Result<Response, Problem> {
    let discord = discord_app.open()?;
    // Parameters that Discord never sends match no state.
    let brought = brought.map(|Query(brought)| brought).unwrap_or_default();
    let name = cookie_of_part(&headers, COOKIE);
    let begun = discord.resume(app.pool(), app.system(), web_http::visitor::cookie(&headers, &name), &brought).await;
    let links = begun.as_ref().map_or(visitor.umpire.is_some(), |begun| begun.links.is_some());
    let ended = match begun {
        // This is read with GET, and links or signs in.
        Ok(begun) => app.kept(finish(&app, discord, &begun, &brought, &visitor, peer, &headers), Result::is_ok).await?,
        Err(error) => Err(error),
    };
    let mut response = match ended {
        Ok(Some(token)) => {
            ([(header::SET_COOKIE, session::cookie(&token, &headers)?)], Redirect::to("/umpire")).into_response()
        }
        Ok(None) => Redirect::to("/account?done=linked").into_response(),
        Err(error) => {
            let place = if links { "/account" } else { "/sign-in" };
            Redirect::to(&format!("{place}?discord={}", word(error)?)).into_response()
        }
    };
    let over = session::set(&format!("{name}=; Max-Age=0"), PATH, &headers)?;
    response.headers_mut().append(header::SET_COOKIE, over);
    Ok(response)
}

/// Completes the sign-in or the link: a session for a sign-in, and none for a link.
async fn finish(
    app: &App,
    discord: &Authorization,
    begun: &PendingSignIn,
    brought: &CallbackQuery,
    visitor: &Visitor,
    peer: Peer,
    headers: &HeaderMap,
) -> Result<Option<Token>, SignInError> {
    let (pool, system) = (app.pool(), app.system());
    let back = format!("{}{BACK}", site(headers));
    let Some(links) = &begun.links else {
        let user = discord.user_id(begun, brought, &back).await?;
        let umpire = chat::umpire_of(pool, user).await?.ok_or(SignInError::Unlinked)?;
        let (actor, browser) = (peer.actor(None), web_http::visitor::browser(headers));
        return Ok(Some(account::sign_in_known(pool, system, &actor, &umpire, &browser).await?));
    };
    // If the umpire signed out meanwhile, or in as somebody else, the link is stale.
    let umpire = visitor.umpire.as_ref().filter(|umpire| umpire.id == *links).ok_or(SignInError::Stale)?;
    let user = discord.user_id(begun, brought, &back).await?;
    chat::link(pool, system, &peer.actor(Some(umpire)), user, &umpire.id).await?;
    Ok(None)
}

fn word(error: SignInError) -> Result<&'static str, Problem> {
    if let SignInError::Away(_) | SignInError::Refused(_) = error {
        tracing::warn!(%error, "somebody could not sign in with Discord");
    }
    Ok(match error {
        SignInError::Stale => "stale",
        SignInError::Denied => "denied",
        SignInError::Away(_) => "away",
        SignInError::Refused(_) => "refused",
        SignInError::Unlinked => "unknown",
        SignInError::Account(error) => return Err(failed(error)),
    })
}

pub(super) fn sentence(query: Option<&str>) -> Option<&'static str> {
    Some(match query?.strip_prefix("discord=")? {
        "stale" => {
            "This was begun in another browser, more than ten minutes ago, or ended before. Nothing was done: begin again \
             here."
        }
        "denied" => "You did not allow it at Discord, so nothing was done.",
        "away" => {
            "Discord does not answer just now, so nothing was done. Try again in a minute; a link or a password signs in \
             meanwhile."
        }
        "refused" => {
            "Discord did not confirm who you are, so nothing was done. Begin again; if it stays like this, tell the operator of this \
             site. The program\u{2019}s log says why."
        }
        "unknown" => {
            "This account at Discord belongs to no umpire here, and no account was made for it. Sign in by a link or with \
             a password, and press \u{201c}Link an account at Discord\u{201d} on your account\u{2019}s page: from then on \
             it signs you in."
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_failure_has_a_sentence() {
        let why = String::new;
        for error in [
            SignInError::Stale,
            SignInError::Denied,
            SignInError::Away(why()),
            SignInError::Refused(why()),
            SignInError::Unlinked,
        ] {
            let query = format!("discord={}", word(error).unwrap());
            assert!(sentence(Some(&query)).is_some(), "{query}");
        }
        assert_eq!(sentence(Some("discord=<b>")), None);
    }
}
