//! The addresses that may be contacted, and the names that resolve to them.
//!
//! An address chosen by somebody else must not reach anything that only this machine or its own network can reach. The
//! checked address is the one that is connected to, so a name that resolves differently the second time gains nothing.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::vec::IntoIter;

use hyper_util::client::legacy::connect::dns::Name;
use tower_service::Service;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    Anywhere,
    Public,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Names(pub(super) Reach);

const NOT_PUBLIC: &str = "its name leads to no public address";

impl Reach {
    #[must_use]
    pub fn allows(self, address: IpAddr) -> bool {
        match (self, address) {
            (Self::Anywhere, _) => true,
            (Self::Public, IpAddr::V4(address)) => is_public_v4(address),
            (Self::Public, IpAddr::V6(address)) => is_public_v6(address),
        }
    }

    /// True if a host written as an address is allowed; a name is checked when it is resolved.
    pub(super) fn allows_host(self, host: &str) -> bool {
        let bare = host.trim_start_matches('[').trim_end_matches(']');
        bare.parse().map_or(true, |address| self.allows(address))
    }
}

/// False for addresses that are not globally reachable by IANA's special-purpose registry (RFC 6890 and its
/// successors).
fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, _] = address.octets();
    let shared = a == 100 && (64..128).contains(&b);
    let benchmarks = a == 198 && (b == 18 || b == 19);
    let protocols = a == 192 && b == 0 && c == 0;
    let relay = a == 192 && b == 88 && c == 99;
    !(a == 0
        || a >= 224
        || shared
        || benchmarks
        || protocols
        || relay
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation())
}

/// Of IPv6, only global unicast (2000::/3), without addresses that embed an IPv4 address or are for documentation.
fn is_public_v6(address: Ipv6Addr) -> bool {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return is_public_v4(mapped);
    }
    let [a, b, ..] = address.segments();
    let protocols = a == 0x2001 && b < 0x200;
    let documentation = (a == 0x2001 && b == 0xdb8) || (a == 0x3fff && b < 0x1000);
    let from_v4 = a == 0x2002;
    (0x2000..0x4000).contains(&a) && !protocols && !documentation && !from_v4
}

impl Service<Name> for Names {
    type Response = IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        let reach = self.0;
        Box::pin(async move {
            let found = tokio::net::lookup_host((name.as_str(), 0)).await;
            if reach == Reach::Anywhere {
                return Ok(found?.collect::<Vec<_>>().into_iter());
            }
            // One error for an unknown name and for a private address: who asks must not learn which names our network has.
            let found = found.into_iter().flatten();
            let allowed: Vec<SocketAddr> = found.filter(|found| reach.allows(found.ip())).collect();
            if allowed.is_empty() {
                return Err(io::Error::new(io::ErrorKind::NotFound, NOT_PUBLIC));
            }
            Ok(allowed.into_iter())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_only_a_network_of_its_own_can_reach_is_not_public() {
        let private = "127.0.0.1 127.9.9.9 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 \
                       100.64.0.1 192.0.0.8 192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 \
                       255.255.255.255 :: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::7f00:1 64:ff9b::7f00:1 fe80::1 \
                       fc00::1 fd12:3456::1 ff02::1 2001::1 2001:db8::1 2002:7f00:1:: 3fff::1";
        for private in private.split_whitespace() {
            assert!(!Reach::Public.allows(private.parse().unwrap()), "{private}");
            assert!(Reach::Anywhere.allows(private.parse().unwrap()));
        }
        for public in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1", "::ffff:1.1.1.1"] {
            assert!(Reach::Public.allows(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn a_host_that_is_an_address_is_looked_at_at_once() {
        assert!(!Reach::Public.allows_host("[::1]") && !Reach::Public.allows_host("127.0.0.1"));
        assert!(Reach::Public.allows_host("example.com") && Reach::Anywhere.allows_host("[::1]"));
    }

    #[tokio::test]
    async fn a_name_that_leads_home_leads_nowhere() {
        let look = |reach, name: &str| Names(reach).call(name.parse().unwrap());
        // RFC 6761: no name ends in .invalid. What is unknown and what is private cannot be told apart.
        for name in ["localhost", "127.1", "nobody.invalid"] {
            let refused = look(Reach::Public, name).await.unwrap_err();
            assert_eq!(
                (refused.kind(), refused.to_string()),
                (io::ErrorKind::NotFound, NOT_PUBLIC.to_owned()),
                "{name}"
            );
        }
        assert!(look(Reach::Anywhere, "localhost").await.unwrap().next().is_some());
    }
}
