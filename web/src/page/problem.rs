//! Answers that are not pages: an error and its remedy. People get a page; programs get problem+json or plain text.

use app::book::BookError;
use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::Frame;
use super::frame::rendered;

/// An error on which a person or a program can act.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The status of the answer.
    pub status: StatusCode,
    /// The title, in a few words.
    pub title: &'static str,
    /// The cause and the remedy, in plain sentences.
    pub detail: String,
    /// The link to continue with: an address and its words.
    pub back: Option<(String, String)>,
    /// The number of seconds after which a retry makes sense.
    pub retry_seconds: Option<u32>,
}

#[derive(Template)]
#[template(path = "page/problem.html")]
struct ProblemPage<'p> {
    frame: Frame,
    problem: &'p Problem,
}

impl Problem {
    /// Nothing exists at this address.
    #[must_use]
    pub fn not_found(detail: impl Into<String>) -> Self {
        Self {
            status: StatusCode::NOT_FOUND,
            title: "Nothing here",
            detail: detail.into(),
            back: None,
            retry_seconds: None,
        }
    }

    /// The input cannot be accepted.
    #[must_use]
    pub fn refused(detail: impl Into<String>) -> Self {
        Self {
            status: StatusCode::UNPROCESSABLE_ENTITY,
            title: "Not accepted",
            detail: detail.into(),
            back: None,
            retry_seconds: None,
        }
    }

    /// Somebody else acted first.
    #[must_use]
    pub fn conflict(detail: impl Into<String>) -> Self {
        Self {
            status: StatusCode::CONFLICT,
            title: "Somebody else was first",
            detail: detail.into(),
            back: None,
            retry_seconds: None,
        }
    }

    /// A fault of the program. Its cause goes to the log, not to the reader.
    #[must_use]
    pub fn broken(cause: &dyn std::error::Error) -> Self {
        tracing::error!(%cause, "a request failed");
        Self {
            status: StatusCode::INTERNAL_SERVER_ERROR,
            title: "Something broke here",
            detail: "This is our fault, and it is noted. Nothing that was acknowledged is lost. Try again in a moment."
                .into(),
            back: None,
            retry_seconds: None,
        }
    }

    /// The database does not answer; the detail says what to do.
    #[must_use]
    pub fn away(detail: impl Into<String>) -> Self {
        let (status, title) = (StatusCode::SERVICE_UNAVAILABLE, "The record does not answer");
        Self { status, title, detail: detail.into(), back: None, retry_seconds: Some(2) }
    }

    /// Too many requests.
    #[must_use]
    pub fn too_many(retry_seconds: u32) -> Self {
        let wait = match retry_seconds {
            0..=1 => "a second".to_owned(),
            seconds => format!("{seconds} seconds"),
        };
        Self {
            status: StatusCode::TOO_MANY_REQUESTS,
            title: "Too often",
            detail: format!("This came too often to be answered, and nothing was done. Try again in {wait}."),
            back: None,
            retry_seconds: Some(retry_seconds),
        }
    }

    /// Adds a link to continue with.
    #[must_use]
    pub fn back(mut self, address: impl Into<String>, words: impl Into<String>) -> Self {
        self.back = Some((address.into(), words.into()));
        self
    }

    /// As a page.
    #[must_use]
    pub fn to_page(&self) -> Response {
        let frame = Frame::titled(self.title);
        let page = rendered(self.status, &ProblemPage { frame, problem: self })
            .unwrap_or_else(|_| (self.status, self.title).into_response());
        self.with_headers(page)
    }

    /// As `application/problem+json` (RFC 9457).
    #[must_use]
    pub fn to_json(&self) -> Response {
        let json = HeaderValue::from_static("application/problem+json");
        self.with_headers((self.status, [(header::CONTENT_TYPE, json)], self.body().to_string()).into_response())
    }

    /// The JSON body (RFC 9457).
    #[must_use]
    pub fn body(&self) -> Value {
        json!({ "type": "about:blank", "title": self.title, "status": self.status.as_u16(), "detail": self.detail })
    }

    /// As plain text, for a program that asked for a file.
    #[must_use]
    pub fn to_text(&self) -> Response {
        let text = format!("{}. {}\n", self.title, self.detail);
        self.with_headers((self.status, text).into_response())
    }

    fn with_headers(&self, mut response: Response) -> Response {
        if let Some(seconds) = self.retry_seconds {
            response.headers_mut().insert(header::RETRY_AFTER, seconds.into());
        }
        response
    }
}

impl From<BookError> for Problem {
    fn from(error: BookError) -> Self {
        match error {
            BookError::NoMatch => {
                Self::not_found("There is no match at this address. It may have been copied with a letter missing.")
                    .back("/archive", "Look in the archive")
            }
            BookError::Refused(why) => Self::refused(why.to_string()),
            BookError::Overtaken | BookError::SubmitReused => Self::conflict(error.to_string()),
            BookError::Stopped | BookError::Store(_) => {
                tracing::error!(%error, "the book did not answer");
                Self::away(
                    "The database cannot be reached just now. Nothing was acknowledged that is not stored. Send it again in a moment: sent twice, it counts once.",
                )
            }
            BookError::Unreadable(_) | BookError::LogKey | BookError::Escrow(_) => Self::broken(&error),
        }
    }
}

impl IntoResponse for Problem {
    /// Marked for [`crate::routes`], which knows if a person or a program asks.
    fn into_response(self) -> Response {
        let mut response = self.to_page();
        response.extensions_mut().insert(self);
        response
    }
}
