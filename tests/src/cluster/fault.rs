//! What can happen to a machine, and to the links between two of them.

use std::time::Duration;

use anyhow::{Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tokio::time::{Instant, sleep, sleep_until};

use super::machines::{Machines, signal};
use crate::wait::until;

/// Patroni's lock lasts for 20 s.
const PAUSE: Duration = Duration::from_secs(5);
/// Longer than the others take to notice that somebody does not answer.
const SILENCE: Duration = Duration::from_secs(8);
/// Longer than Patroni's lock lasts.
const WITHOUT_ETCD: Duration = Duration::from_secs(25);

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
    /// A node freezes, and goes on after the other one has taken over.
    NodeFrozen,
    /// A node reaches nobody, and nobody reaches it, until the other one has taken over.
    NodeCut,
    /// HAProxy, through which both nodes reach the database, and the primary's machine do not reach each other for some seconds.
    DatabaseCut,
    /// The primary and the synchronous standby do not reach each other. Both reach everybody else.
    ReplicationCut,
    /// The primary's machine and etcd do not reach each other. The primary goes on, because it reaches the other servers.
    EtcdCut,
    /// The primary's machine reaches neither etcd nor the other servers, but HAProxy reaches it: it has to step down.
    PrimaryCut,
}

impl Fault {
    pub(super) const ALL: [Self; 14] = [
        Self::PrimaryKilled,
        Self::PrimaryLost,
        Self::PrimaryFrozen,
        Self::PrimaryPaused,
        Self::StandbyLost,
        Self::NodeKilled,
        Self::EtcdKilled,
        Self::Switchover,
        Self::NodeFrozen,
        Self::NodeCut,
        Self::DatabaseCut,
        Self::ReplicationCut,
        Self::EtcdCut,
        Self::PrimaryCut,
    ];

    /// True if it cuts links, which takes a network for each part.
    pub(super) const fn cuts(self) -> bool {
        matches!(self, Self::NodeCut | Self::DatabaseCut | Self::ReplicationCut | Self::EtcdCut | Self::PrimaryCut)
    }

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
            Self::NodeFrozen => {
                let node = machines.process("node1").await?;
                signal(&[node], Signal::SIGSTOP);
                Happened::Frozen { node, begun: Instant::now() }
            }
            Self::NodeCut | Self::DatabaseCut | Self::ReplicationCut | Self::EtcdCut | Self::PrimaryCut => {
                self.cuts_links(machines).await?
            }
        })
    }

    async fn cuts_links(self, machines: &Machines) -> Result<Happened> {
        let primary = machines.primary().await?;
        let server = |n: u16| format!("pg{n}");
        let etcd = ["etcd1", "etcd2", "etcd3"].map(str::to_owned);
        let (name, others) = match self {
            Self::NodeCut => ("node1".to_owned(), Vec::new()),
            Self::DatabaseCut => ("haproxy".to_owned(), vec![server(primary)]),
            Self::ReplicationCut => (server(primary), vec![server(machines.standby().await?)]),
            Self::PrimaryCut => {
                let servers = (1..=3).filter(|n| *n != primary).map(server);
                (server(primary), etcd.into_iter().chain(servers).collect())
            }
            _ => (server(primary), Vec::from(etcd)),
        };
        machines.cut(&name, &others).await?;
        let begun = Instant::now();
        if self == Self::DatabaseCut {
            // Nobody can take over: the database is well, and everybody else says so.
            sleep(SILENCE).await;
            machines.heal().await?;
            return Ok(Happened::MendsItself);
        }
        Ok(Happened::Cut { fault: self, primary, begun })
    }
}

/// What is to be done afterwards.
pub(super) enum Happened {
    /// Whoever keeps it starts it again.
    MendsItself,
    /// The machine of these processes is started again.
    Lost(Vec<Pid>),
    /// This process goes on.
    Frozen { node: Pid, begun: Instant },
    /// The links are whole again.
    Cut { fault: Fault, primary: u16, begun: Instant },
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
            Self::Frozen { node, begun } => {
                sleep_until(begun + SILENCE).await;
                signal(&[node], Signal::SIGCONT);
            }
            Self::Cut { fault, primary, begun } => {
                match fault {
                    Fault::EtcdCut => sleep_until(begun + WITHOUT_ETCD).await,
                    Fault::NodeCut => sleep_until(begun + SILENCE).await,
                    _ => {}
                }
                // Whoever is cut off from the others must not say that it is the primary any more.
                let primaries = machines.primaries().await;
                let as_it_should_be = (primaries == [primary]) != (fault == Fault::PrimaryCut);
                ensure!(primaries.len() == 1 && as_it_should_be, "pg{primary} was the primary, then {primaries:?}");
                machines.heal().await?;
            }
        }
        Ok(())
    }
}
