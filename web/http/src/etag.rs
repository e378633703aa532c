//! Answers for readers' caches: an ETag that names the match's head, and 304 if nothing changed.

use std::io::Write;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::write::GzEncoder;
use flate2::{Compression, Crc};
use ledger::Hash;

/// The body of an answer. A copy shares the bytes.
#[derive(Clone, Debug)]
pub struct Answer {
    kind: &'static str,
    body: Bytes,
    gzip: Option<Bytes>,
    /// A checksum of the bytes: it distinguishes pages of the same head, and proves nothing.
    mark: u32,
    public: bool,
}

impl Answer {
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let bytes = self.body.len() + self.gzip.as_ref().map_or(0, Bytes::len);
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }

    #[must_use]
    pub fn page(html: String) -> Self {
        Self::new("text/html; charset=utf-8", html.into_bytes(), false)
    }

    #[must_use]
    pub fn data(kind: &'static str, body: Vec<u8>) -> Self {
        Self::new(kind, body, true)
    }

    fn new(kind: &'static str, body: Vec<u8>, public: bool) -> Self {
        let mut crc = Crc::new();
        crc.update(&body);
        Self { kind, body: body.into(), gzip: None, mark: crc.sum(), public }
    }

    /// The answer, compressed beforehand: of a large answer not even the digest is computed for each reader.
    #[must_use]
    pub fn compressed(self) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        let written = encoder.write_all(&self.body).and_then(|()| encoder.finish());
        Self { gzip: written.ok().map(Bytes::from), ..self }
    }
}

/// Answers with the bytes, or with 304 if the reader has them.
///
/// The tag names the head and the bytes: a page of the same head differs after a text was withdrawn, for an umpire who
/// is signed in, and after an upgrade.
#[must_use]
pub fn fresh(request: &HeaderMap, head: Hash, answer: Answer) -> Response {
    let tag = format!("W/\"{head}-{:08x}\"", answer.mark);
    let mut response = if is_known(request, &tag) {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let kind = HeaderValue::from_static(answer.kind);
        match answer.gzip.clone().filter(|_| accepts_gzip(request)) {
            None => ([(header::CONTENT_TYPE, kind)], Body::from(answer.body)).into_response(),
            Some(gzip) => {
                let gzipped = HeaderValue::from_static("gzip");
                ([(header::CONTENT_TYPE, kind), (header::CONTENT_ENCODING, gzipped)], Body::from(gzip)).into_response()
            }
        }
    };
    let headers = response.headers_mut();
    if answer.gzip.is_some() {
        headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        headers.insert(header::ETAG, tag);
    }
    if answer.public {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static("etag"));
    } else {
        headers.append(header::VARY, HeaderValue::from_static("cookie"));
    }
    response
}

pub fn accepts_gzip(request: &HeaderMap) -> bool {
    let named = request.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut named = named.flat_map(|value| value.split(','));
    named.any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let never = weight.trim().strip_prefix("q=").is_some_and(|weight| weight.parse() == Ok(0.0_f32));
        name.trim().eq_ignore_ascii_case("gzip") && !never
    })
}

/// True if the request names the tag. Weak comparison (RFC 9110, section 13.1.2).
#[must_use]
pub fn is_known(request: &HeaderMap, tag: &str) -> bool {
    let opaque = |tag: &str| tag.trim().trim_start_matches("W/").to_owned();
    let named = request.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut named = named.flat_map(|value| value.split(',')).map(opaque);
    named.any(|named| named == "*" || named == opaque(tag))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(body: &str) -> Answer {
        Answer::data("text/plain", body.into())
    }

    #[test]
    fn what_a_reader_has_is_not_sent_again() {
        let first = fresh(&HeaderMap::new(), Hash::ZERO, answer("a"));
        let tag = first.headers()[header::ETAG].clone();
        assert!(tag.to_str().unwrap().contains(&Hash::ZERO.to_string()));
        let request = HeaderMap::from_iter([(header::IF_NONE_MATCH, tag)]);
        assert_eq!(fresh(&request, Hash::ZERO, answer("a")).status(), StatusCode::NOT_MODIFIED);
        assert_eq!(fresh(&request, Hash::ZERO, answer("b")).status(), StatusCode::OK);
    }

    #[test]
    fn what_is_compressed_is_sent_so_where_it_is_accepted() {
        let sent = |accepted: &'static str| {
            let request = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            let response = fresh(&request, Hash::ZERO, answer(&"a".repeat(1000)).compressed());
            response.headers().get(header::CONTENT_ENCODING).is_some()
        };
        assert!(sent("gzip") && sent("br, GZIP;q=0.5"));
        assert!(!sent("br") && !sent("gzip;q=0") && !sent("") && !sent("gzipped"));
    }

    #[test]
    fn a_list_of_tags_is_compared_weakly() {
        let request = HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_static("\"x\", \"y\""))]);
        assert!(is_known(&request, "W/\"y\"") && !is_known(&request, "W/\"z\""));
    }
}
