//! Signing in with an account at Discord: the authorization code grant of OAuth 2.0 (RFC 6749, section 4.1) with a state
//! and a proof key (RFC 7636).
//!
//! A sign-in ends in the browser where it began, once. The browser has a token in a cookie; state and proof key are derived
//! from it with an HMAC, and the database has its hash until it is used. Discord's access token serves one request for the
//! account's id: it is never stored, shown or logged.

use std::path::Path;
use std::time::Duration;
use std::{fmt, fs, io};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use bytes::Bytes;
use chrono::TimeDelta;
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use store::PgPool;
use store::accounts::discord_sign_ins;
use thiserror::Error;

use super::{AccountError, Snowflake, Token, Umpire};
use crate::fetch::{Fetch, Fetched, Limits, Reach};
use crate::system::System;

pub const SIGN_IN_MINUTES: i64 = 10;
/// Short limits: a person waits for the page.
const LIMITS: Limits = Limits { time: Duration::from_secs(10), bytes: 64 * 1024 };
const CODE_MAX_BYTES: usize = 512;
/// The form that Discord requires of clients (<https://docs.discord.com/developers/reference#user-agent>).
pub const DISCORD_AGENT: &str = concat!("DiscordBot (https://localhost/matchbook, ", env!("CARGO_PKG_VERSION"), ")");
/// The only scope that is requested: the account's id and name.
const SCOPE: &str = "identify";

#[derive(Debug)]
pub struct Authorization {
    client: Snowflake,
    secret: ClientSecret,
    fetch: Fetch,
    base: String,
}

pub struct ClientSecret(String);

#[derive(Debug, Error)]
pub enum ClientSecretError {
    #[error("the file with Discord's client secret cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("the file with Discord's client secret holds none: put the secret into it, and nothing else")]
    Text,
}

/// The query with which Discord sends a browser back. `Debug` does not show it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub struct CallbackQuery {
    state: String,
    code: String,
    error: String,
}

#[derive(Debug, Error)]
pub enum SignInError {
    #[error("it was begun in another browser, too long ago, or ended before")]
    Stale,
    #[error("it was not allowed at Discord")]
    Denied,
    #[error("Discord does not answer: {0}")]
    Away(String),
    #[error("Discord does not take it: {0}")]
    Refused(String),
    #[error("no umpire has linked this account at Discord")]
    Unlinked,
    #[error(transparent)]
    Account(#[from] AccountError),
}

#[derive(Debug)]
pub struct PendingSignIn {
    pub links: Option<String>,
    token: Token,
}

#[derive(Deserialize)]
struct TokenResponse {
    access_token: String,
    token_type: String,
    #[serde(default)]
    scope: String,
}

#[derive(Deserialize)]
struct UserResponse {
    id: Snowflake,
}

impl ClientSecret {
    pub fn read(file: &Path) -> Result<Self, ClientSecretError> {
        Self::of(fs::read_to_string(file)?.trim()).ok_or(ClientSecretError::Text)
    }

    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let fits = !text.is_empty() && text.len() <= 200 && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }
}

impl fmt::Debug for ClientSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientSecret(..)")
    }
}

impl fmt::Debug for CallbackQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CallbackQuery(..)")
    }
}

fn keyed_hash(token: &Token, purpose: &str) -> Option<Hmac<Sha256>> {
    let mac = Hmac::<Sha256>::new_from_slice(&token.0).ok()?;
    Some(mac.chain_update(format!("matchbook/discord-{purpose}/1\n")))
}

/// A value for one purpose: 43 characters that need no escaping in an address.
fn derive(token: &Token, purpose: &str) -> String {
    keyed_hash(token, purpose).map(|mac| URL_SAFE_NO_PAD.encode(mac.finalize().into_bytes())).unwrap_or_default()
}

/// True if a state belongs to a browser's token. It takes constant time.
fn is_state_of(state: &str, token: &Token) -> bool {
    let sent = URL_SAFE_NO_PAD.decode(state).unwrap_or_default();
    keyed_hash(token, "state").is_some_and(|mac| mac.verify_slice(&sent).is_ok())
}

/// The proof key's public half (RFC 7636, section 4.2).
fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(verifier))
}

impl Authorization {
    #[must_use]
    pub fn new(client: Snowflake, secret: ClientSecret, base: &str, reach: Reach) -> Self {
        Self { client, secret, fetch: Fetch::reaching(reach, LIMITS), base: base.trim_end_matches('/').to_owned() }
    }

    pub async fn begin(
        &self,
        pool: &PgPool,
        system: &System,
        back: &str,
        links: Option<&Umpire>,
    ) -> Result<(Token, String), AccountError> {
        let now = system.now().to_utc();
        let token = Token::fresh(system);
        let (links, expires) = (links.map(|umpire| umpire.id.as_str()), now + TimeDelta::minutes(SIGN_IN_MINUTES));
        discord_sign_ins::begin(pool, &token.hash(), links, now, expires).await?;
        let query = form(&[
            ("response_type", "code"),
            ("client_id", &self.client.to_string()),
            ("scope", SCOPE),
            ("redirect_uri", back),
            ("state", &derive(&token, "state")),
            ("code_challenge", &challenge(&derive(&token, "verifier"))),
            ("code_challenge_method", "S256"),
        ]);
        Ok((token, format!("{}/oauth2/authorize?{query}", self.base)))
    }

    /// Resumes the sign-in that this browser began. It cannot be resumed again, whatever its outcome.
    pub async fn resume(
        &self,
        pool: &PgPool,
        system: &System,
        cookie: Option<Token>,
        brought: &CallbackQuery,
    ) -> Result<PendingSignIn, SignInError> {
        let token = cookie.filter(|token| is_state_of(&brought.state, token)).ok_or(SignInError::Stale)?;
        let ended = discord_sign_ins::end(pool, &token.hash(), system.now().to_utc()).await;
        let links = ended.map_err(AccountError::from)?.ok_or(SignInError::Stale)?;
        Ok(PendingSignIn { links, token })
    }

    pub async fn user_id(
        &self,
        begun: &PendingSignIn,
        brought: &CallbackQuery,
        back: &str,
    ) -> Result<Snowflake, SignInError> {
        if brought.error == "access_denied" {
            return Err(SignInError::Denied);
        }
        let fits = !brought.code.is_empty() && brought.code.len() <= CODE_MAX_BYTES;
        if !brought.error.is_empty() || !fits {
            return Err(SignInError::Refused("it sent no code".to_owned()));
        }
        let asked = form(&[
            ("grant_type", "authorization_code"),
            ("code", &brought.code),
            ("redirect_uri", back),
            ("code_verifier", &derive(&begun.token, "verifier")),
        ]);
        let credentials = STANDARD.encode(format!("{}:{}", self.client, self.secret.0));
        let granted: TokenResponse =
            self.ask(Method::POST, "/oauth2/token", format!("Basic {credentials}"), asked).await?;
        let identifies = granted.scope.split(' ').any(|scope| scope == SCOPE);
        if !granted.token_type.eq_ignore_ascii_case("bearer") || !identifies {
            return Err(SignInError::Refused("it grants something else than was asked for".to_owned()));
        }
        let bearer = format!("Bearer {}", granted.access_token);
        let user: UserResponse = self.ask(Method::GET, "/users/@me", bearer, String::new()).await?;
        Ok(user.id)
    }

    async fn ask<A: for<'de> Deserialize<'de>>(
        &self,
        method: Method,
        path: &str,
        credentials: String,
        form: String,
    ) -> Result<A, SignInError> {
        let unsaid = |_| SignInError::Refused("what it gave cannot be sent back".to_owned());
        let mut credentials = HeaderValue::try_from(credentials).map_err(unsaid)?;
        credentials.set_sensitive(true);
        let mut headers = HeaderMap::from_iter([(header::AUTHORIZATION, credentials)]);
        headers.insert(header::USER_AGENT, HeaderValue::from_static(DISCORD_AGENT));
        headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
        if !form.is_empty() {
            let kind = HeaderValue::from_static("application/x-www-form-urlencoded");
            headers.insert(header::CONTENT_TYPE, kind);
        }
        let answer = self.fetch.send(method, &format!("{}{path}", self.base), headers, Bytes::from(form)).await;
        let Fetched { status, body, .. } = answer.map_err(|error| SignInError::Away(error.to_string()))?;
        match status {
            StatusCode::OK => serde_json::from_slice(&body)
                .map_err(|_| SignInError::Refused(format!("its answer to {path} cannot be read"))),
            StatusCode::TOO_MANY_REQUESTS => Err(SignInError::Away(format!("{status} to {path}"))),
            status if status.is_server_error() => Err(SignInError::Away(format!("{status} to {path}"))),
            status => Err(SignInError::Refused(format!("{status} to {path}"))),
        }
    }
}

fn form(fields: &[(&str, &str)]) -> String {
    // A plus is a space in forms alone, and %20 is one in queries as well.
    url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish().replace('+', "%20")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_belongs_to_one_browser() {
        let (mine, other) = (Token::of([1; 32]), Token::of([2; 32]));
        let state = derive(&mine, "state");
        assert!(is_state_of(&state, &mine));
        assert!(!is_state_of(&state, &other));
        assert!(!is_state_of(&derive(&mine, "verifier"), &mine));
        for wrong in ["", "x", &state[..42], &format!("{state}A")] {
            assert!(!is_state_of(wrong, &mine), "{wrong:?}");
        }
    }

    #[test]
    fn the_challenge_is_the_example_of_the_standard() {
        // RFC 7636, appendix B.
        assert_eq!(
            challenge("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"),
            "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        );
        assert_eq!(derive(&Token::of([1; 32]), "verifier").len(), 43);
    }

    #[test]
    fn a_secret_is_never_shown() {
        assert_eq!(format!("{:?}", ClientSecret::of("secret")), "Some(ClientSecret(..))");
        assert!(ClientSecret::of("two words").is_none());
        assert!(ClientSecret::of("").is_none());
    }

    #[test]
    fn fields_are_escaped() {
        assert_eq!(form(&[("a", "http://x/y?z"), ("b", "1 2&3")]), "a=http%3A%2F%2Fx%2Fy%3Fz&b=1%202%263");
    }
}
