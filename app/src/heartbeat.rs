//! The heartbeat: this node says several times a second, in the database, that it can take moves. The times in which no
//! node of the site said so are outages, and running clocks get them back. A node whose heart does not beat, or whose
//! clock is off, decides nothing by the clock.
//!
//! While no match with clocks runs, nobody gets anything back. The heart rests then: it asks as often, and writes rarely.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use ledger::Moment;
use prometheus_client::metrics::histogram::Histogram;
use record::body::Outage;
use store::database::{SchemaError, latest_migration, one_connection};
use store::heartbeat::{self, StoredOutage};
use store::{DenialCause, PgPool};
use tokio::sync::watch;
use tokio::time::timeout;

use crate::error::AppError;
use crate::metrics::Metrics;
use crate::public_log::PublicLog;
use crate::system::System;
pub use crate::unfit::Unfit;

pub(crate) const BEAT: Duration = Duration::from_millis(250);
/// The longest time between beats that is no outage.
const LONGEST: Duration = Duration::from_secs(1);
const REST: Duration = Duration::from_secs(5);
/// How far this node's clock may be from the database's.
const OFF_MAX: Duration = Duration::from_millis(500);
/// The time limit of a beat: a database that answers later took no moves meanwhile.
const PATIENCE: Duration = Duration::from_secs(5);

/// The heart of this node. Where it was never started, as in commands and in tests with a clock of their own, nothing
/// depends on it.
#[derive(Debug)]
pub struct Heartbeat {
    pool: PgPool,
    public_log: Arc<PublicLog>,
    system: Arc<System>,
    write_probe: Histogram,
    began: AtomicBool,
    denied: Mutex<Option<DenialCause>>,
    last: Mutex<Option<LastBeat>>,
    superseded: watch::Sender<Option<i64>>,
}

#[derive(Clone, Copy, Debug)]
struct LastBeat {
    /// When it was sent, by the clock that never goes back.
    sent: Duration,
    /// The same by the clock that decides.
    at: Moment,
    skew: Skew,
    last_outage: Option<Moment>,
    /// When this node last stored one, by the clock that never goes back; none after one that was fit for nothing.
    stored: Option<Duration>,
    rests: bool,
}

impl LastBeat {
    fn fit(&self, now: Moment, ticking: Duration) -> Result<(), Unfit> {
        if ticking.saturating_sub(self.sent) > LONGEST {
            return Err(Unfit::Away);
        }
        self.right(now, ticking)
    }

    /// Whether the clock is right, as far as anybody knows since this beat.
    fn right(&self, now: Moment, ticking: Duration) -> Result<(), Unfit> {
        let age = ticking.saturating_sub(self.sent);
        // A clock that was set since then decides nothing before the next beat: a deadline may seem to be over, and time that
        // was lost is given back only then.
        let passed = now.micros().saturating_sub(self.at.micros());
        let jumped = passed.saturating_sub(i64::try_from(age.as_micros()).unwrap_or(i64::MAX));
        let since = Skew { ahead_micros: self.skew.ahead_micros.saturating_add(jumped), ..self.skew };
        match [self.skew, since].into_iter().find(|skew| skew.is_off()) {
            Some(off) => Err(Unfit::ClockOff { ahead_seconds: off.ahead_micros as f64 / 1e6 }),
            None => Ok(()),
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Skew {
    /// By how many microseconds this node's clock is ahead; negative if it is behind.
    pub ahead_micros: i64,
    /// How far the measurement itself may be wrong: half of the time that the answer took.
    pub uncertain: Duration,
}

impl Skew {
    /// Compares the database's clock with this node's, from just before the question to the answer.
    fn measured(asked: Moment, database: Moment, took: Duration) -> Self {
        let uncertain = took / 2;
        let middle = asked.micros().saturating_add(i64::try_from(uncertain.as_micros()).unwrap_or(i64::MAX));
        Self { ahead_micros: middle.saturating_sub(database.micros()), uncertain }
    }

    /// True if the clock is off by more than is allowed, however wrong the measurement is.
    #[must_use]
    pub fn is_off(self) -> bool {
        Duration::from_micros(self.ahead_micros.unsigned_abs()).saturating_sub(self.uncertain) > OFF_MAX
    }
}

impl Heartbeat {
    pub(crate) fn new(pool: &PgPool, public_log: Arc<PublicLog>, system: Arc<System>, metrics: &Metrics) -> Self {
        Self {
            pool: pool.clone(),
            public_log,
            system,
            write_probe: metrics.write_probe.clone(),
            began: AtomicBool::new(false),
            denied: Mutex::default(),
            last: Mutex::new(None),
            superseded: watch::Sender::new(None),
        }
    }

    /// The heart's own connection: busy pages are no outage.
    pub(crate) fn connection(&self) -> PgPool {
        one_connection(&self.pool, "matchbook heartbeat", PATIENCE)
    }

    pub async fn beat(&self) -> Result<(), AppError> {
        self.beat_by(&self.connection()).await
    }

    pub(crate) async fn beat_by(&self, connection: &PgPool) -> Result<(), AppError> {
        self.began.store(true, Ordering::SeqCst);
        let beaten = self.try_to_beat(connection).await;
        let denial = beaten.as_ref().err().and_then(AppError::denial);
        *self.denied.lock().unwrap_or_else(PoisonError::into_inner) = denial.map(|denial| denial.cause);
        beaten
    }

    pub(crate) fn leave_out(&self) {
        self.began.store(true, Ordering::SeqCst);
    }

    async fn try_to_beat(&self, connection: &PgPool) -> Result<(), AppError> {
        if self.public_log.accepts().is_err() {
            return Ok(());
        }
        let (asked, began) = (self.system.now(), self.system.ticking());
        let read = within(heartbeat::read(connection)).await?;
        if read.oldest_program > latest_migration() {
            self.superseded.send_replace(Some(read.oldest_program));
        }
        let skew = Skew::measured(asked, read.now, self.system.ticking().saturating_sub(began));
        let (rests, before) = (!read.is_running, self.last());
        // After a time without an answer nothing is known of what ran meanwhile.
        let recent = before.filter(|last| began.saturating_sub(last.sent) <= LONGEST);
        let rested = if before.is_some() { recent.is_some_and(|last| last.rests) } else { rests };
        let stored = recent.and_then(|last| last.stored);
        let mut last = LastBeat { sent: began, at: asked, skew, last_outage: self.last_outage(), stored, rests };
        let is_kept = rests && rested && stored.is_some_and(|stored| began.saturating_sub(stored) < REST);
        if skew.is_off() {
            last.stored = None;
        } else if !is_kept {
            // A clock that has just begun finds the last beat of the rest.
            let longest = if rested { LONGEST + REST } else { LONGEST };
            let longest = i64::try_from(longest.as_millis()).unwrap_or(i64::MAX);
            (last.sent, last.at) = (self.system.ticking(), self.system.now());
            last.last_outage = within(heartbeat::beat(connection, last.at, longest)).await?;
            last.stored = Some(last.sent);
            self.write_probe.observe(self.system.ticking().saturating_sub(last.sent).as_secs_f64());
        }
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(last);
        Ok(())
    }

    pub fn fit(&self) -> Result<(), Unfit> {
        match self.last() {
            // Its first beat gives back what an outage took, so nothing closes before it.
            None if self.began.load(Ordering::SeqCst) => Err(self.away()),
            None => Ok(()),
            Some(last) => last.fit(self.system.now(), self.system.ticking()).map_err(|unfit| match unfit {
                Unfit::Away => self.away(),
                other => other,
            }),
        }
    }

    pub(crate) fn away(&self) -> Unfit {
        self.denied.lock().unwrap_or_else(PoisonError::into_inner).map_or(Unfit::Away, Unfit::Denied)
    }

    /// Says if the times that this node writes are right. An entry with a wrong one may begin a clock that is over before
    /// anybody can answer, or that nobody sees the end of.
    pub fn tells_time(&self) -> Result<(), Unfit> {
        match self.last() {
            None if self.began.load(Ordering::SeqCst) => Err(Unfit::Away),
            None => Ok(()),
            Some(last) => last.right(self.system.now(), self.system.ticking()),
        }
    }

    /// Waits until a newer program has changed the database so that this one must leave it.
    pub async fn superseded(&self) {
        // It cannot fail: the sender is here.
        let _ = self.superseded.subscribe().wait_for(Option::is_some).await;
    }

    pub fn may_serve(&self) -> Result<(), SchemaError> {
        match *self.superseded.borrow() {
            None => Ok(()),
            Some(found) => Err(SchemaError::Newer { found, known: latest_migration() }),
        }
    }

    #[must_use]
    pub fn age(&self) -> Option<Duration> {
        self.last().map(|last| self.system.ticking().saturating_sub(last.sent))
    }

    #[must_use]
    pub fn skew(&self) -> Option<Skew> {
        self.last().map(|last| last.skew)
    }

    pub(crate) async fn outages_since(&self, since: Moment) -> Result<Vec<Outage>, AppError> {
        // Nearly always there was none, and this asks nobody.
        if self.last_outage().is_none_or(|ended| ended <= since) {
            return Ok(Vec::new());
        }
        let stored = within(heartbeat::outages_since(&self.pool, since)).await?;
        Ok(stored.into_iter().map(|StoredOutage { began, ended }| Outage { from: began, until: ended }).collect())
    }

    fn last_outage(&self) -> Option<Moment> {
        self.last()?.last_outage
    }

    fn last(&self) -> Option<LastBeat> {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

async fn within<T>(answer: impl Future<Output = Result<T, store::StoreError>>) -> Result<T, AppError> {
    Ok(timeout(PATIENCE, answer).await.map_err(|_| AppError::Stopped)??)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_off_only_if_no_delay_explains_it() {
        let at = |micros: i64| Moment::from_micros(1_700_000_000_000_000 + micros).unwrap();
        let skew = |database: i64, took_ms: u64| Skew::measured(at(0), at(database), Duration::from_millis(took_ms));
        for (database, took, off) in [
            (0, 0, false),
            (500_000, 0, false),
            (500_001, 0, true),
            (-500_001, 0, true),
            // The question or the answer may have taken the whole second.
            (1_000_000, 1_000, false),
            (0, 1_000, false),
            (1_500_001, 1_000, true),
            (-500_001, 1_000, true),
        ] {
            assert_eq!(skew(database, took).is_off(), off, "{database} {took}");
        }
        assert_eq!(skew(-3_000_000, 0).ahead_micros, 3_000_000);
    }

    #[test]
    fn a_clock_that_was_set_decides_nothing_before_the_next_beat() {
        let at = |ms: i64| Moment::from_micros(1_700_000_000_000_000 + ms * 1_000).unwrap();
        let beat = |ahead_ms: i64| LastBeat {
            sent: Duration::from_secs(50),
            at: at(0),
            skew: Skew { ahead_micros: ahead_ms * 1_000, uncertain: Duration::ZERO },
            last_outage: None,
            stored: None,
            rests: false,
        };
        let after = |ahead_ms, clock_ms, ticked_ms| {
            beat(ahead_ms).fit(at(clock_ms), Duration::from_secs(50) + Duration::from_millis(ticked_ms))
        };
        let off = |ahead_seconds| Err(Unfit::ClockOff { ahead_seconds });
        for (ahead, clock, ticked, expected) in [
            (0, 900, 900, Ok(())),
            (0, 1_001, 1_001, Err(Unfit::Away)),
            // It was set ahead, and back.
            (0, 600_200, 200, off(600.0)),
            (0, -59_800, 200, off(-60.0)),
            (400, 300, 200, Ok(())),
            (400, 400, 200, off(0.6)),
            // It was off and is right now; no beat has said so.
            (600, -400, 200, off(0.6)),
        ] {
            assert_eq!(after(ahead, clock, ticked), expected, "{ahead} {clock} {ticked}");
        }
    }
}
