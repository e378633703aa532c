//! The address of this site, with which every link to it begins.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};
use thiserror::Error;

/// The scheme with which a browser came to the proxy in front.
const SCHEME: HeaderName = HeaderName::from_static("x-forwarded-proto");
/// A DNS name has at most 253 bytes; a port follows.
const HOST_MAX_BYTES: usize = 260;

/// The address that the operator gave, or the one where the program listens. It replaces what a request claims before
/// anything reads that, so that nobody can make a link of this site lead elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteAddress {
    https: bool,
    host: String,
    given: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the address of a site is http:// or https://, a name, and nothing more: https://record.example.org")]
pub struct SiteAddressError;

impl SiteAddress {
    /// The address of a server without a given one: a server that listens on every address is reached on this machine.
    #[must_use]
    pub fn listening(at: SocketAddr) -> Self {
        let own = match at.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
            ip => ip,
        };
        Self { https: false, host: SocketAddr::new(own, at.port()).to_string(), given: false }
    }

    /// Puts this address into a request.
    ///
    /// Without a given address, a browser on this machine may use any of its names for itself, and the scheme is the
    /// proxy's.
    pub fn apply(&self, headers: &mut HeaderMap) {
        let claimed = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or_default();
        if !self.given && is_local(claimed) {
            return;
        }
        if !self.given && claimed != self.host {
            self.warn(claimed);
        }
        if let Ok(host) = HeaderValue::from_str(&self.host) {
            headers.insert(header::HOST, host);
        }
        if self.given {
            headers.insert(SCHEME, HeaderValue::from_static(if self.https { "https" } else { "http" }));
        }
    }

    fn warn(&self, claimed: &str) {
        static WARNED: AtomicBool = AtomicBool::new(false);
        if is_host(claimed) && !WARNED.swap(true, Ordering::Relaxed) {
            tracing::warn!(
                "a browser calls this site {claimed}, and links still begin with {self}. If that is its name, give it: \
                 serve --site https://{claimed}"
            );
        }
    }
}

impl fmt::Display for SiteAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http{}://{}", if self.https { "s" } else { "" }, self.host)
    }
}

impl FromStr for SiteAddress {
    type Err = SiteAddressError;

    fn from_str(text: &str) -> Result<Self, SiteAddressError> {
        let (scheme, rest) = text.trim().split_once("://").ok_or(SiteAddressError)?;
        let https = match scheme {
            "https" => true,
            "http" => false,
            _ => return Err(SiteAddressError),
        };
        let host = rest.strip_suffix('/').unwrap_or(rest);
        if is_host(host) { Ok(Self { https, host: host.to_owned(), given: true }) } else { Err(SiteAddressError) }
    }
}

/// Such as `https://matchbook.example`; empty if the request lacks it or has characters that no address can hold.
#[must_use]
pub fn site(headers: &HeaderMap) -> String {
    let scheme = if is_https(headers) { "https" } else { "http" };
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok());
    host.filter(|host| is_host(host)).map(|host| format!("{scheme}://{host}")).unwrap_or_default()
}

#[must_use]
pub fn is_https(headers: &HeaderMap) -> bool {
    headers.get(SCHEME).is_some_and(|scheme| scheme.as_bytes() == b"https")
}

fn is_host(host: &str) -> bool {
    let may = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]".contains(&byte);
    !host.is_empty() && host.len() <= HOST_MAX_BYTES && host.bytes().all(may)
}

fn is_local(host: &str) -> bool {
    let name = host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(name, _)| name);
    ["localhost", "127.0.0.1", "[::1]"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(pairs: [(&str, &'static str); 2]) -> HeaderMap {
        pairs.map(|(name, value)| (name.parse().unwrap(), HeaderValue::from_static(value))).into_iter().collect()
    }

    #[test]
    fn only_a_host_is_a_site() {
        let called = |host, scheme| site(&headers([("host", host), ("x-forwarded-proto", scheme)]));
        assert_eq!(called("matchbook.example", "https"), "https://matchbook.example");
        assert_eq!(called("127.0.0.1:8080", "http"), "http://127.0.0.1:8080");
        assert_eq!(called("[::1]:8080", "gopher"), "http://[::1]:8080");
        assert_eq!(called("evil.example/<b>", "https"), "");
        assert_eq!(site(&HeaderMap::new()), "");
    }

    #[test]
    fn a_link_begins_with_the_given_address_whatever_is_claimed() {
        let given: SiteAddress = "https://record.example.org/".parse().unwrap();
        for (host, scheme) in [("evil.example", "http"), ("127.0.0.1:8080", "https"), ("", "")] {
            let mut claimed = headers([("host", host), ("x-forwarded-proto", scheme)]);
            given.apply(&mut claimed);
            assert_eq!(site(&claimed), "https://record.example.org", "{host}");
        }
        let mut nothing = HeaderMap::new();
        given.apply(&mut nothing);
        assert_eq!(site(&nothing), given.to_string());
    }

    #[test]
    fn without_one_only_names_of_this_machine_are_believed() {
        for (listen, host, found) in [
            ("127.0.0.1:8080", "localhost:8080", "http://localhost:8080"),
            ("127.0.0.1:8080", "127.0.0.1:9000", "http://127.0.0.1:9000"),
            ("127.0.0.1:8080", "evil.example", "http://127.0.0.1:8080"),
            ("127.0.0.1:8080", "localhost.evil.example", "http://127.0.0.1:8080"),
            ("[::]:8080", "evil.example", "http://[::1]:8080"),
            ("192.0.2.7:80", "evil.example", "http://192.0.2.7:80"),
        ] {
            let mut claimed = headers([("host", host), ("x-forwarded-proto", "http")]);
            SiteAddress::listening(listen.parse().unwrap()).apply(&mut claimed);
            assert_eq!(site(&claimed), found, "{listen} {host}");
        }
    }

    #[test]
    fn a_site_has_no_path() {
        for text in ["record.example.org", "ftp://x", "https://", "https://x/y", "https://a@b", "https://x?y", ""] {
            assert_eq!(text.parse::<SiteAddress>(), Err(SiteAddressError), "{text}");
        }
    }
}
