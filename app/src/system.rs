//! The only place that reads the clock, draws entropy and makes ids. Everything else takes them as arguments, so that a
//! match, a test and the demo can be repeated to the byte.

use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ledger::Moment;
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

#[derive(Debug)]
pub struct System(Source);

#[derive(Debug)]
enum Source {
    Real,
    Seeded(Mutex<Seeded>),
}

/// A clock that moves only on command, and bytes derived from a seed: SHA-256(seed || n).
#[derive(Debug)]
struct Seeded {
    seed: [u8; 32],
    drawn: u64,
    placed: BTreeMap<String, u64>,
    now: Moment,
}

impl System {
    #[must_use]
    pub const fn real() -> Self {
        Self(Source::Real)
    }

    /// For tests and the demo: the same seed gives the same bytes and ids, and the clock stays at `start` until
    /// [`System::pass`]. Anybody who knows the seed knows everything, so nothing real may be sealed with it.
    #[must_use]
    pub fn seeded(seed: &str, start: Moment) -> Self {
        Self(Source::Seeded(Mutex::new(Seeded {
            seed: Sha256::digest(seed).into(),
            drawn: 0,
            placed: BTreeMap::new(),
            now: start,
        })))
    }

    /// The current time. A system clock outside the years of a [`Moment`] counts as their nearest end.
    #[must_use]
    pub fn now(&self) -> Moment {
        match &self.0 {
            Source::Real => system_now(),
            Source::Seeded(seeded) => lock(seeded).now,
        }
    }

    /// A time that never goes back, whatever happens to the clock, from an arbitrary start. It is for limits and
    /// waiting, never for the record, and also passes on a seeded system.
    #[must_use]
    pub fn ticking(&self) -> Duration {
        ticking()
    }

    /// Moves the clock of a seeded system. It has no effect on the system's clock.
    pub fn pass(&self, time: Duration) {
        if let Source::Seeded(seeded) = &self.0 {
            let mut seeded = lock(seeded);
            seeded.now = later(seeded.now, time);
        }
    }

    /// 32 unpredictable bytes.
    ///
    /// # Panics
    /// If the system has no entropy. Then nothing may be sealed, and nothing is.
    #[must_use]
    pub fn bytes32(&self) -> [u8; 32] {
        match &self.0 {
            Source::Real => system_bytes(),
            Source::Seeded(seeded) => {
                let mut seeded = lock(seeded);
                seeded.drawn += 1;
                Sha256::new().chain_update(seeded.seed).chain_update(seeded.drawn.to_be_bytes()).finalize().into()
            }
        }
    }

    /// 32 unpredictable bytes for one place, such as one seat's seals. A seeded system draws them separately for each
    /// place, so that the actions of one seat do not change the bytes of another.
    ///
    /// # Panics
    /// As [`System::bytes32`].
    #[must_use]
    pub fn bytes32_for(&self, place: &str) -> [u8; 32] {
        match &self.0 {
            Source::Real => system_bytes(),
            Source::Seeded(seeded) => {
                let mut seeded = lock(seeded);
                let seed = seeded.seed;
                let drawn = seeded.placed.entry(place.to_owned()).or_default();
                *drawn += 1;
                let hash = Sha256::new().chain_update(seed).chain_update(b"for\n").chain_update(place);
                hash.chain_update(b"\n").chain_update(drawn.to_be_bytes()).finalize().into()
            }
        }
    }

    /// A new id: UUID version 4.
    ///
    /// # Panics
    /// As [`System::bytes32`].
    #[must_use]
    pub fn uuid(&self) -> Uuid {
        let mut half = [0; 16];
        for (byte, drawn) in half.iter_mut().zip(self.bytes32()) {
            *byte = drawn;
        }
        Builder::from_random_bytes(half).into_uuid()
    }
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
fn system_now() -> Moment {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    later(Moment::MIN, since_epoch)
}

#[expect(clippy::disallowed_methods, reason = "the one place that reads the clock")]
fn ticking() -> Duration {
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[expect(clippy::disallowed_methods, reason = "the one place that draws entropy")]
fn system_bytes() -> [u8; 32] {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).expect("the system has entropy");
    bytes
}

fn later(moment: Moment, time: Duration) -> Moment {
    let micros = i64::try_from(time.as_micros()).unwrap_or(i64::MAX).saturating_add(moment.micros());
    Moment::from_micros(micros).unwrap_or(Moment::MAX)
}

/// No change under the lock can fail halfway, so a poisoned lock is still valid.
fn lock(seeded: &Mutex<Seeded>) -> std::sync::MutexGuard<'_, Seeded> {
    seeded.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_things() {
        let start = "2026-11-20T20:41:48.381204Z".parse().unwrap();
        let (one, two, other) =
            (System::seeded("demo", start), System::seeded("demo", start), System::seeded("x", start));
        assert_eq!(one.bytes32(), two.bytes32());
        assert_ne!(one.bytes32(), other.bytes32());
        assert_ne!(one.bytes32(), one.bytes32());
        let id = System::seeded("id", start).uuid();
        assert_eq!(id, System::seeded("id", start).uuid());
        assert_eq!(id.get_version_num(), 4);
    }

    #[test]
    fn what_is_drawn_for_one_place_changes_no_other() {
        let (one, two) = (System::seeded("demo", Moment::MIN), System::seeded("demo", Moment::MIN));
        let first = one.bytes32_for("m/p1");
        assert_ne!(first, one.bytes32_for("m/p1"));
        assert_eq!((one.bytes32_for("m/p2"), one.bytes32()), (two.bytes32_for("m/p2"), two.bytes32()));
        assert_eq!(two.bytes32_for("m/p1"), first);
        assert_ne!(System::real().bytes32_for("m/p1"), System::real().bytes32_for("m/p1"));
    }

    #[test]
    fn a_seeded_clock_stands_still_until_told() {
        let system = System::seeded("demo", Moment::MIN);
        assert_eq!(system.now(), system.now());
        system.pass(Duration::from_millis(1500));
        assert_eq!(system.now().to_string(), "1970-01-01T00:00:01.500000Z");
        system.pass(Duration::MAX);
        assert_eq!(system.now(), Moment::MAX);
    }

    #[test]
    fn the_systems_clock_and_ids_are_what_they_should_be() {
        let system = System::real();
        assert!(system.now() > "2026-01-01T00:00:00.000000Z".parse().unwrap());
        assert_ne!(system.bytes32(), system.bytes32());
        assert_eq!(system.uuid().get_version_num(), 4);
        assert_ne!(system.uuid(), system.uuid());
    }
}
