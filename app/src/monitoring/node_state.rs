//! What this node knows of itself without asking the database.

use std::time::Duration;

use ledger::TreeSize;
use store::PgPool;

use super::{DiskSpace, Monitor};
use crate::cosigning::{Cosigning, WitnessState};
use crate::heartbeat::{Skew, Unfit};
use crate::readiness::NotReady;
use crate::signing::ScrubbingState;
use crate::submission_journal::JournalDamage;

/// The age from which the last backup is old: one was made each night, and two failed.
const BACKUP_OLD: Duration = Duration::from_secs(2 * 86_400);

#[derive(Debug)]
pub struct NodeState {
    pub ready: Result<(), NotReady>,
    pub accepts: bool,
    pub unfit: Option<Unfit>,
    pub signing_stopped: bool,
    pub is_behind: bool,
    pub signed: Option<(TreeSize, Duration)>,
    pub scrubbing: ScrubbingState,
    pub last_pass_age: Option<Duration>,
    pub heartbeat_age: Option<Duration>,
    pub skew: Option<Skew>,
    pub pools: [PoolState; 2],
    pub disks: Vec<(&'static str, DiskSpace)>,
    pub witnesses: Vec<WitnessState>,
    pub quorum: Option<bool>,
    pub journal: JournalDamage,
    pub journal_replaced: Option<Duration>,
    pub backup_age: Option<Duration>,
}

impl NodeState {
    #[must_use]
    pub fn is_backup_old(&self) -> bool {
        self.backup_age.is_some_and(|age| age > BACKUP_OLD)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct PoolState {
    pub name: &'static str,
    pub used: u32,
    pub idle: u32,
    pub max: u32,
}

impl PoolState {
    fn of(name: &'static str, pool: &PgPool) -> Self {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        Self { name, used: pool.size().saturating_sub(idle), idle, max: pool.options().get_max_connections() }
    }
}

impl Monitor {
    pub async fn node_state(&self) -> NodeState {
        let app = &self.app;
        let now = app.system().now();
        let age =
            |at: ledger::Moment| Duration::from_micros(now.micros().saturating_sub(at.micros()).max(0).unsigned_abs());
        let scrubbing = app.signer().scrubbing();
        let last_pass_age = scrubbing.last_pass.map(|(_, at)| age(at));
        let unfit = app.recorder.fit().err();
        let signing_stopped = app.signer().stopped().is_some() || matches!(unfit, Some(Unfit::Denied(_)));
        let journal = app.journal_damage();
        let checkpoint_folder = app.signer().file().parent();
        let mut disks = Vec::new();
        for (name, folder) in [("data", Some(self.data.as_path())), ("checkpoint", checkpoint_folder)] {
            if let Some(folder) = folder
                && let Some(disk) = DiskSpace::of(folder).await
            {
                disks.push((name, disk));
            }
        }
        NodeState {
            ready: app.ready(),
            accepts: app.recorder.accepts().is_ok(),
            unfit,
            signing_stopped,
            is_behind: app.signer().is_behind(),
            signed: app.signer().latest().map(|signed| (signed.size, age(signed.at))),
            scrubbing,
            last_pass_age,
            heartbeat_age: app.heartbeat.age(),
            skew: app.heartbeat.skew(),
            pools: [PoolState::of("serving", app.pool()), PoolState::of("reading", app.reading_pool())],
            disks,
            witnesses: app.public_log.cosigning().map(Cosigning::states).unwrap_or_default(),
            quorum: app.public_log.cosigning().map(Cosigning::quorum_answers),
            journal,
            journal_replaced: journal.replaced_at.map(|at| app.system().ticking().saturating_sub(at)),
            backup_age: app.last_backup().map(age),
        }
    }
}
