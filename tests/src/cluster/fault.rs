//! What can happen to a machine.

use std::time::Duration;

use anyhow::{Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::time::sleep;

use super::machines::{Machines, signal};
use crate::wait::until;

/// Patroni's lock lasts for 20 s.
const PAUSE: Duration = Duration::from_secs(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// `kill -9` of the primary's PostgreSQL; its Patroni lives.
    PrimaryKilled,
    /// The primary's machine is gone, Patroni included, and comes back later.
    PrimaryLost,
    /// The primary's machine freezes, until its watchdog resets it.
    PrimaryFrozen,
    /// The primary's machine freezes for less than its lock lasts, and goes on.
    PrimaryPaused,
    /// The machine of the synchronous standby is gone, and comes back later.
    StandbyLost,
    /// `kill -9` of a node.
    NodeKilled,
    /// `kill -9` of one etcd.
    EtcdKilled,
    /// The operator moves the primary.
    Switchover,
}

impl Fault {
    pub(super) const ALL: [Self; 8] = [
        Self::PrimaryKilled,
        Self::PrimaryLost,
        Self::PrimaryFrozen,
        Self::PrimaryPaused,
        Self::StandbyLost,
        Self::NodeKilled,
        Self::EtcdKilled,
        Self::Switchover,
    ];

    pub(super) async fn happens(self, machines: &Machines) -> Result<Happened> {
        Ok(match self {
            Self::PrimaryKilled => {
                let primary = machines.primary().await?;
                signal(&machines.server(&format!("pg{primary}"))?[..1], Signal::SIGKILL);
                Happened::MendsItself
            }
            Self::PrimaryLost | Self::StandbyLost => {
                let lost = match self {
                    Self::PrimaryLost => machines.primary().await?,
                    _ => machines.standby().await?,
                };
                let pids = machines.pids(&format!("pg{lost}")).await?;
                signal(&pids, Signal::SIGKILL);
                Happened::Lost(pids)
            }
            Self::PrimaryFrozen => {
                let pids = machines.pids(&format!("pg{}", machines.primary().await?)).await?;
                signal(&pids, Signal::SIGSTOP);
                // When it is mended, its watchdog kills it.
                Happened::Lost(pids)
            }
            Self::PrimaryPaused => {
                let pids = machines.pids(&format!("pg{}", machines.primary().await?)).await?;
                signal(&pids, Signal::SIGSTOP);
                sleep(PAUSE).await;
                signal(&pids, Signal::SIGCONT);
                Happened::MendsItself
            }
            Self::NodeKilled => {
                signal(&[machines.process("node1").await?], Signal::SIGKILL);
                Happened::MendsItself
            }
            Self::EtcdKilled => {
                signal(&[machines.process("etcd2").await?], Signal::SIGKILL);
                Happened::MendsItself
            }
            Self::Switchover => {
                // It writes into etcd, which may not be well yet.
                until(async || machines.switch_over().await).await?;
                Happened::MendsItself
            }
        })
    }
}

/// What is to be done afterwards.
pub(super) enum Happened {
    /// Whoever keeps it starts it again.
    MendsItself,
    /// The machine of these processes is started again.
    Lost(Vec<Pid>),
}

impl Happened {
    pub(super) async fn mend(self, machines: &Machines) -> Result<()> {
        match self {
            Self::MendsItself => {}
            Self::Lost(pids) => {
                signal(&pids, Signal::SIGKILL);
                // Who is still dying is not started again.
                until(async || {
                    ensure!(pids.iter().all(|pid| kill(*pid, None).is_err()), "it still runs");
                    Ok(())
                })
                .await?;
                machines.script("start").await?;
            }
        }
        Ok(())
    }
}
