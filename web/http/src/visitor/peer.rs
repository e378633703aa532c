//! The address of a request's sender, used for limits and in the log of accounts.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::sync::Once;

use app::account::{self, Actor, Channel, Umpire, counted, network, range};
use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Version};
use axum::middleware::Next;
use axum::response::Response;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub Option<IpAddr>);

impl Peer {
    #[must_use]
    pub fn counted(self) -> Vec<u8> {
        counted(self.0)
    }

    #[must_use]
    pub fn range(self) -> Vec<u8> {
        range(self.0)
    }

    #[must_use]
    pub fn words(self) -> String {
        network(self.0)
    }

    /// The address of somebody on another machine. None for a program of the operator's on this machine, and for a proxy there
    /// that says nothing of its clients. A proxy that does, without having been declared, counts as one address.
    #[must_use]
    pub fn outside(self, proxy: UndeclaredProxy) -> Option<IpAddr> {
        let address = self.0.map(|address| address.to_canonical());
        address.filter(|address| proxy.0 || !address.is_loopback())
    }

    #[must_use]
    pub fn actor(self, umpire: Option<&Umpire>) -> Actor {
        account::actor(Channel::Pages, umpire, self.0)
    }

    #[must_use]
    pub fn of(extensions: &axum::http::Extensions) -> Self {
        let forwarded = extensions.get::<Self>().copied();
        let connected = || extensions.get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| address.ip());
        forwarded.unwrap_or_else(|| Self(connected()))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Peer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.extensions))
    }
}

/// True if a request came through a proxy on this machine that the operator did not declare: its clients cannot be told
/// apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UndeclaredProxy(pub bool);

/// The headers that proxies add. By now each request has an x-forwarded-proto: the site's own.
const FORWARDED: [&str; 4] = ["x-forwarded-for", "forwarded", "x-real-ip", "via"];

/// True if a request bears the marks of a proxy. nginx adds no header unless it is told to, and asks by HTTP/1.0.
fn was_passed_on(version: Version, headers: &HeaderMap) -> bool {
    version == Version::HTTP_10 || FORWARDED.iter().any(|name| headers.contains_key(*name))
}

impl<S: Send + Sync> FromRequestParts<S> for UndeclaredProxy {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        static WARNING: Once = Once::new();
        let declared = parts.extensions.get::<Peer>().is_some();
        let local = Peer::of(&parts.extensions).0.is_some_and(|address| address.to_canonical().is_loopback());
        let undeclared = local && !declared && was_passed_on(parts.version, &parts.headers);
        if undeclared {
            WARNING.call_once(|| {
                tracing::warn!(
                    "a proxy on this machine passes requests on, and --behind-proxy was not given: all its clients count \
                     as one address, which may have 100 streams. Give --behind-proxy if only the proxy can reach this port"
                );
            });
        }
        Ok(Self(undeclared))
    }
}

/// Takes the reader's address from the proxy in front. Only for a server that can be reached only through the proxy:
/// anybody who can send the header directly can claim any address.
pub async fn forwarded(mut request: Request, next: Next) -> Response {
    if let Some(address) = last(request.headers()) {
        request.extensions_mut().insert(Peer(Some(address)));
    }
    next.run(request).await
}

fn last(headers: &HeaderMap) -> Option<IpAddr> {
    let header = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
    header.rsplit(',').next()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn addresses_before_the_proxy_are_ignored() {
        let name = axum::http::HeaderName::from_static("x-forwarded-for");
        let sent = |value: &'static str| last(&HeaderMap::from_iter([(name.clone(), HeaderValue::from_static(value))]));
        assert_eq!(sent("10.9.9.9, 192.0.2.7"), "192.0.2.7".parse().ok());
        assert_eq!(sent("2001:db8::1"), "2001:db8::1".parse().ok());
        assert_eq!(sent("nobody"), None);
    }

    #[test]
    fn a_proxy_is_known_by_its_header_or_its_version() {
        let none = HeaderMap::new();
        let via = HeaderMap::from_iter([(axum::http::header::VIA, HeaderValue::from_static("1.1 proxy"))]);
        assert!(!was_passed_on(Version::HTTP_11, &none), "a program on this machine");
        assert!(was_passed_on(Version::HTTP_11, &via) && was_passed_on(Version::HTTP_10, &none));
    }
}
