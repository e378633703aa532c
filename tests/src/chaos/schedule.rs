//! A schedule of faults: made from a seed, kept as JSON when something is wrong, and replayed from that.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::Value;

use super::fault::{Fault, Kind};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Schedule(pub(super) Vec<Fault>);

/// Numbers from a seed (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    /// A fault of a kind, of a size that can happen.
    fn fault(&mut self, kind: Kind) -> Fault {
        let sign = if self.below(2) == 0 { 1 } else { -1 };
        let amount = match kind {
            Kind::ServerKilled | Kind::PostgresKilled | Kind::Forgotten => 0,
            Kind::PostgresFrozen => 200 + self.below(2_300),
            Kind::AnswersCut => 20 + self.below(30),
            Kind::DiskFull | Kind::DatabaseFull => 200 + self.below(800),
            Kind::CheckpointBlocked | Kind::CheckpointGarbage => 200 + self.below(800),
            Kind::MachineClock | Kind::ServerClock => 1 + self.below(600),
        };
        let is_clock = matches!(kind, Kind::MachineClock | Kind::ServerClock);
        let amount = i64::try_from(amount).unwrap_or_default() * if is_clock { sign } else { 1 };
        Fault { kind, amount, after: usize::try_from(5 + self.below(30)).unwrap_or_default() }
    }
}

impl Schedule {
    /// Every kind once, in an order of this seed, each soon after the one before: all of them within a minute.
    pub(super) fn of_all(seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let mut kinds = Kind::ALL.to_vec();
        let mut faults = Vec::new();
        while !kinds.is_empty() {
            let at = usize::try_from(numbers.below(kinds.len() as u64)).unwrap_or_default();
            let kind = kinds.remove(at);
            let soon = usize::try_from(3 + numbers.below(10)).unwrap_or_default();
            faults.push(Fault { after: soon, ..numbers.fault(kind) });
        }
        Self(faults)
    }

    /// As many faults as are asked for: of ten, five are kills of the program, one is a kill of PostgreSQL, and two are cuts.
    pub(super) fn long(seed: u64, faults: usize) -> Self {
        let mut numbers = Numbers(seed);
        let mut fault = |_| {
            let kind = match numbers.below(10) {
                0..5 => Kind::ServerKilled,
                5 => Kind::PostgresKilled,
                6 | 7 => Kind::AnswersCut,
                _ => Kind::ALL[usize::try_from(numbers.below(Kind::ALL.len() as u64)).unwrap_or_default()],
            };
            numbers.fault(kind)
        };
        Self((0..faults).map(&mut fault).collect())
    }

    /// Its text: a fault a line.
    pub(super) fn to_json(&self) -> String {
        let mut json = String::from("[");
        for (n, Fault { kind, amount, after }) in self.0.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            let name = kind.name();
            let _ = write!(json, "{comma}\n  {{ \"fault\": \"{name}\", \"amount\": {amount}, \"after\": {after} }}");
        }
        json + "\n]\n"
    }

    pub(super) fn from_json(json: &str) -> Result<Self> {
        let fault = |one: &Value| {
            let kind = Kind::ALL.into_iter().find(|kind| one["fault"] == kind.name()).context("a kind of fault")?;
            let after = one["after"].as_u64().context("after")?.try_into()?;
            Ok(Fault { kind, amount: one["amount"].as_i64().context("an amount")?, after })
        };
        let all: Value = serde_json::from_str(json)?;
        Ok(Self(all.as_array().context("a list")?.iter().map(fault).collect::<Result<_>>()?))
    }

    /// Keeps it under the target folder, for whoever looks for the reason.
    pub(super) fn keep(&self, name: &str) -> Result<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/chaos");
        fs::create_dir_all(&folder)?;
        let file = folder.join(format!("{name}.json"));
        fs::write(&file, self.to_json())?;
        Ok(file)
    }
}

#[test]
fn a_schedule_is_the_same_from_its_seed_and_from_its_text() -> Result<()> {
    let schedule = Schedule::long(7, 200);
    assert_eq!(schedule, Schedule::long(7, 200));
    assert_ne!(schedule, Schedule::long(8, 200));
    assert_eq!(Schedule::from_json(&schedule.to_json())?, schedule);
    assert!(Kind::ALL.iter().all(|kind| schedule.0.iter().any(|fault| fault.kind == *kind)), "every kind happens");
    let mut once: Vec<Kind> = Schedule::of_all(7).0.iter().map(|fault| fault.kind).collect();
    once.sort_unstable();
    assert_eq!(once, Kind::ALL);
    Ok(())
}
