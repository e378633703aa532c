//! Three PostgreSQL under Patroni, HAProxy and two nodes (`deploy/cluster/`): servers are killed and frozen under load, and the
//! links between them cut, and what was acknowledged is compared with the record. `make test` does a smoke of it where the
//! packages are installed, `make cluster-test` all kinds of faults, or those that MATCHBOOK_CLUSTER_KINDS names, as often as
//! MATCHBOOK_CLUSTER_FAULTS says. Links are cut by root alone: each part then has a network namespace of its own. With
//! `--nocapture` both print how long each part of the test took.

mod fault;
mod machines;

use std::env;
use std::time::Duration;

use anyhow::{Result, ensure};
use tokio::task::JoinSet;
use tokio::time::Instant;

use self::fault::Fault;
use self::machines::Machines;
use crate::duels::Duels;

/// How many duels are played at once.
const DUELS: usize = 3;

/// Says how long a part of a test took.
async fn timed<T>(part: &str, work: impl Future<Output = Result<T>>) -> Result<T> {
    let begun = Instant::now();
    let done = work.await;
    println!("{part}: {:.1} s", begun.elapsed().as_secs_f64());
    done
}

/// Lets a fault happen, and gives how long nobody could act.
async fn outage(fault: Fault, machines: &Machines, duels: &Duels) -> Result<Duration> {
    let begun = Instant::now();
    let happened = fault.happens(machines).await?;
    // Whoever began to act after it has an answer.
    duels.more(DUELS * 3).await?;
    let outage = begun.elapsed();
    println!("{fault:?}: {:.1} s", outage.as_secs_f64());
    happened.mend(machines).await?;
    Ok(outage)
}

/// Plays duels while these faults happen, then compares; gives how long nobody could act after each. Before each group of faults,
/// and after the last one, all parts are well.
async fn survives<'f>(
    machines: &Machines,
    groups: impl Iterator<Item = &'f [Fault]>,
) -> Result<Vec<(Fault, Duration)>> {
    let duels = Duels::on(&machines.site())?;
    let mut playing = JoinSet::new();
    playing.spawn(duels.clone().keep_checkpoints());
    for n in 0..DUELS {
        playing.spawn(duels.clone().play(machines.token(n)));
    }
    let happening = async {
        let mut outages = Vec::new();
        for group in groups {
            duels.more(20).await?;
            timed("until all are well", machines.settled()).await?;
            for fault in group {
                outages.push((*fault, outage(*fault, machines, &duels).await?));
            }
        }
        timed("until all are well", machines.settled()).await?;
        duels.more(20).await?;
        anyhow::Ok(outages)
    };
    let outages = timed("load and faults", happening).await;
    duels.break_off();
    let ends = async {
        while let Some(ended) = playing.join_next().await {
            ended??;
        }
        anyhow::Ok(())
    };
    let ended = timed("last rounds", ends).await;
    let outages = ended.and(outages).map_err(|error| error.context(machines.last_words()))?;
    let compares = async { anyhow::Ok(tokio::join!(duels.compare(), machines.audit())) };
    let (wrong, audited) = timed("comparison and audit", compares).await?;
    let wrong = wrong?;
    ensure!(wrong.is_empty(), "{wrong:#?}");
    audited?;
    let (acts, receipts) = duels.counts();
    println!("{acts} acts and {receipts} receipts are in the record, each once");
    Ok(outages)
}

#[tokio::test]
async fn a_primary_and_a_node_are_killed_and_nothing_is_lost() -> Result<()> {
    let Some(machines) = timed("start", Machines::throwaway()).await? else { return Ok(()) };
    // The node is killed while the old primary joins again.
    survives(&machines, [Fault::PrimaryKilled, Fault::NodeKilled].chunks(2)).await?;
    timed("stop", machines.stop()).await
}

/// The kinds of faults that are wanted.
fn kinds(can_cut: bool) -> Result<Vec<Fault>> {
    let named = env::var("MATCHBOOK_CLUSTER_KINDS").unwrap_or_default();
    let mut kinds = Fault::ALL.to_vec();
    kinds.retain(|kind| named.is_empty() || named.contains(&format!("{kind:?}")));
    if !can_cut && kinds.iter().any(|kind| kind.cuts()) {
        ensure!(named.is_empty(), "links are cut by root alone, and with `ip` (Debian's package iproute2)");
        println!("no link is cut: that takes root, and `ip` (Debian's package iproute2)");
        kinds.retain(|kind| !kind.cuts());
    }
    ensure!(!kinds.is_empty(), "no kind is called {named}: {:?}", Fault::ALL);
    Ok(kinds)
}

#[tokio::test]
#[ignore = "takes an hour: make cluster-test"]
async fn every_kind_of_fault_again_and_again() -> Result<()> {
    let rounds: usize = env::var("MATCHBOOK_CLUSTER_FAULTS").map_or(Ok(10), |number| number.parse())?;
    let machines = Machines::apart().await?;
    ensure!(machines.is_some(), "etcd, patroni, haproxy or curl is not installed");
    let Some(machines) = machines else { return Ok(()) };
    let kinds = kinds(machines.can_cut())?;
    let faults: Vec<Fault> = kinds.iter().copied().cycle().take(kinds.len() * rounds).collect();
    let outages = survives(&machines, faults.chunks(1)).await?;
    for fault in kinds {
        let mut times: Vec<f64> =
            outages.iter().filter(|(kind, _)| *kind == fault).map(|(_, t)| t.as_secs_f64()).collect();
        times.sort_by(f64::total_cmp);
        let at = |part: f64| times[((times.len() - 1) as f64 * part).round() as usize];
        println!(
            "{fault:?}: {} times, nobody could act for {:.1} s (p50), {:.1} s (p99)",
            times.len(),
            at(0.5),
            at(0.99)
        );
    }
    machines.stop().await
}
