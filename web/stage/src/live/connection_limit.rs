//! The limits on spectators of a node, in total and for one address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::net::TcpStream;

use web_http::visitor::{Peer, UndeclaredProxy};

/// The streams open at once on one node: each needs some kilobytes and a file descriptor.
const ALL_MAX: usize = 20_000;
/// The streams from one address. A school or a mobile operator has many people behind one.
const ADDRESS_MAX: usize = 100;

#[derive(Debug, Default)]
pub(super) struct ConnectionLimit {
    counted: Mutex<StreamCounts>,
}

#[derive(Debug, Default)]
struct StreamCounts {
    all: usize,
    from: HashMap<IpAddr, usize>,
}

#[derive(Debug)]
pub(super) struct StreamPermit {
    limit: Arc<ConnectionLimit>,
    from: Option<IpAddr>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LimitReached {
    Address,
    Node,
}

impl ConnectionLimit {
    fn lock(&self) -> MutexGuard<'_, StreamCounts> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place. If the address is unknown, only the node's limit counts.
    pub(super) fn acquire(self: &Arc<Self>, from: Option<IpAddr>) -> Result<StreamPermit, LimitReached> {
        let mut counted = self.lock();
        if counted.all >= ALL_MAX {
            return Err(LimitReached::Node);
        }
        if let Some(from) = from {
            let there = counted.from.entry(from).or_default();
            if *there >= ADDRESS_MAX {
                return Err(LimitReached::Address);
            }
            *there += 1;
        }
        counted.all += 1;
        Ok(StreamPermit { limit: self.clone(), from })
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut counted = self.limit.lock();
        counted.all = counted.all.saturating_sub(1);
        let Some(from) = self.from else { return };
        let left = counted.from.get(&from).map_or(0, |there| there.saturating_sub(1));
        if left == 0 {
            counted.from.remove(&from);
        } else {
            counted.from.insert(from, left);
        }
    }
}

pub(super) fn counted_address(peer: Peer, proxy: UndeclaredProxy) -> Option<IpAddr> {
    peer.outside(proxy).map(network)
}

/// An IPv6 subscriber has a 64-bit network, not one address.
fn network(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

/// Prepares a connection for events: each is sent at once, and clients that stall for 30 s are disconnected.
pub fn prepare_connection(connection: &mut TcpStream) {
    // Both are optional: without them events arrive later, and a client that is gone stays connected for longer.
    let _ = connection.set_nodelay(true);
    #[cfg(target_os = "linux")]
    {
        const STALLED_MAX_MS: u32 = 30_000;
        let _ = nix::sys::socket::setsockopt(connection, nix::sys::socket::sockopt::TcpUserTimeout, &STALLED_MAX_MS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_an_addresss_or_a_networks() {
        let through = |address: &str, proxy| {
            counted_address(Peer(address.parse().ok()), UndeclaredProxy(proxy)).map(|from| from.to_string())
        };
        let of = |address: &str| through(address, false);
        assert_eq!(of("203.0.113.7").as_deref(), Some("203.0.113.7"));
        assert_eq!(of("2001:db8:1:2:3:4:5:6").as_deref(), Some("2001:db8:1:2::"));
        assert_eq!(of("::ffff:203.0.113.7").as_deref(), Some("203.0.113.7"));
        assert_eq!((of("127.0.0.1"), of("::1"), of("")), (None, None, None));
        assert_eq!(through("127.0.0.1", true).as_deref(), Some("127.0.0.1"));
        assert_eq!(through("", true), None);
    }

    #[test]
    fn a_place_is_free_again_when_its_stream_ends() {
        let limit = Arc::new(ConnectionLimit::default());
        let from = "203.0.113.7".parse().ok();
        let mut permits: Vec<StreamPermit> = (0..ADDRESS_MAX).map(|_| limit.acquire(from).unwrap()).collect();
        assert_eq!(limit.acquire(from).err(), Some(LimitReached::Address));
        assert!(limit.acquire("203.0.113.8".parse().ok()).is_ok());
        permits.pop();
        assert!(limit.acquire(from).is_ok());
        drop(permits);
        assert!(limit.lock().from.is_empty() && limit.lock().all == 0);
    }
}
