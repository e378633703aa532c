//! Answers that say why there is nothing else: an error and its remedy. Programs get problem+json (RFC 9457) or plain
//! text; the pages draw the same error for people.

use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use tracing::Level;

/// The kind of an error. The status, the title and the level in the log follow from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    Malformed,
    BadParameter,
    NoToken,
    NotSignedIn,
    NotChecked,
    NotYourSeat,
    SeatRevoked,
    WrongToken,
    MatchRuns,
    NotYourMatch,
    AdminsOnly,
    ForeignForm,
    Unsigned,
    NotFound,
    MethodNotAllowed,
    Conflict,
    InProgress,
    TooLate,
    AlreadyAnswered,
    IdReused,
    Closed,
    Gone,
    TooLarge,
    UnsupportedMediaType,
    Refused,
    TooMuchWork,
    TooManyRequests,
    TooManyStreams,
    Broken,
    Unreadable,
    UnsupportedFormat,
    Unavailable,
    Stopping,
    Busy,
    Full,
}

impl ErrorKind {
    const fn describe(self) -> (StatusCode, &'static str, Level) {
        use StatusCode as S;
        match self {
            Self::Malformed => (S::BAD_REQUEST, "Not understood", Level::DEBUG),
            Self::BadParameter => (S::BAD_REQUEST, "Not accepted", Level::DEBUG),
            Self::NoToken => (S::UNAUTHORIZED, "No token", Level::DEBUG),
            Self::NotSignedIn => (S::UNAUTHORIZED, "Not signed in", Level::DEBUG),
            Self::NotChecked => (S::FORBIDDEN, "Your password first", Level::DEBUG),
            Self::NotYourSeat => (S::UNAUTHORIZED, "Not your seat", Level::DEBUG),
            Self::SeatRevoked => (S::UNAUTHORIZED, "Not your seat any more", Level::DEBUG),
            Self::WrongToken => (S::FORBIDDEN, "Not with this token", Level::DEBUG),
            Self::MatchRuns => (S::FORBIDDEN, "Not while it runs", Level::DEBUG),
            Self::NotYourMatch => (S::FORBIDDEN, "Another umpire\u{2019}s match", Level::DEBUG),
            Self::AdminsOnly => (S::FORBIDDEN, "For admins", Level::DEBUG),
            Self::ForeignForm => (S::FORBIDDEN, "Sent from elsewhere", Level::DEBUG),
            Self::Unsigned => (S::FORBIDDEN, "Not signed", Level::DEBUG),
            Self::NotFound => (S::NOT_FOUND, "Nothing here", Level::DEBUG),
            Self::MethodNotAllowed => (S::METHOD_NOT_ALLOWED, "Not like this", Level::DEBUG),
            Self::Conflict => (S::CONFLICT, "Somebody else was first", Level::DEBUG),
            Self::InProgress => (S::CONFLICT, "Not answered yet", Level::DEBUG),
            Self::TooLate => (S::CONFLICT, "Too late", Level::DEBUG),
            Self::AlreadyAnswered => (S::CONFLICT, "Answered before", Level::DEBUG),
            Self::IdReused => (S::CONFLICT, "Sent before", Level::DEBUG),
            Self::Closed => (S::CONFLICT, "Closed", Level::DEBUG),
            Self::Gone => (S::GONE, "This link does not work", Level::DEBUG),
            Self::TooLarge => (S::PAYLOAD_TOO_LARGE, "Too large", Level::DEBUG),
            Self::UnsupportedMediaType => (S::UNSUPPORTED_MEDIA_TYPE, "Not JSON", Level::DEBUG),
            Self::Refused => (S::UNPROCESSABLE_ENTITY, "Not accepted", Level::DEBUG),
            Self::TooMuchWork => (S::UNPROCESSABLE_ENTITY, "Too much at once", Level::DEBUG),
            Self::TooManyRequests => (S::TOO_MANY_REQUESTS, "Too often", Level::DEBUG),
            Self::TooManyStreams => (S::TOO_MANY_REQUESTS, "Too many watch from there", Level::DEBUG),
            Self::Broken => (S::INTERNAL_SERVER_ERROR, "Something broke here", Level::ERROR),
            Self::Unreadable => (S::INTERNAL_SERVER_ERROR, "This record cannot be read", Level::ERROR),
            Self::UnsupportedFormat => (S::NOT_IMPLEMENTED, "Not in this format", Level::DEBUG),
            Self::Unavailable => (S::SERVICE_UNAVAILABLE, "The record does not answer", Level::WARN),
            Self::Stopping => (S::SERVICE_UNAVAILABLE, "Stopping", Level::WARN),
            Self::Busy => (S::SERVICE_UNAVAILABLE, "Too many at once", Level::WARN),
            Self::Full => (S::SERVICE_UNAVAILABLE, "Every place is taken", Level::WARN),
        }
    }

    #[must_use]
    pub const fn status(self) -> StatusCode {
        self.describe().0
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    pub kind: ErrorKind,
    pub detail: String,
    /// The link to continue with: an address and its words.
    pub back: Option<(String, String)>,
    pub retry_seconds: Option<u32>,
    pub cause: Option<String>,
}

impl Problem {
    #[must_use]
    pub fn of(kind: ErrorKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), back: None, retry_seconds: None, cause: None }
    }

    #[must_use]
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self::of(ErrorKind::NotFound, detail)
    }

    #[must_use]
    pub fn refused(detail: impl Into<String>) -> Self {
        Self::of(ErrorKind::Refused, detail)
    }

    #[must_use]
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self::of(ErrorKind::Conflict, detail)
    }

    /// A fault of the program. Its cause goes to the log, not to the reader.
    #[must_use]
    pub fn broken(cause: &dyn std::error::Error) -> Self {
        let detail =
            "This is our fault, and it is noted. Nothing that was acknowledged is lost. Try again in a moment.";
        Self::of(ErrorKind::Broken, detail).caused_by(cause)
    }

    #[must_use]
    pub fn away(detail: impl Into<String>) -> Self {
        Self { retry_seconds: Some(2), ..Self::of(ErrorKind::Unavailable, detail) }
    }

    #[must_use]
    pub fn too_many(retry_seconds: u32) -> Self {
        let wait = match retry_seconds {
            0..=1 => "a second".to_owned(),
            seconds => format!("{seconds} seconds"),
        };
        let detail = format!("This came too often to be answered, and nothing was done. Try again in {wait}.");
        Self { retry_seconds: Some(retry_seconds), ..Self::of(ErrorKind::TooManyRequests, detail) }
    }

    #[must_use]
    pub fn back(mut self, address: impl Into<String>, words: impl Into<String>) -> Self {
        self.back = Some((address.into(), words.into()));
        self
    }

    #[must_use]
    pub fn saying(self, detail: impl Into<String>) -> Self {
        Self { detail: detail.into(), ..self }
    }

    #[must_use]
    pub fn caused_by(self, cause: &dyn std::error::Error) -> Self {
        Self { cause: Some(cause.to_string()), ..self }
    }

    #[must_use]
    pub const fn status(&self) -> StatusCode {
        self.kind.status()
    }

    #[must_use]
    pub const fn title(&self) -> &'static str {
        self.kind.describe().1
    }

    /// Writes the error to the log. A failure has the pattern of its route: the address itself can have a secret in it. A
    /// refusal has only its kind: its sentence can quote a move that is still sealed, and its route tells that a seat sent
    /// something.
    pub fn log(&self, method: &Method, route: &str) {
        let (title, cause) = (self.title(), self.cause.as_deref().unwrap_or(&self.detail));
        match self.kind.describe().2 {
            Level::ERROR => tracing::error!(%method, route, %cause, "a request failed: {title}"),
            Level::WARN => tracing::warn!(%method, route, %cause, "a request was not answered: {title}"),
            _ => tracing::debug!("a request was refused: {title}"),
        }
    }

    /// As `application/problem+json` (RFC 9457).
    #[must_use]
    pub fn to_json(&self) -> Response {
        let json = HeaderValue::from_static("application/problem+json");
        self.with_headers((self.status(), [(header::CONTENT_TYPE, json)], self.body().to_string()).into_response())
    }

    #[must_use]
    pub fn body(&self) -> Value {
        let status = self.status().as_u16();
        json!({ "type": "about:blank", "title": self.title(), "status": status, "detail": self.detail })
    }

    #[must_use]
    pub fn to_text(&self) -> Response {
        let text = format!("{}. {}\n", self.title(), self.detail);
        self.with_headers((self.status(), text).into_response())
    }

    pub fn with_headers(&self, mut response: Response) -> Response {
        if let Some(seconds) = self.retry_seconds {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

/// Marks an answer that is nothing but its [`Problem`], and still has to be written.
#[derive(Clone, Copy, Debug)]
pub struct PendingProblem;

impl IntoResponse for Problem {
    /// Unwritten and not logged: The site knows if a person or a program asks, about which match, and by which route.
    fn into_response(self) -> Response {
        let mut response = self.with_headers(self.status().into_response());
        response.extensions_mut().insert(PendingProblem);
        response.extensions_mut().insert(self);
        response
    }
}
