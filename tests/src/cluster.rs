//! Three PostgreSQL under Patroni, HAProxy and two nodes (`deploy/cluster/`): servers are killed and frozen under load, and the
//! links between them cut, and what was acknowledged is compared with the record. `make test` does a smoke of it where the
//! packages are installed, `make cluster-test` all kinds of faults, or those that MATCHBOOK_CLUSTER_KINDS names, as often as
//! MATCHBOOK_CLUSTER_FAULTS says. Links are cut by root alone: each part then has a network namespace of its own.

mod fault;
mod machines;

use std::env;
use std::time::Duration;

use anyhow::{Result, ensure};
use tokio::task::JoinSet;

use self::fault::Fault;
use self::machines::Machines;
use crate::duels::Duels;

/// How many duels are played at once.
const DUELS: usize = 3;

/// Plays duels while these faults happen, then compares; gives how long nobody could act after each.
async fn survives(machines: &Machines, faults: &[Fault]) -> Result<Vec<(Fault, Duration)>> {
    let duels = Duels::on(&machines.site())?;
    let mut playing = JoinSet::new();
    playing.spawn(duels.clone().keep_checkpoints());
    for n in 0..DUELS {
        playing.spawn(duels.clone().play(machines.token(n)));
    }
    let happening = async {
        let mut outages = Vec::new();
        for fault in faults {
            duels.more(20).await?;
            machines.settled().await?;
            let begun = tokio::time::Instant::now();
            let happened = fault.happens(machines).await?;
            // Whoever began to act after it has an answer.
            duels.more(DUELS * 3).await?;
            println!("{fault:?}: {:.1} s", begun.elapsed().as_secs_f64());
            outages.push((*fault, begun.elapsed()));
            happened.mend(machines).await?;
        }
        machines.settled().await?;
        duels.more(20).await?;
        anyhow::Ok(outages)
    };
    let outages = happening.await;
    duels.finish();
    while let Some(ended) = playing.join_next().await {
        ended??;
    }
    let outages = outages.map_err(|error| error.context(machines.last_words()))?;
    let wrong = duels.compare().await?;
    ensure!(wrong.is_empty(), "{wrong:#?}");
    machines.audit().await?;
    let (acts, receipts) = duels.counts();
    println!("{acts} acts and {receipts} receipts are in the record, each once");
    Ok(outages)
}

#[tokio::test]
async fn a_primary_and_a_node_are_killed_and_nothing_is_lost() -> Result<()> {
    let Some(machines) = Machines::start().await? else { return Ok(()) };
    survives(&machines, &[Fault::PrimaryKilled, Fault::NodeKilled]).await?;
    machines.stop().await
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
    let outages = survives(&machines, &faults).await?;
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
