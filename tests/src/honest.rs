//! Random honest matches: whatever umpires, players, clocks and failures of the site do, in any order, a check finds nothing
//! wrong, and a refused act writes nothing.
//!
//! A match follows from its number. One that fails prints the number and its acts; `MATCHBOOK_HONEST_FIRST=number` plays
//! it first. `make honest-test` plays more of them.

mod acts;
mod bout;
mod coverage;
mod games;
mod hall;
mod player;
mod signer;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result, ensure};

use self::bout::Bout;
use self::coverage::Covered;
use self::hall::Hall;
use crate::audit_site::audits;

/// The sites on which matches are played at the same time.
const SITES: u64 = 4;
const IN_THE_SUITE: u64 = 200;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Plays the next matches on one site, one after the other, and gives the failures.
async fn plays(next: Arc<AtomicU64>, end: u64, covered: Arc<Mutex<Covered>>) -> Result<Vec<String>> {
    let mut failures = Vec::new();
    let mut hall = None;
    loop {
        let seed = next.fetch_add(1, Ordering::SeqCst);
        if seed >= end {
            break;
        }
        let site = match hall.take() {
            Some(site) => site,
            None => Hall::open(&format!("honest {seed}")).await?,
        };
        let mut bout = Bout::open(site, seed, &covered).await.with_context(|| format!("match {seed}"))?;
        match bout.play().await {
            Ok(()) => hall = Some(bout.leave()),
            Err(why) => {
                let failure = format!("match {seed}:\n  {}\n{why:?}", bout.told.join("\n  "));
                println!("{failure}");
                failures.push(failure);
            }
        }
    }
    // A match that failed would fail the audit of its whole log, and its site is left.
    if let Some(hall) = hall {
        hall.site.app.signer().covering(hall.site.app.logs.record().tree_head().await?.size).await?;
        let (good, said) = audits(&hall.address, &[]).await?;
        ensure!(good, "{said}");
    }
    Ok(failures)
}

/// Plays so many matches, each site on a thread of its own.
fn honest(matches: u64) -> Result<Covered> {
    let first = number("MATCHBOOK_HONEST_FIRST").unwrap_or(1);
    let (next, covered) = (Arc::new(AtomicU64::new(first)), Arc::<Mutex<Covered>>::default());
    let site = |_| {
        let (next, covered) = (next.clone(), covered.clone());
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        std::thread::spawn(move || runtime?.block_on(plays(next, first + matches, covered)))
    };
    let sites: Vec<_> = (0..SITES.min(matches)).map(site).collect();
    let mut failures = Vec::new();
    for site in sites {
        failures.extend(site.join().map_err(|_| anyhow::anyhow!("a site panicked"))??);
    }
    ensure!(failures.is_empty(), "{} of {matches} honest matches failed:\n{}", failures.len(), failures.join("\n"));
    Ok(std::mem::take(&mut *covered.lock().unwrap_or_else(PoisonError::into_inner)))
}

#[tokio::test]
async fn random_honest_matches_never_fail() -> Result<()> {
    coverage::is_whole(&honest(IN_THE_SUITE)?).await
}

#[test]
#[ignore = "it plays as many matches as it is told"]
fn campaign() -> Result<()> {
    honest(number("MATCHBOOK_HONEST_MATCHES").unwrap_or(10_000)).map(drop)
}
