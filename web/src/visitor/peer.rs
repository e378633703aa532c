//! The address of a request's sender, used for limits and in the log of accounts.

use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};

use app::account::{self, Actor, Channel, Umpire, counted};
use axum::extract::{ConnectInfo, FromRequestParts, Request};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;

/// The address of a request's sender; none if the server does not provide it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer(pub Option<IpAddr>);

impl Peer {
    /// The form used for counting.
    #[must_use]
    pub fn counted(self) -> Vec<u8> {
        counted(self.0)
    }

    /// Who acts on an account with a form.
    #[must_use]
    pub fn actor(self, umpire: Option<&Umpire>) -> Actor {
        account::actor(Channel::Pages, umpire, self.0)
    }

    /// The peer of a request's parts.
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

/// Takes the reader's address from the proxy in front. Only for a server that can be reached only through the proxy:
/// anybody who can send the header directly can claim any address.
pub async fn forwarded(mut request: Request, next: Next) -> Response {
    if let Some(address) = last(request.headers()) {
        request.extensions_mut().insert(Peer(Some(address)));
    }
    next.run(request).await
}

/// The last address of the last `X-Forwarded-For`, which our own proxy added.
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
}
