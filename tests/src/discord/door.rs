//! Discord's sign-in, as far as this program uses it: it asks the user, gives a code to the browser, a token for the
//! code, and the user's id for the token. A fault in a request fails the test.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use anyhow::{Result, ensure};
use app::account::{Authorization, ClientSecret};
use app::fetch::Reach;
use axum::extract::{Form, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;

use super::stand_in::{APPLICATION, account};

pub(crate) const SECRET: &str = "client-secret-that-nobody-may-see";
/// APPLICATION and SECRET, encoded as in RFC 7617.
const BASIC: &str = "Basic MTMwNDkyMzgyOTE4NDcyOTEzODpjbGllbnQtc2VjcmV0LXRoYXQtbm9ib2R5LW1heS1zZWU=";
/// The prefix of every code and token.
pub(crate) const CODE: &str = "code-that-nobody-may-see-";
pub(crate) const ACCESS: &str = "access-that-nobody-may-see-";

type Fields = BTreeMap<String, String>;

#[derive(Debug, Default)]
struct Inner {
    faults: Vec<String>,
    /// The return address registered for the application at Discord.
    back: String,
    /// The user who signs in, who always agrees.
    user: Option<i64>,
    /// The challenge and the account of each unused code.
    codes: HashMap<String, (String, i64)>,
    tokens: HashMap<String, i64>,
    /// The number of requests for a token.
    asked: usize,
    /// The planned answers to the next requests for a token.
    moods: Vec<(StatusCode, Value)>,
}

/// The stand-in for Discord's sign-in.
#[derive(Clone, Debug)]
pub(crate) struct Door {
    pub(crate) address: String,
    inner: Arc<Mutex<Inner>>,
}

/// Base64 for addresses, without padding (RFC 4648, section 5).
fn base64url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: Vec<bool> = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1)).collect();
    let six = bits.chunks(6).map(|six| (0..6).fold(0, |sum, at| sum * 2 + usize::from(six.get(at) == Some(&true))));
    six.map(|six| char::from(LETTERS[six])).collect()
}

impl Door {
    /// A stand-in that leads back to a site at this address.
    pub(crate) async fn open(site: &str) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = format!("http://{}", listener.local_addr()?);
        let back = format!("{site}/sign-in/discord/back");
        let door = Self { address, inner: Arc::new(Mutex::new(Inner { back, ..Inner::default() })) };
        let routes = Router::new()
            .route("/oauth2/authorize", get(authorize))
            .route("/oauth2/token", post(token))
            .route("/users/@me", get(me))
            .with_state(door.clone());
        tokio::spawn(async move { drop(axum::serve(listener, routes).await) });
        Ok(door)
    }

    /// The application that users sign in with.
    pub(crate) fn application(address: &str) -> Result<Arc<Authorization>> {
        let secret = ClientSecret::of(SECRET).ok_or_else(|| anyhow::anyhow!("a secret"))?;
        Ok(Arc::new(Authorization::new(APPLICATION.to_string().parse()?, secret, address, Reach::Anywhere)))
    }

    /// Sets the user who agrees from now on.
    pub(crate) fn stands(&self, user: Option<i64>) {
        self.inner.lock().expect("a lock").user = user;
    }

    /// Plans the answer to the next request for a token.
    pub(crate) fn answers(&self, status: StatusCode, body: Value) {
        self.inner.lock().expect("a lock").moods.push((status, body));
    }

    /// The number of requests for a token; an error if any request had a fault.
    pub(crate) fn asked(&self) -> Result<usize> {
        let inner = self.inner.lock().expect("a lock");
        ensure!(inner.faults.is_empty(), "{:#?}", inner.faults);
        Ok(inner.asked)
    }
}

async fn authorize(State(door): State<Door>, Query(sent): Query<Fields>) -> Response {
    let mut inner = door.inner.lock().expect("a lock");
    let field = |name: &str| sent.get(name).cloned().unwrap_or_default();
    let (state, challenge) = (field("state"), field("code_challenge"));
    let fixed = [
        ("response_type", "code".to_owned()),
        ("client_id", APPLICATION.to_string()),
        ("scope", "identify".to_owned()),
        ("redirect_uri", inner.back.clone()),
        ("code_challenge_method", "S256".to_owned()),
    ];
    for (name, value) in &fixed {
        if field(name) != *value {
            inner.faults.push(format!("{name} is {:?}", field(name)));
        }
    }
    if sent.len() != fixed.len() + 2 || state.len() < 43 || challenge.len() != 43 {
        inner.faults.push(format!("{sent:?}"));
    }
    let answer = match inner.user {
        Some(user) => {
            let code = format!("{CODE}{}", inner.codes.len() + inner.asked);
            inner.codes.insert(code.clone(), (challenge, user));
            format!("code={code}")
        }
        None => "error=access_denied&error_description=The+resource+owner+denied+the+request".to_owned(),
    };
    (StatusCode::FOUND, [(header::LOCATION, format!("{}?{answer}&state={state}", inner.back))]).into_response()
}

impl Inner {
    fn headers(&mut self, headers: &HeaderMap, credentials: &str) {
        let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        if !text(header::USER_AGENT).is_some_and(|agent| agent.starts_with("DiscordBot (")) {
            self.faults.push(format!("a user agent that Discord blocks: {headers:?}"));
        }
        if text(header::AUTHORIZATION) != Some(credentials) {
            self.faults.push("other credentials than those that belong there".to_owned());
        }
    }
}

async fn token(State(door): State<Door>, headers: HeaderMap, Form(sent): Form<Fields>) -> Response {
    let mut inner = door.inner.lock().expect("a lock");
    inner.asked += 1;
    inner.headers(&headers, BASIC);
    if let Some((status, body)) = inner.moods.pop() {
        return (status, Json(body)).into_response();
    }
    let field = |name: &str| sent.get(name).cloned().unwrap_or_default();
    if field("grant_type") != "authorization_code" || field("redirect_uri") != inner.back || sent.len() != 4 {
        inner.faults.push(format!("{sent:?}"));
    }
    let Some((challenge, user)) = inner.codes.remove(&field("code")) else {
        return (StatusCode::BAD_REQUEST, Json(json!({ "error": "invalid_grant" }))).into_response();
    };
    if base64url(&Sha256::digest(field("code_verifier"))) != challenge {
        inner.faults.push("the verifier is not that of the challenge".to_owned());
    }
    let access = format!("{ACCESS}{}", inner.asked);
    inner.tokens.insert(access.clone(), user);
    Json(granted(&access, "identify")).into_response()
}

/// A token in Discord's format.
pub(crate) fn granted(access: &str, scope: &str) -> Value {
    json!({ "token_type": "Bearer", "access_token": access, "expires_in": 604_800, "refresh_token": "r", "scope": scope })
}

async fn me(State(door): State<Door>, headers: HeaderMap) -> Response {
    let mut inner = door.inner.lock().expect("a lock");
    let sent = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let access = sent.trim_start_matches("Bearer ").to_owned();
    inner.headers(&headers, &format!("Bearer {access}"));
    match inner.tokens.get(&access) {
        Some(user) => Json(account(*user)).into_response(),
        None => (StatusCode::UNAUTHORIZED, Json(json!({ "message": "401: Unauthorized", "code": 0 }))).into_response(),
    }
}
