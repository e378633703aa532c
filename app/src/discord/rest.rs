//! Requests to Discord: one after the other, within its rate limits, and without tokens in any text.

use std::path::Path;
use std::time::Duration;
use std::{fmt, fs, io};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use serde::Deserialize;
use serde_json::Value;
use thiserror::Error;

use super::message::Message;
use super::multipart;
use crate::account::DISCORD_AGENT;
use crate::fetch::{Fetch, FetchError, Limits};

/// The address of Discord's API, with its version (<https://docs.discord.com/developers/reference#api-versioning>).
pub const DISCORD: &str = "https://discord.com/api/v10";
/// An uploaded picture has some 50 kB, and an answer much less.
const LIMITS: Limits = Limits { time: Duration::from_secs(20), bytes: 1024 * 1024 };
/// The pause after a limit without a time.
const LIMITED: Duration = Duration::from_secs(5);
const WAIT_MAX: Duration = Duration::from_secs(600);
const TRIES: u32 = 6;

/// The token of the application's bot. `Debug` does not show it.
#[derive(Clone)]
pub struct BotToken(String);

#[derive(Debug, Error)]
pub enum BotTokenError {
    #[error("the file with Discord's token cannot be read: {0}")]
    Read(#[from] io::Error),
    #[error("the file with Discord's token holds no token: put the bot's token into it, and nothing else")]
    Text,
}

#[derive(Clone, Debug)]
pub struct Rest {
    fetch: Fetch,
    base: String,
}

#[derive(Debug)]
pub enum Body<'b> {
    Json(Value),
    Message(&'b Message),
}

#[derive(Debug)]
pub struct Answer {
    pub body: Value,
    pub pause: Option<Duration>,
}

/// The reason why a request failed. It contains no address, because Discord's addresses contain tokens.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RestError {
    /// There was no answer.
    #[error("Discord cannot be reached: {0}")]
    Unreachable(String),
    /// Too many requests.
    #[error("Discord takes no more for {} s", .after.as_secs())]
    Limited {
        /// The time to wait.
        after: Duration,
        /// True if the limit holds for all requests of this application.
        global: bool,
    },
    /// A server error of Discord.
    #[error("Discord answers {0}")]
    Failing(StatusCode),
    /// Not allowed, or no longer there.
    #[error("Discord answers {status}: {message}")]
    Gone {
        /// 401, 403 or 404.
        status: StatusCode,
        /// In Discord's words.
        message: String,
    },
    /// Not accepted in this form.
    #[error("Discord refuses it with {status}: {message}")]
    Refused {
        /// Its status.
        status: StatusCode,
        /// In Discord's words.
        message: String,
    },
}

impl RestError {
    pub(super) fn again_after(&self, failures: u32) -> Option<Duration> {
        match self {
            Self::Limited { after, .. } => Some(*after),
            Self::Unreachable(_) | Self::Failing(_) => Some(Duration::from_secs(1 << failures.min(6))),
            Self::Gone { .. } | Self::Refused { .. } => None,
        }
    }
}

impl BotToken {
    pub fn read(file: &Path) -> Result<Self, BotTokenError> {
        Self::of(fs::read_to_string(file)?.trim()).ok_or(BotTokenError::Text)
    }

    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let fits = !text.is_empty() && text.len() <= 200 && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }
}

impl fmt::Debug for BotToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BotToken(..)")
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ErrorBody {
    message: String,
    code: i64,
    retry_after: Option<f64>,
    global: bool,
}

impl Rest {
    #[must_use]
    pub fn new(base: &str) -> Self {
        Self { fetch: Fetch::new(LIMITS), base: base.trim_end_matches('/').to_owned() }
    }

    pub async fn ask_patiently<'b>(
        &self,
        method: Method,
        path: &str,
        token: Option<&BotToken>,
        body: impl Fn() -> Body<'b>,
    ) -> Result<Answer, RestError> {
        let mut tried = 0;
        loop {
            let error = match self.ask(method.clone(), path, token, body()).await {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            tried += 1;
            match error.again_after(tried).filter(|_| tried < TRIES) {
                Some(after) => tokio::time::sleep(after).await,
                None => return Err(error),
            }
        }
    }

    pub(super) async fn ask(
        &self,
        method: Method,
        path: &str,
        token: Option<&BotToken>,
        body: Body<'_>,
    ) -> Result<Answer, RestError> {
        let (kind, bytes) = match body {
            Body::Json(value) => ("application/json".to_owned(), value.to_string().into()),
            Body::Message(message) if message.files().is_empty() => {
                ("application/json".to_owned(), Bytes::from(message.payload().to_string()))
            }
            Body::Message(message) => multipart::write(message),
        };
        let mut headers = HeaderMap::new();
        headers.insert(header::USER_AGENT, HeaderValue::from_static(DISCORD_AGENT));
        let unreadable = |_| RestError::Unreachable("its token cannot be sent".to_owned());
        headers.insert(header::CONTENT_TYPE, HeaderValue::try_from(kind).map_err(unreadable)?);
        if let Some(BotToken(token)) = token {
            let mut value = HeaderValue::try_from(format!("Bot {token}")).map_err(unreadable)?;
            value.set_sensitive(true);
            headers.insert(header::AUTHORIZATION, value);
        }
        let answer = self.fetch.send(method, &format!("{}{path}", self.base), headers, bytes).await;
        let answer = answer.map_err(|error| {
            RestError::Unreachable(match error {
                FetchError::Address(_) => "its address cannot be asked".to_owned(),
                error => error.to_string(),
            })
        })?;
        read(answer.status, &answer.headers, &answer.body)
    }
}

fn seconds(seconds: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(seconds).ok().map(|time| time.min(WAIT_MAX))
}

fn header_seconds(headers: &HeaderMap, name: &str) -> Option<Duration> {
    seconds(headers.get(name)?.to_str().ok()?.parse().ok()?)
}

/// The meaning of an answer (<https://docs.discord.com/developers/topics/rate-limits>).
fn read(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Result<Answer, RestError> {
    if status.is_success() {
        let used_up = headers.get("x-ratelimit-remaining").is_some_and(|left| left.as_bytes() == b"0");
        let pause = header_seconds(headers, "x-ratelimit-reset-after").filter(|_| used_up);
        return Ok(Answer { body: serde_json::from_slice(body).unwrap_or(Value::Null), pause });
    }
    let error: ErrorBody = serde_json::from_slice(body).unwrap_or_default();
    let message = format!("{} (code {})", error.message.chars().take(200).collect::<String>(), error.code);
    Err(match status {
        StatusCode::TOO_MANY_REQUESTS => {
            // The longer of the two: they are rounded differently.
            let after = error.retry_after.and_then(seconds).max(header_seconds(headers, "retry-after"));
            let global = error.global || headers.contains_key("x-ratelimit-global");
            RestError::Limited { after: after.unwrap_or(LIMITED), global }
        }
        status if status.is_server_error() => RestError::Failing(status),
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::NOT_FOUND => RestError::Gone { status, message },
        status => RestError::Refused { status, message },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).collect()
    }

    #[test]
    fn limits_are_read_from_wherever_they_stand() {
        let limited = |pairs: &[(&'static str, &'static str)], body: &str| {
            read(StatusCode::TOO_MANY_REQUESTS, &headers(pairs), body.as_bytes()).unwrap_err()
        };
        let after = |millis, global| RestError::Limited { after: Duration::from_millis(millis), global };
        assert_eq!(limited(&[], r#"{"message":"x","retry_after":64.57,"global":false}"#), after(64_570, false));
        assert_eq!(limited(&[("retry-after", "65"), ("x-ratelimit-global", "true")], ""), after(65_000, true));
        assert_eq!(limited(&[], "<html>"), after(5_000, false));
        assert_eq!(limited(&[], r#"{"retry_after":-1}"#), after(5_000, false));
        let used = headers(&[("x-ratelimit-remaining", "0"), ("x-ratelimit-reset-after", "0.5")]);
        assert_eq!(read(StatusCode::OK, &used, b"{}").unwrap().pause, Some(Duration::from_millis(500)));
        let left = headers(&[("x-ratelimit-remaining", "1"), ("x-ratelimit-reset-after", "0.5")]);
        assert_eq!(read(StatusCode::NO_CONTENT, &left, b"").unwrap().pause, None);
    }

    #[test]
    fn what_would_fail_again_is_not_tried_again() {
        let of = |status| read(status, &HeaderMap::new(), br#"{"message":"no","code":50013}"#).unwrap_err();
        assert_eq!(of(StatusCode::FORBIDDEN).again_after(0), None);
        assert_eq!(of(StatusCode::BAD_REQUEST).again_after(0), None);
        assert_eq!(of(StatusCode::BAD_GATEWAY).again_after(3), Some(Duration::from_secs(8)));
        assert_eq!(of(StatusCode::BAD_REQUEST).to_string(), "Discord refuses it with 400 Bad Request: no (code 50013)");
    }

    #[test]
    fn a_token_is_never_shown() {
        assert_eq!(format!("{:?}", BotToken::of("secret")), "Some(BotToken(..))");
        assert!(BotToken::of("two words").is_none());
    }
}
