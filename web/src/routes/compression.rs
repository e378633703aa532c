//! Answers as gzip. What was compressed is kept by the digest of its bytes: what is the same for everybody is compressed once,
//! wherever it was made.

use std::io::{self, Write};
use std::sync::Arc;

use app::App;
use app::cache::{Cache, CacheSize};
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::StreamExt;
use futures_util::stream::unfold;
use sha2::{Digest, Sha256};
use tokio::sync::mpsc;

use web_http::Problem;

/// A shorter answer fits into one packet as it is.
const LEAST_BYTES: u64 = 1_024;

pub(super) struct Compressed(Cache<[u8; 32]>);

impl Compressed {
    pub(super) fn of(size: CacheSize) -> Self {
        Self(Cache::new(size.compressed()))
    }

    pub(super) async fn answer(&self, app: &Arc<App>, accepts: bool, response: Response) -> Response {
        let (mut parts, body) = response.into_parts();
        let kind = parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        // Each event is sent at once.
        if kind.starts_with("text/event-stream") {
            return Response::from_parts(parts, body);
        }
        let is_dense = kind.starts_with("image/") && !kind.starts_with("image/svg");
        let varies = !is_dense && !parts.headers.contains_key(header::CONTENT_ENCODING);
        let bytes = body.size_hint().exact();
        let packs = varies && accepts && bytes.is_none_or(|bytes| bytes >= LEAST_BYTES);
        if varies {
            add_vary(&mut parts.headers);
        }
        if packs {
            parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            parts.headers.remove(header::CONTENT_LENGTH);
        }
        let body = match (bytes, packs) {
            (None, _) => written(app, body, packs),
            (Some(_), false) => body,
            (Some(_), true) => match self.packed(body).await {
                Ok(packed) => Body::from(packed),
                Err(error) => return Problem::broken(&error).into_response(),
            },
        };
        Response::from_parts(parts, body)
    }

    async fn packed(&self, body: Body) -> Result<Bytes, io::Error> {
        let bytes = to_bytes(body, usize::MAX).await.map_err(io::Error::other)?;
        let digest = Sha256::digest(&bytes).into();
        if let Some(packed) = self.0.get(&digest) {
            return Ok(packed);
        }
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(&bytes)?;
        let packed = Bytes::from(encoder.finish()?);
        self.0.put(digest, packed.clone(), packed.len() as u64);
        Ok(packed)
    }
}

fn add_vary(headers: &mut HeaderMap) {
    let named = |value: &HeaderValue| value.to_str().is_ok_and(|value| value.contains("accept-encoding"));
    if !headers.get_all(header::VARY).iter().any(named) {
        headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
}

/// A file that is written while it is read: its pieces are made on the threads of readers.
fn written(app: &Arc<App>, body: Body, packs: bool) -> Body {
    let (to, from) = mpsc::channel::<Option<Result<Bytes, axum::Error>>>(1);
    let writing = app.readers().begin(async move {
        let mut pieces = body.into_data_stream();
        let mut encoder = packs.then(|| GzEncoder::new(Vec::new(), Compression::default()));
        while let Some(piece) = pieces.next().await {
            let piece = match (piece, &mut encoder) {
                (Ok(piece), Some(encoder)) => match encoder.write_all(&piece) {
                    Ok(()) => Ok(std::mem::take(encoder.get_mut()).into()),
                    Err(error) => Err(axum::Error::new(error)),
                },
                (piece, _) => piece,
            };
            let failed = piece.is_err();
            if to.send(Some(piece)).await.is_err() || failed {
                return;
            }
        }
        if let Some(encoder) = encoder {
            let rest = encoder.finish().map(Bytes::from).map_err(axum::Error::new);
            drop(to.send(Some(rest)).await);
        }
        drop(to.send(None).await);
    });
    Body::from_stream(unfold((from, writing), |(mut from, writing)| async move {
        let piece = match from.recv().await {
            Some(said) => said?,
            // A writer that ends without saying so broke off, and so does the file.
            None => Err(axum::Error::new(io::Error::other("the file was cut short"))),
        };
        Some((piece, (from, writing)))
    }))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    #[tokio::test]
    async fn the_same_bytes_are_compressed_once() {
        let compressed = Compressed::of(CacheSize::default());
        let packed = async |text: &str| compressed.packed(Body::from(text.repeat(100))).await.unwrap();
        let (one, again, other) = (packed("grow").await, packed("grow").await, packed("claim").await);
        assert_eq!(one.as_ptr(), again.as_ptr());
        assert_ne!(one, other);
        let mut read = String::new();
        GzDecoder::new(&*one).read_to_string(&mut read).unwrap();
        assert_eq!(read, "grow".repeat(100));
    }
}
