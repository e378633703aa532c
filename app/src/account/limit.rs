//! How often somebody may try. Each node counts by itself, in memory: what is limited is the load of a node and the guessing
//! of passwords, and a restart that forgets it loses little.
//!
//! With several nodes the bounds add up. The least recently used counts are forgotten first, so that whoever comes from
//! very many addresses costs memory once and no more. Each kind of count has room of its own: what anybody can make up by
//! the thousand, such as cookies, must not push out what guards a password.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lru::LruCache;
use sha2::{Digest, Sha256};

use crate::system::System;

/// The counts of a kind that are kept: about 100 bytes each.
const KEPT: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();
/// Requests of a program in a second, where the operator says nothing else.
pub const API_PER_SECOND: u32 = 20;

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limited {
    /// Passwords tried for a name.
    Name,
    /// Sign-ins tried from an address.
    Address,
    /// What a browser sends for a seat.
    Seat,
    /// Requests of a program: by its token, or by its address where it has none.
    Program,
}

/// Too many, for now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooMany {
    /// After how many seconds one more is let in.
    pub retry_seconds: u32,
}

/// The counts of this node.
#[derive(Debug)]
pub struct Limits {
    /// Until when each is used up, were nothing to come any more (the generic cell rate algorithm).
    used: Mutex<HashMap<Limited, LruCache<[u8; 16], Duration>>>,
    api_per_second: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self::new(API_PER_SECOND)
    }
}

impl Limits {
    /// Fresh counts. A program may ask this often in a second, and ten times as often at once.
    #[must_use]
    pub fn new(api_per_second: u32) -> Self {
        Self { used: Mutex::default(), api_per_second: api_per_second.max(1) }
    }

    /// How many may come at once, and how long it takes until one more may.
    fn bound(&self, what: Limited) -> (u32, Duration) {
        match what {
            Limited::Name => (10, Duration::from_secs(60)),
            Limited::Address => (30, Duration::from_secs(20)),
            Limited::Seat => (120, Duration::from_millis(500)),
            Limited::Program => (self.api_per_second.saturating_mul(10), Duration::from_secs(1) / self.api_per_second),
        }
    }

    /// Counts one more.
    ///
    /// # Errors
    /// There were too many lately; this one is not counted.
    pub fn count(&self, system: &System, what: Limited, whose: &[u8]) -> Result<(), TooMany> {
        self.count_at(system.ticking(), what, whose)
    }

    fn count_at(&self, now: Duration, what: Limited, whose: &[u8]) -> Result<(), TooMany> {
        let (at_once, each) = self.bound(what);
        let hash: [u8; 32] = Sha256::digest(whose).into();
        let half: [u8; 16] = std::array::from_fn(|at| hash.get(at).copied().unwrap_or(0));
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let used = used.entry(what).or_insert_with(|| LruCache::new(KEPT));
        let until = used.get(&half).copied().unwrap_or(now).max(now).saturating_add(each);
        let most = now.saturating_add(each.saturating_mul(at_once));
        match until.checked_sub(most).filter(|over| !over.is_zero()) {
            Some(over) => {
                let seconds = u32::try_from(over.as_millis().div_ceil(1000)).unwrap_or(u32::MAX);
                Err(TooMany { retry_seconds: seconds.max(1) })
            }
            None => {
                used.put(half, until);
                Ok(())
            }
        }
    }
}

/// An address as it is counted: one household of IPv6 is a /64.
#[must_use]
pub fn counted(address: Option<IpAddr>) -> Vec<u8> {
    match address.map(|address| address.to_canonical()) {
        None => Vec::new(),
        Some(IpAddr::V4(address)) => address.octets().to_vec(),
        Some(IpAddr::V6(address)) => address.octets().into_iter().take(8).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_let_in_and_then_one_by_one() {
        let limits = Limits::new(20);
        let start = Duration::from_secs(1000);
        for _ in 0..10 {
            limits.count_at(start, Limited::Name, b"ursula").unwrap();
        }
        assert_eq!(limits.count_at(start, Limited::Name, b"ursula"), Err(TooMany { retry_seconds: 60 }));
        limits.count_at(start, Limited::Name, b"other").unwrap();
        limits.count_at(start, Limited::Address, b"ursula").unwrap();
        let later = start + Duration::from_secs(45);
        assert_eq!(limits.count_at(later, Limited::Name, b"ursula"), Err(TooMany { retry_seconds: 15 }));
        let later = start + Duration::from_secs(60);
        limits.count_at(later, Limited::Name, b"ursula").unwrap();
        assert!(limits.count_at(later, Limited::Name, b"ursula").is_err());
    }

    #[test]
    fn what_anybody_can_make_up_pushes_no_count_of_passwords_out() {
        let limits = Limits::new(20);
        let start = Duration::from_secs(1000);
        for _ in 0..10 {
            limits.count_at(start, Limited::Name, b"ursula").unwrap();
        }
        for n in 0..=KEPT.get() {
            for made_up in [Limited::Seat, Limited::Program] {
                limits.count_at(start, made_up, &n.to_be_bytes()).unwrap();
            }
        }
        assert!(limits.count_at(start, Limited::Name, b"ursula").is_err());
    }

    #[test]
    fn a_household_counts_as_one() {
        let of = |text: &str| counted(text.parse().ok());
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
