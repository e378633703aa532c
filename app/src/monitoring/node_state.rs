//! What this node knows of itself without asking the database.

use std::time::Duration;

use ledger::TreeSize;
use store::PgPool;

use super::{DiskSpace, Monitor};
use crate::cosigning::{Cosigning, WitnessState};
use crate::heartbeat::{Skew, Unfit};
use crate::journal::JournalDamage;
use crate::readiness::NotReady;
use crate::signing::ScrubbingState;

/// The age from which the last backup is old: one was made each night, and two failed.
const BACKUP_OLD: Duration = Duration::from_secs(2 * 86_400);

/// The state of a node.
#[derive(Debug)]
pub struct NodeState {
    /// Whether requests should be sent to it.
    pub ready: Result<(), NotReady>,
    /// Whether it accepts anything new, as far as it knows.
    pub accepts: bool,
    /// What keeps it from closing anything by the clock.
    pub unfit: Option<Unfit>,
    /// True if the log cannot be written or signed.
    pub signing_stopped: bool,
    /// True if this node knows of entries that no checkpoint covers yet.
    pub is_behind: bool,
    /// The last checkpoint: its size and its age.
    pub signed: Option<(TreeSize, Duration)>,
    /// How far the log was read again and compared.
    pub scrubbing: ScrubbingState,
    /// The age of the last whole pass of that.
    pub last_pass_age: Option<Duration>,
    /// The time since the database last stored that this node can take moves.
    pub heartbeat_age: Option<Duration>,
    /// The difference between its clock and the database's.
    pub skew: Option<Skew>,
    /// The pools of connections.
    pub pools: [PoolState; 2],
    /// The disks of its folders, as far as they answer.
    pub disks: Vec<(&'static str, DiskSpace)>,
    /// The witnesses of its policy.
    pub witnesses: Vec<WitnessState>,
    /// Whether enough of them answer for the policy; none if there is no policy.
    pub quorum: Option<bool>,
    /// What is wrong with the journals of its machine.
    pub journal: JournalDamage,
    /// The time since its own was deleted or replaced.
    pub journal_replaced: Option<Duration>,
    /// The age of the last backup; none if none was noted.
    pub backup_age: Option<Duration>,
}

impl NodeState {
    /// True if backups were made, and are made no more.
    #[must_use]
    pub fn is_backup_old(&self) -> bool {
        self.backup_age.is_some_and(|age| age > BACKUP_OLD)
    }
}

/// A pool of connections to the database.
#[derive(Clone, Copy, Debug)]
pub struct PoolState {
    /// What it is for.
    pub name: &'static str,
    /// The connections that somebody uses.
    pub used: u32,
    /// Those that nobody uses.
    pub idle: u32,
    /// The most that it opens.
    pub max: u32,
}

impl PoolState {
    fn of(name: &'static str, pool: &PgPool) -> Self {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        Self { name, used: pool.size().saturating_sub(idle), idle, max: pool.options().get_max_connections() }
    }
}

impl Monitor {
    /// The state now.
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
