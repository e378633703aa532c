//! The data of a form, in any encoding that a browser uses.

use axum::extract::{FromRequest, Multipart, Request};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use import::text_encoding::{self, DecodedText};
use ledger::Head;
use store::SubmitId;

use super::form;
use web_http::{ErrorKind, Problem};

/// The fields of a form. A missing field is empty.
#[derive(Debug, Default)]
pub struct FormData(Vec<(String, String)>);

impl FormData {
    pub const fn of(fields: Vec<(String, String)>) -> Self {
        Self(fields)
    }

    pub fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    pub fn raw(&self, name: &str) -> &str {
        self.0.iter().find(|(sent, _)| sent == name).map_or("", |(_, value)| value)
    }

    pub fn fields(&self) -> &[(String, String)] {
        &self.0
    }

    pub fn all_but(&self, names: &[&str]) -> Vec<(String, String)> {
        self.0.iter().filter(|(name, _)| !names.contains(&name.as_str())).cloned().collect()
    }

    pub fn form(&self) -> Result<SubmitId, Problem> {
        self.text("form").parse().map_err(|_| incomplete())
    }

    pub fn head(&self) -> Result<Head, Problem> {
        form::read_head(self.text("head")).ok_or_else(incomplete)
    }
}

fn incomplete() -> Problem {
    Problem::refused(
        "This form came without the hidden fields it was made with, so nothing was done. Open its page again.",
    )
}

fn unreadable(status: StatusCode) -> Problem {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => {
            Problem::of(ErrorKind::TooLarge, "This is larger than any form of ours: at most 256 kB.")
        }
        _ => Problem::refused("What was sent is no form of this site, so nothing was done. Open the page again."),
    }
}

impl<S: Send + Sync> FromRequest<S> for FormData {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Self, Problem> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.starts_with("multipart/form-data") {
            let form = axum::Form::<Vec<(String, String)>>::from_request(request, state).await;
            let form = form.map_err(|error| unreadable(error.into_response().status()))?;
            // U+FFFD replaces bytes that were not text. Everything entered here is stored for good, so it is refused.
            if form.0.iter().any(|(_, value)| value.contains(char::REPLACEMENT_CHARACTER)) {
                return Err(unreadable(StatusCode::BAD_REQUEST));
            }
            return Ok(Self(form.0));
        }
        let mut parts = Multipart::from_request(request, state).await.map_err(|error| unreadable(error.status()))?;
        let mut sent = Self::default();
        while let Some(part) = parts.next_field().await.map_err(|error| unreadable(error.status()))? {
            let (name, is_file) = (part.name().unwrap_or_default().to_owned(), part.file_name().is_some());
            let bytes = Vec::from(part.bytes().await.map_err(|error| unreadable(error.status()))?);
            if is_file {
                match text_encoding::read(bytes) {
                    Ok(DecodedText { text, read_as }) => {
                        sent.0.extend([(format!("{name}-read-as"), read_as), (name, text)]);
                    }
                    Err(why) => sent.0.push((format!("{name}-not-text"), why.to_owned())),
                }
            } else {
                // Browsers encode the input in the page's charset.
                sent.0.push((name, String::from_utf8(bytes).map_err(|_| unreadable(StatusCode::BAD_REQUEST))?));
            }
        }
        Ok(sent)
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    async fn sent(kind: &str, body: &'static [u8]) -> Result<FormData, Problem> {
        let request =
            Request::builder().method("POST").header(header::CONTENT_TYPE, kind).body(Body::from(body)).unwrap();
        FormData::from_request(request, &()).await
    }

    #[tokio::test]
    async fn both_encodings_are_read() {
        let form = sent("application/x-www-form-urlencoded", b"a=+1%202+&b=&a=3").await.unwrap();
        assert_eq!((form.text("a"), form.raw("a"), form.text("b"), form.text("c")), ("1 2", " 1 2 ", "", ""));
        let parts = b"--x\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\none\r\ntwo\r\n--x--\r\n";
        let parts = sent("multipart/form-data; boundary=x", parts).await.unwrap();
        assert_eq!(parts.text("a"), "one\r\ntwo");
    }

    #[tokio::test]
    async fn bytes_that_are_not_text_are_refused() {
        let form = |body| sent("application/x-www-form-urlencoded", body);
        assert!(form(b"a=%ff%fe").await.is_err());
        assert_eq!(form("a=%C4%8Capek".as_bytes()).await.unwrap().text("a"), "\u{10c}apek");
    }

    #[tokio::test]
    async fn a_file_names_its_encoding() {
        let file = b"--x\r\ncontent-disposition: form-data; name=\"f\"; filename=\"a.csv\"\r\n\r\nZo\xeb\r\n--x--\r\n";
        let file = sent("multipart/form-data; boundary=x", file).await.unwrap();
        assert_eq!(file.text("f"), "Zoë");
        assert!(file.text("f-read-as").contains("Windows-1252"));
        let none = b"--x\r\ncontent-disposition: form-data; name=\"f\"; filename=\"a.csv\"\r\n\r\n\0\r\n--x--\r\n";
        let none = sent("multipart/form-data; boundary=x", none).await.unwrap();
        assert_eq!((none.text("f"), none.text("f-not-text")), ("", text_encoding::NO_TEXT));
    }

    #[tokio::test]
    async fn another_body_is_refused_with_a_sentence() {
        for (kind, body) in [
            ("text/plain", b"a=1".as_slice()),
            ("multipart/form-data; boundary=x", b"--y"),
            (
                "multipart/form-data; boundary=x",
                b"--x\r\ncontent-disposition: form-data; name=\"a\"\r\n\r\n\xeb\r\n--x--\r\n",
            ),
            ("application/json", b"{}"),
        ] {
            let problem = sent(kind, body).await.unwrap_err();
            assert!(problem.detail.starts_with("What was sent is no form"), "{kind}");
        }
        let empty = FormData::default();
        assert!(empty.form().is_err() && empty.head().is_err());
    }
}
