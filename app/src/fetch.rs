//! HTTP and HTTPS requests to other servers: one request, one bounded answer, within a time limit. Redirects are not
//! followed, so that the answer comes from the named server.

mod names;

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use names::Names;
use rustls::{ClientConfig, RootCertStore};
use thiserror::Error;
use tokio::time::timeout;

pub use names::Reach;

#[derive(Debug, Clone)]
pub struct Fetch {
    client: Client<HttpsConnector<HttpConnector<Names>>, Full<Bytes>>,
    limits: Limits,
    reach: Reach,
}

#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub time: Duration,
    pub bytes: usize,
}

#[derive(Debug, Clone)]
pub struct Fetched {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FetchError {
    #[error("{0} is not an address that can be asked: it starts with http:// or https://")]
    Address(String),
    #[error("{0} is a private address")]
    Private(String),
    #[error("no answer within {} s", .0.as_secs())]
    Time(Duration),
    #[error("the server cannot be reached: {0}")]
    Unreachable(String),
    #[error("the answer is cut short, or larger than {0} bytes")]
    Body(usize),
}

impl Fetch {
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::reaching(Reach::Anywhere, limits)
    }

    #[must_use]
    pub fn reaching(reach: Reach, limits: Limits) -> Self {
        let provider = rustls::crypto::ring::default_provider();
        let roots = HttpsConnectorBuilder::new().with_provider_and_native_roots(provider.clone());
        let builder = roots.unwrap_or_else(|error| {
            tracing::warn!(%error, "this system has no trusted certificates: only http:// addresses can be asked");
            HttpsConnectorBuilder::new().with_tls_config(without_roots(provider))
        });
        let mut http = HttpConnector::new_with_resolver(Names(reach));
        // Otherwise it would refuse https:// addresses.
        http.enforce_http(false);
        let connector = builder.https_or_http().enable_http1().wrap_connector(http);
        Self { client: Client::builder(TokioExecutor::new()).build(connector), limits, reach }
    }

    /// An answer with another status than 200 is not an error.
    pub async fn get(&self, address: &str) -> Result<Fetched, FetchError> {
        self.send(Method::GET, address, HeaderMap::new(), Bytes::new()).await
    }

    pub async fn post(&self, address: &str, body: impl Into<Bytes>) -> Result<Fetched, FetchError> {
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        self.send(Method::POST, address, HeaderMap::from_iter([(header::CONTENT_TYPE, text)]), body).await
    }

    pub async fn send(
        &self,
        method: Method,
        address: &str,
        headers: HeaderMap,
        body: impl Into<Bytes>,
    ) -> Result<Fetched, FetchError> {
        let no_address = || FetchError::Address(address.to_owned());
        let uri: Uri = address.parse().map_err(|_| no_address())?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none() {
            return Err(no_address());
        }
        if let Some(host) = uri.host().filter(|host| !self.reach.allows_host(host)) {
            return Err(FetchError::Private(host.to_owned()));
        }
        let mut request = Request::new(Full::new(body.into()));
        (*request.method_mut(), *request.uri_mut(), *request.headers_mut()) = (method, uri, headers);
        let this = HeaderValue::from_static(concat!("matchbook/", env!("CARGO_PKG_VERSION")));
        request.headers_mut().entry(header::USER_AGENT).or_insert(this);
        let Limits { time, bytes } = self.limits;
        let exchange = async {
            let answer = self.client.request(request).await.map_err(|error| FetchError::Unreachable(cause(&error)))?;
            let (head, body) = answer.into_parts();
            let body = Limited::new(body, bytes).collect().await.map_err(|_| FetchError::Body(bytes))?;
            Ok(Fetched { status: head.status, headers: head.headers, body: body.to_bytes() })
        };
        timeout(time, exchange).await.unwrap_or(Err(FetchError::Time(time)))
    }
}

/// The innermost cause: the outer ones only say that a request failed.
fn cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

fn without_roots(provider: rustls::crypto::CryptoProvider) -> ClientConfig {
    let versions = ClientConfig::builder_with_provider(provider.into()).with_safe_default_protocol_versions();
    let builder = versions.unwrap_or_else(|_| ClientConfig::builder());
    builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth()
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::routing::{get, post};
    use tokio::net::TcpListener;

    use super::*;

    async fn server() -> String {
        let routes = Router::new()
            .route("/large", get(async || "x".repeat(100)))
            .route("/slow", get(async || std::future::pending::<String>().await))
            .route("/elsewhere", get(async || axum::response::Redirect::to("/large")))
            .route("/echo", post(async |body: String| body));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        address
    }

    #[tokio::test]
    async fn an_answer_has_its_limits() {
        let address = server().await;
        let fetch = Fetch::new(Limits { time: Duration::from_secs(1), bytes: 10 });
        let answer = fetch.post(&format!("{address}/echo"), "old 0\n").await.unwrap();
        assert_eq!((answer.status, answer.body.as_ref()), (StatusCode::OK, b"old 0\n".as_slice()));
        let gone = fetch.get(&format!("{address}/gone")).await.unwrap();
        assert_eq!(gone.status, StatusCode::NOT_FOUND);
        let moved = fetch.get(&format!("{address}/elsewhere")).await.unwrap();
        assert_eq!(moved.status, StatusCode::SEE_OTHER);
        assert_eq!(fetch.get(&format!("{address}/large")).await.unwrap_err(), FetchError::Body(10));
        let late = fetch.get(&format!("{address}/slow")).await.unwrap_err();
        assert_eq!(late.to_string(), "no answer within 1 s");
    }

    #[tokio::test]
    async fn a_request_has_headers_of_its_own() {
        let routes = Router::new().route(
            "/said",
            axum::routing::put(async |headers: HeaderMap| {
                let said = |name: &str| headers.get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
                format!("{} {}", said("user-agent").split('/').next().unwrap(), said("authorization"))
            }),
        );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}/said", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        let fetch = Fetch::new(Limits { time: Duration::from_secs(5), bytes: 100 });
        let said = async |name: &'static str| {
            let headers = [(header::AUTHORIZATION, "Bot x"), (header::HeaderName::from_static(name), "other")];
            let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
            let answer = fetch.send(Method::PUT, &address, HeaderMap::from_iter(headers), "").await.unwrap();
            String::from_utf8(answer.body.to_vec()).unwrap()
        };
        assert_eq!(said("x-other").await, "matchbook Bot x");
        assert_eq!(said("user-agent").await, "other Bot x");
    }

    #[tokio::test]
    async fn nobody_there() {
        let fetch = Fetch::new(Limits { time: Duration::from_secs(5), bytes: 10 });
        let refused = fetch.get("http://127.0.0.1:1/").await.unwrap_err();
        assert!(refused.to_string().starts_with("the server cannot be reached: "), "{refused}");
        for address in ["", "example.com", "ftp://example.com/", "https://", "http://example.com/a b"] {
            let refused = fetch.get(address).await.unwrap_err();
            assert_eq!(refused, FetchError::Address(address.to_owned()));
        }
    }
}
