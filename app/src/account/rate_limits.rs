//! Rate limits. Each node counts by itself, in memory: they limit the load of a node and the guessing of passwords, so
//! little is lost when a restart forgets the counts.
//!
//! With several nodes the limits add up. The least recently used counts are forgotten first, so memory is bounded however
//! many addresses there are. Each kind has its own memory: values that anybody can invent by the thousand, such as cookies,
//! must not push out the counts that guard a password.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use lru::LruCache;
use sha2::{Digest, Sha256};

use crate::system::System;

const KEPT: NonZeroUsize = NonZeroUsize::new(20_000).unwrap();
pub const API_PER_SECOND: u32 = 20;
const PAGE_COSTS: NonZeroU32 = NonZeroU32::new(240).unwrap();
const DELAY_MAX: Duration = Duration::from_secs(10);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RateLimit {
    /// Attempts at the password of a name from an address. A stranger uses up nobody else's.
    Name,
    /// The same from all addresses together: they wait, and are never refused.
    NameFromAnywhere,
    Check,
    Address,
    Seat,
    /// Pages that cost the server much, by address. A page counts as often as it costs.
    DearPage,
    Subnet,
    PrivateLink,
    PlayerKey,
    /// Those entries from a range of addresses, so that nobody with one range uses up what is left to all.
    PlayerKeyRange,
    AllPlayerKeys,
    BeaconRound,
    Comment,
    Program,
    /// Requests of a token whose answers are stored for a day. One of a seat counts ten times.
    StoredAnswer,
    RefusalLine,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateExceeded {
    pub retry_seconds: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLeft {
    pub at_once: u32,
    pub window: Duration,
    pub left: u32,
    pub whole_after: Duration,
}

#[derive(Debug)]
pub struct RateLimits {
    /// The time at which each is unused again, if nothing more comes (the generic cell rate algorithm).
    used: Mutex<HashMap<RateLimit, LruCache<[u8; 16], Duration>>>,
    api_per_second: u32,
    page_costs: NonZeroU32,
    /// Refusals since the last line in the program's log that have no line.
    pub unlogged: AtomicU64,
}

impl Default for RateLimits {
    fn default() -> Self {
        Self::new(API_PER_SECOND)
    }
}

impl RateLimits {
    #[must_use]
    pub fn new(api_per_second: u32) -> Self {
        Self {
            used: Mutex::default(),
            api_per_second: api_per_second.max(1),
            page_costs: PAGE_COSTS,
            unlogged: AtomicU64::default(),
        }
    }

    #[must_use]
    pub fn with_page_costs(self, page_costs: NonZeroU32) -> Self {
        Self { page_costs, ..self }
    }

    fn bound(&self, what: RateLimit) -> (u32, Duration) {
        match what {
            RateLimit::Name | RateLimit::Check => (10, Duration::from_secs(60)),
            RateLimit::NameFromAnywhere => (30, Duration::from_secs(1)),
            RateLimit::Address => (30, Duration::from_secs(20)),
            RateLimit::Seat => (120, Duration::from_millis(500)),
            RateLimit::DearPage => (self.page_costs.get(), Duration::from_secs(60) / self.page_costs.get()),
            // A tournament of hundreds may share an address, and each of its pages looks for news every few seconds.
            RateLimit::Subnet => (6_000, Duration::from_millis(5)),
            // A whole tournament may share an address.
            RateLimit::PrivateLink => (120, Duration::from_secs(2)),
            // A whole tournament may share an address.
            RateLimit::PlayerKey => (60, Duration::from_secs(600)),
            RateLimit::BeaconRound => (30, Duration::from_secs(10)),
            RateLimit::Comment => (30, Duration::from_secs(10)),
            RateLimit::PlayerKeyRange => (120, Duration::from_secs(300)),
            RateLimit::AllPlayerKeys => (600, Duration::from_secs(60)),
            RateLimit::StoredAnswer => (10_000, Duration::from_secs(5)),
            RateLimit::RefusalLine => (60, Duration::from_secs(1)),
            RateLimit::Program => {
                (self.api_per_second.saturating_mul(10), Duration::from_secs(1) / self.api_per_second)
            }
        }
    }

    pub fn count(&self, system: &System, what: RateLimit, whose: &[u8]) -> Result<(), RateExceeded> {
        self.count_at(system.ticking(), what, whose, 1)
    }

    pub fn count_many(
        &self,
        system: &System,
        what: RateLimit,
        whose: &[u8],
        many: NonZeroU32,
    ) -> Result<(), RateExceeded> {
        self.count_at(system.ticking(), what, whose, many.get())
    }

    /// What is left of a limit: how many may come at once, within how long as many may come again, how many of them are left
    /// now, and after how long all are.
    pub fn left(&self, system: &System, what: RateLimit, whose: &[u8]) -> RateLeft {
        let (at_once, each) = self.bound(what);
        let now = system.ticking();
        let used = self.with_count(what, whose, |used| (used.unwrap_or(now).saturating_sub(now), None));
        let spent = used.as_nanos().div_ceil(each.as_nanos().max(1));
        RateLeft {
            at_once,
            window: each.saturating_mul(at_once),
            left: at_once.saturating_sub(u32::try_from(spent).unwrap_or(u32::MAX)),
            whole_after: used,
        }
    }

    /// Counts one more, which is never refused. It waits for this time: the longer, the more came than are allowed.
    pub fn delay(&self, system: &System, what: RateLimit, whose: &[u8]) -> Duration {
        self.delay_at(system.ticking(), what, whose)
    }

    fn delay_at(&self, now: Duration, what: RateLimit, whose: &[u8]) -> Duration {
        let (at_once, each) = self.bound(what);
        let most = now.saturating_add(each.saturating_mul(at_once));
        self.with_count(what, whose, |used| {
            let until = used.unwrap_or(now).max(now).saturating_add(each).min(most.saturating_add(DELAY_MAX));
            (until.saturating_sub(most), Some(until))
        })
    }

    fn with_count<T>(
        &self,
        what: RateLimit,
        whose: &[u8],
        change: impl FnOnce(Option<Duration>) -> (T, Option<Duration>),
    ) -> T {
        let hash: [u8; 32] = Sha256::digest(whose).into();
        let half: [u8; 16] = std::array::from_fn(|at| hash.get(at).copied().unwrap_or(0));
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        let used = used.entry(what).or_insert_with(|| LruCache::new(KEPT));
        let (told, until) = change(used.get(&half).copied());
        if let Some(until) = until {
            used.put(half, until);
        }
        told
    }

    fn count_at(&self, now: Duration, what: RateLimit, whose: &[u8], many: u32) -> Result<(), RateExceeded> {
        let (at_once, each) = self.bound(what);
        let most = now.saturating_add(each.saturating_mul(at_once));
        self.with_count(what, whose, |used| {
            let until = used.unwrap_or(now).max(now).saturating_add(each.saturating_mul(many));
            match until.checked_sub(most).filter(|over| !over.is_zero()) {
                Some(over) => {
                    let seconds = u32::try_from(over.as_millis().div_ceil(1000)).unwrap_or(u32::MAX);
                    (Err(RateExceeded { retry_seconds: seconds.max(1) }), None)
                }
                None => (Ok(()), Some(until)),
            }
        })
    }
}

#[must_use]
pub fn range(address: Option<IpAddr>) -> Vec<u8> {
    let half = |counted: Vec<u8>| counted.get(..counted.len() / 2).map(<[u8]>::to_vec).unwrap_or_default();
    half(counted(address))
}

/// The part of an address that is counted: for IPv6 a /64, the network of one household.
#[must_use]
pub fn counted(address: Option<IpAddr>) -> Vec<u8> {
    match address.map(|address| address.to_canonical()) {
        None => Vec::new(),
        Some(IpAddr::V4(address)) => address.octets().to_vec(),
        Some(IpAddr::V6(address)) => address.octets().into_iter().take(8).collect(),
    }
}

#[must_use]
pub fn subnet(address: IpAddr) -> Vec<u8> {
    match address.to_canonical() {
        IpAddr::V4(address) => address.octets().into_iter().take(3).collect(),
        IpAddr::V6(address) => address.octets().into_iter().take(6).collect(),
    }
}

/// The counted part in words, for the log of accounts: `192.0.2.7`, `2001:db8:1:2::/64`; empty without an address.
#[must_use]
pub fn network(address: Option<IpAddr>) -> String {
    match address.map(|address| address.to_canonical()) {
        None => String::new(),
        Some(IpAddr::V4(address)) => address.to_string(),
        Some(IpAddr::V6(address)) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{}/64", Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_one_at_a_time() {
        let limits = RateLimits::new(20);
        let start = Duration::from_secs(1000);
        for _ in 0..10 {
            limits.count_at(start, RateLimit::Name, b"ursula", 1).unwrap();
        }
        assert_eq!(limits.count_at(start, RateLimit::Name, b"ursula", 1), Err(RateExceeded { retry_seconds: 60 }));
        limits.count_at(start, RateLimit::Name, b"other", 1).unwrap();
        limits.count_at(start, RateLimit::Address, b"ursula", 1).unwrap();
        let later = start + Duration::from_secs(45);
        assert_eq!(limits.count_at(later, RateLimit::Name, b"ursula", 1), Err(RateExceeded { retry_seconds: 15 }));
        let later = start + Duration::from_secs(60);
        limits.count_at(later, RateLimit::Name, b"ursula", 1).unwrap();
        assert!(limits.count_at(later, RateLimit::Name, b"ursula", 1).is_err());
    }

    #[test]
    fn whoever_is_never_refused_waits_the_longer_the_more_come() {
        let limits = RateLimits::new(20);
        let start = Duration::from_secs(1000);
        let wait = |at| limits.delay_at(at, RateLimit::NameFromAnywhere, b"ursula").as_secs();
        let waits: Vec<_> = (0..45).map(|_| wait(start)).collect();
        assert!(waits.iter().take(30).all(|wait| *wait == 0), "{waits:?}");
        assert_eq!(
            waits.get(30..).map(|rest| rest.to_vec()),
            Some(vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10, 10])
        );
        assert_eq!(wait(start + Duration::from_secs(60)), 0);
    }

    #[test]
    fn invented_values_push_out_no_counts_of_passwords() {
        let limits = RateLimits::new(20);
        let start = Duration::from_secs(1000);
        for _ in 0..10 {
            limits.count_at(start, RateLimit::Name, b"ursula", 1).unwrap();
        }
        for n in 0..=KEPT.get() {
            for made_up in [RateLimit::Seat, RateLimit::Program] {
                limits.count_at(start, made_up, &n.to_be_bytes(), 1).unwrap();
            }
        }
        assert!(limits.count_at(start, RateLimit::Name, b"ursula", 1).is_err());
    }

    #[test]
    fn what_costs_more_counts_more() {
        let limits = RateLimits::new(20);
        let start = Duration::from_secs(1000);
        for _ in 0..6 {
            limits.count_at(start, RateLimit::DearPage, b"one", 40).unwrap();
        }
        let over = limits.count_at(start, RateLimit::DearPage, b"one", 40);
        assert_eq!(over, Err(RateExceeded { retry_seconds: 10 }));
        limits.count_at(start + Duration::from_secs(1), RateLimit::DearPage, b"one", 4).unwrap();
        limits.count_at(start, RateLimit::DearPage, b"other", 240).unwrap();
    }

    #[test]
    fn a_household_counts_as_one() {
        let of = |text: &str| counted(text.parse().ok());
        assert_eq!(of("2001:db8:1:2:3::4"), of("2001:db8:1:2:ffff::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        let in_range = |text: &str| range(text.parse().ok());
        assert_eq!(in_range("192.0.2.1"), in_range("192.0.99.1"));
        assert_ne!(in_range("192.0.2.1"), in_range("192.1.2.1"));
        assert_eq!(in_range("2001:db8:1::1"), in_range("2001:db8:2::1"));
        let in_subnet = |text: &str| subnet(text.parse().unwrap());
        assert_eq!(in_subnet("192.0.2.1"), in_subnet("::ffff:192.0.2.200"));
        assert_eq!(in_subnet("2001:db8:1:2::1"), in_subnet("2001:db8:1:ffff::1"));
        assert_ne!(in_subnet("192.0.2.1"), in_subnet("192.0.3.1"));
        for (address, said) in [
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
            ("nowhere", ""),
        ] {
            assert_eq!(network(address.parse().ok()), said);
        }
    }
}
