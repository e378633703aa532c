//! The metrics of a node in the text format of Prometheus.

use std::time::Duration;

use chrono::TimeDelta;
use ledger::TreeSize;
use prometheus_client::encoding::prometheus_text::encode;
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::{ConstGauge, Gauge};
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::Registry;
use store::database::archiving_fails;
use store::{NotedCount, Outstanding, heartbeat, idempotency};
use tokio::time::timeout;

use super::node_state::PoolState;
use super::{Monitor, NodeState};
use crate::cosigning::WitnessState;
use crate::error::AppError;

pub use prometheus_client::encoding::prometheus_text::CONTENT_TYPE;

const PATIENCE: Duration = Duration::from_secs(5);
/// A key without an answer is stuck if it is older than a minute and younger than an hour, in seconds. Older ones are of
/// requests that nobody sends again.
const STUCK_SECONDS: (i64, i64) = (60, 3_600);

type LabelledGauge = Family<Vec<(&'static str, String)>, Gauge<f64, std::sync::atomic::AtomicU64>>;

struct Stored {
    entries: TreeSize,
    stuck_keys: u64,
    restored: NotedCount,
    missing: NotedCount,
    outages: heartbeat::OutageSum,
    outstanding: Outstanding,
    archiving_fails: bool,
}

impl Monitor {
    pub async fn text(&self) -> String {
        let mut registry = Registry::with_prefix("matchbook");
        registry.register("build", "The version of the program", Info::new([("version", env!("CARGO_PKG_VERSION"))]));
        self.app.metrics().register(&mut registry);
        register_state(&mut registry, &self.node_state().await);
        let stored = timeout(PATIENCE, self.stored()).await.map_err(|_| AppError::Stopped).flatten();
        gauge(&mut registry, "database_read", "1 if the database answered this reading", f64::from(stored.is_ok()));
        match stored {
            Ok(stored) => register_stored(&mut registry, &stored),
            Err(error) => tracing::debug!(%error, "the database did not answer for the metrics"),
        }
        let mut text = String::new();
        // A string takes everything.
        let _ = encode(&mut text, &registry);
        text
    }

    async fn stored(&self) -> Result<Stored, AppError> {
        let app = &self.app;
        let (now, record) = (app.system().now().to_utc(), app.logs.record());
        let [until, from] = [STUCK_SECONDS.0, STUCK_SECONDS.1].map(|age| now - TimeDelta::seconds(age));
        Ok(Stored {
            entries: record.size().await?,
            stuck_keys: idempotency::unanswered(app.pool(), from, until).await?,
            restored: record.restored_count().await?,
            missing: record.missing_count().await?,
            outages: heartbeat::outage_sum(app.pool()).await?,
            outstanding: self.outstanding().await?,
            archiving_fails: archiving_fails(app.pool()).await?,
        })
    }
}

fn gauge(registry: &mut Registry, name: &str, help: &str, value: f64) {
    registry.register(name, help, ConstGauge::new(value));
}

fn labelled(registry: &mut Registry, name: &str, help: &str, values: Vec<(Vec<(&'static str, String)>, f64)>) {
    let family = LabelledGauge::default();
    for (labels, value) in values {
        family.get_or_create(&labels).set(value);
    }
    registry.register(name, help, family);
}

fn register_state(registry: &mut Registry, state: &NodeState) {
    let is = f64::from;
    gauge(registry, "ready", "1 if /readyz says that requests should be sent here", is(state.ready.is_ok()));
    gauge(registry, "accepts", "1 if new acts and submissions are accepted", is(state.accepts));
    gauge(registry, "closes", "1 if this node closes decisions by the clock", is(state.unfit.is_none()));
    gauge(registry, "signing_stopped", "1 if the log cannot be written or signed", is(state.signing_stopped));
    if let Some((size, age)) = state.signed {
        gauge(registry, "signed_entries", "Entries under the last signed checkpoint", size.0 as f64);
        gauge(registry, "checkpoint_age_seconds", "Age of the last signed checkpoint", age.as_secs_f64());
    }
    let scrubbed = state.scrubbing.compared.0 as f64;
    gauge(registry, "scrubbed_entries", "Entries that this pass of scrubbing has compared", scrubbed);
    let unreadable = is(state.scrubbing.failure.is_some());
    gauge(registry, "scrubbing_failing", "1 if the last pass of scrubbing could not read all of the log", unreadable);
    if let Some(age) = state.last_pass_age {
        let help = "Age of the last whole pass of scrubbing";
        gauge(registry, "last_pass_age_seconds", help, age.as_secs_f64());
    }
    if let Some(age) = state.heartbeat_age {
        let help = "Time since the database last stored that this node can take moves";
        gauge(registry, "heartbeat_age_seconds", help, age.as_secs_f64());
    }
    if let Some(skew) = state.skew {
        let help = "How far the clock of this node is ahead of the database's";
        gauge(registry, "clock_ahead_seconds", help, skew.ahead_micros as f64 / 1e6);
    }
    let help = "Lines of the journals of this machine that could not be read";
    gauge(registry, "journal_unreadable_lines", help, state.journal.unreadable as f64);
    let help = "Times that the journal was deleted or replaced while the program wrote it";
    registry.register("journal_replaced", help, ConstCounter::new(state.journal.replaced));
    gauge(registry, "backup_old", "1 if the last backup is older than two days", is(state.is_backup_old()));
    register_pools(registry, &state.pools);
    let folder = |name: &str| vec![("folder", name.to_owned())];
    let disks = |value: fn(&super::DiskSpace) -> u64| {
        state.disks.iter().map(|(name, disk)| (folder(name), value(disk) as f64)).collect()
    };
    labelled(registry, "disk_free_bytes", "Room on the disk of a folder", disks(|disk| disk.free));
    labelled(registry, "disk_size_bytes", "Size of the disk of a folder", disks(|disk| disk.size));
    if let Some(quorum) = state.quorum {
        gauge(registry, "witness_quorum", "1 if enough witnesses answer for the policy", is(quorum));
        register_witnesses(registry, &state.witnesses, state.signed.map_or(TreeSize(0), |(size, _)| size));
    }
}

fn register_pools(registry: &mut Registry, pools: &[PoolState]) {
    let label = |pool: &PoolState, state: &str| vec![("pool", pool.name.to_owned()), ("state", state.to_owned())];
    let states = pools
        .iter()
        .flat_map(|pool| [(label(pool, "used"), f64::from(pool.used)), (label(pool, "idle"), f64::from(pool.idle))]);
    labelled(registry, "pool_connections", "Open connections to the database", states.collect());
    let most = pools.iter().map(|pool| (vec![("pool", pool.name.to_owned())], f64::from(pool.max)));
    labelled(registry, "pool_connections_max", "The most connections that a pool opens", most.collect());
}

fn register_witnesses(registry: &mut Registry, witnesses: &[WitnessState], newest: TreeSize) {
    let values = |value: &dyn Fn(&WitnessState) -> f64| {
        witnesses.iter().map(|state| (vec![("witness", state.name.clone())], value(state))).collect()
    };
    let behind = values(&|state| state.behind(newest) as f64);
    labelled(registry, "witness_behind_entries", "Entries that a witness has not cosigned yet", behind);
    let failing = values(&|state| f64::from(state.failure.is_some()));
    labelled(registry, "witness_failing", "1 if the last request to a witness failed", failing);
    let left_out = values(&|state| f64::from(state.left_out));
    let help = "1 if a witness answers, and counts as away: its clock is off, or it contradicts the log without proof";
    labelled(registry, "witness_left_out", help, left_out);
}

fn register_stored(registry: &mut Registry, stored: &Stored) {
    gauge(registry, "log_entries", "Entries of the log", stored.entries.0 as f64);
    let help = "1 if PostgreSQL could not archive its write-ahead log the last time";
    gauge(registry, "archiving_fails", help, f64::from(stored.archiving_fails));
    let help = "Requests with an Idempotency-Key of the last hour that are unanswered after a minute";
    gauge(registry, "idempotency_keys_stuck", help, stored.stuck_keys as f64);
    let help = "Acknowledged submissions that are in no entry yet, of open questions and of closed ones";
    let question = |state: &str| vec![("question", state.to_owned())];
    let outstanding =
        [(question("open"), stored.outstanding.open as f64), (question("closed"), stored.outstanding.closed as f64)];
    labelled(registry, "receipts_outstanding", help, outstanding.into());
    let help = "Submissions that the database had lost and that were put back, of closed questions";
    registry.register("submissions_put_back", help, ConstCounter::new(stored.restored.number));
    let help = "Acknowledged submissions that a journal has, and neither the database nor the record";
    registry.register("submissions_missing", help, ConstCounter::new(stored.missing.number));
    registry.register("outages", "Times in which no node could take moves", ConstCounter::new(stored.outages.number));
    let help = "Sum of the times in which no node could take moves";
    registry.register("outage_seconds", help, ConstCounter::new(stored.outages.seconds));
}
