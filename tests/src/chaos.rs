//! Faults by a schedule, on the real program with a PostgreSQL behind a proxy, while matches are played: nothing acknowledged
//! is lost, nothing is there twice, and the log never forks. `make test` lets every kind happen once, within a minute; `make
//! chaos` goes on for as long as it is told, and prints how long nobody could act. A schedule that fails is kept under
//! `target/chaos/`, and MATCHBOOK_CHAOS_SCHEDULE names one to run again.

mod clock;
mod disk;
mod fault;
mod library;
mod proxy;
mod schedule;
mod site;
mod syncs;
mod trace;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

pub(crate) use self::clock::Clock;
pub(crate) use self::disk::Disk;
use self::fault::Kind;
use self::schedule::Schedule;
use self::site::ChaosSite;
pub(crate) use self::syncs::{Syncs, check as check_syncs};
use crate::comparison::Wrong;
use crate::duels::Duels;

/// How many duels are played at once.
const DUELS: usize = 4;
/// How long one fault of each kind may take in `make test`, with the comparison.
const ONCE_MAX: Duration = Duration::from_secs(60);
/// The faults between two comparisons of `make chaos`.
const EPISODE: usize = 40;

/// What happened so far.
#[derive(Default)]
struct Campaign {
    /// How long nobody could act, by kind of fault.
    gaps: BTreeMap<Kind, Vec<Duration>>,
    /// The kinds of fault that happened.
    happened: BTreeSet<Kind>,
    wrong: Vec<Wrong>,
    acts: usize,
    receipts: usize,
}

impl Campaign {
    /// Lets the faults of a schedule happen while duels are played, and compares. With a time, none begins after it.
    async fn run(
        &mut self,
        site: &mut ChaosSite,
        tokens: &[String],
        schedule: &Schedule,
        until: Option<Instant>,
    ) -> Result<()> {
        let duels = Duels::on(&site.address())?;
        let mut playing = JoinSet::new();
        playing.spawn(duels.clone().keep_checkpoints());
        for token in tokens {
            playing.spawn(duels.clone().play(token.clone()));
        }
        let breaking = self.breaks(site, &duels, schedule, until);
        // A duel that was refused something ends with an error.
        tokio::select! {
            broken = breaking => broken?,
            refused = first_error(&mut playing) => return Err(refused),
        }
        duels.finish();
        while let Some(ended) = playing.join_next().await {
            ended??;
        }
        site.is_ready().await?;
        let (acts, receipts) = duels.counts();
        (self.acts, self.receipts) = (self.acts + acts, self.receipts + receipts);
        self.wrong.extend(duels.compare().await?);
        Ok(())
    }

    /// Lets the faults happen, one after another, and notes how long nobody could act.
    async fn breaks(
        &mut self,
        site: &mut ChaosSite,
        duels: &Duels,
        schedule: &Schedule,
        until: Option<Instant>,
    ) -> Result<()> {
        for fault in schedule.0.iter().take_while(|_| until.is_none_or(|until| Instant::now() < until)) {
            duels.more(fault.after).await?;
            for since in fault.happens(site).await.with_context(|| format!("{fault:?}"))? {
                let gap = match duels.gap(since) {
                    Some(gap) => gap,
                    None => duels.out_of_service(since).await.with_context(|| format!("after {fault:?}"))?,
                };
                self.gaps.entry(fault.kind).or_default().push(gap);
            }
            self.happened.insert(fault.kind);
        }
        Ok(())
    }

    /// One table: the faults, and how long nobody could act after them.
    fn table(&self) -> String {
        let mut table = "| fault | times | p50, s | p99, s | most, s |\n|---|---:|---:|---:|---:|\n".to_owned();
        for (kind, gaps) in &self.gaps {
            let mut gaps: Vec<f64> = gaps.iter().map(Duration::as_secs_f64).collect();
            gaps.sort_by(f64::total_cmp);
            let at = |part: f64| gaps[((gaps.len() - 1) as f64 * part).ceil() as usize];
            let line = format!("| {kind:?} | {} | {:.2} | {:.2} | {:.2} |\n", gaps.len(), at(0.5), at(0.99), at(1.0));
            table.push_str(&line);
        }
        let number = |is: fn(&Wrong) -> bool| self.wrong.iter().filter(|wrong| is(wrong)).count();
        table
            + &format!(
                "\n{} acts and {} receipts compared: {} lost, {} twice, {} gaps, {} forks, {} not verified.\n",
                self.acts,
                self.receipts,
                number(|wrong| matches!(wrong, Wrong::Lost(_))),
                number(|wrong| matches!(wrong, Wrong::Twice(_))),
                number(|wrong| matches!(wrong, Wrong::Gap(_))),
                number(|wrong| matches!(wrong, Wrong::Fork(_))),
                number(|wrong| matches!(wrong, Wrong::Unverified(_))),
            )
    }
}

/// The first error of a duel, if there ever is one.
async fn first_error(playing: &mut JoinSet<Result<()>>) -> anyhow::Error {
    while let Some(ended) = playing.join_next().await {
        match ended {
            Ok(Ok(())) => {}
            Ok(Err(error)) => return error,
            Err(error) => return error.into(),
        }
    }
    std::future::pending().await
}

/// Breaks off what takes longer than it may.
async fn within(most: Duration, run: impl Future<Output = Result<()>>) -> Result<()> {
    timeout(most, run).await.unwrap_or_else(|_| bail!("it takes longer than {most:?}"))
}

async fn tokens(site: &ChaosSite) -> Result<Vec<String>> {
    let mut tokens = Vec::new();
    for n in 0..DUELS {
        tokens.push(site.token(&format!("Umpire {n}")).await?);
    }
    Ok(tokens)
}

#[tokio::test]
async fn every_kind_of_fault_loses_nothing_and_doubles_nothing() -> Result<()> {
    let schedule = Schedule::of_all(24);
    let mut site = ChaosSite::start().await?;
    let (tokens, mut campaign) = (tokens(&site).await?, Campaign::default());
    let ran = within(ONCE_MAX, campaign.run(&mut site, &tokens, &schedule, None)).await;
    println!("{}", campaign.table());
    if ran.is_err() || !campaign.wrong.is_empty() {
        println!("kept as {}\n{}", schedule.keep("failed")?.display(), site.last_words());
    }
    ran?;
    ensure!(campaign.wrong.is_empty(), "{:#?}", campaign.wrong);
    ensure!(campaign.happened.iter().eq(&Kind::ALL), "only these faults happened: {:?}", campaign.happened);
    site.audit().await?;
    let accepted = trace::check(&site.log()?)?;
    ensure!(accepted > 0, "no decision was held against the model to its end");
    println!("the model accepts {accepted} decisions");
    site.stop().await;
    Ok(())
}

#[tokio::test]
async fn what_takes_too_long_is_broken_off() {
    assert!(within(ONCE_MAX, async { Ok(()) }).await.is_ok());
    let broken_off = within(Duration::from_millis(10), std::future::pending()).await;
    assert_eq!(broken_off.map_err(|error| error.to_string()), Err("it takes longer than 10ms".to_owned()));
}

#[tokio::test]
#[ignore = "takes as long as it is told: make chaos"]
async fn campaign() -> Result<()> {
    let number = |name: &str| env::var(name).ok().and_then(|number| number.parse::<f64>().ok());
    let faults = number("MATCHBOOK_CHAOS_FAULTS").map_or(usize::MAX, |number| number as usize);
    let hours = number("MATCHBOOK_CHAOS_HOURS").unwrap_or(1.0);
    let until = Instant::now() + Duration::from_secs_f64(hours * 3600.0);
    let mut site = ChaosSite::start().await?;
    let (tokens, mut campaign, mut happened) = (tokens(&site).await?, Campaign::default(), 0);
    let again = env::var("MATCHBOOK_CHAOS_SCHEDULE").ok().map(fs::read_to_string).transpose()?;
    for seed in u64::from(std::process::id()) * 1_000_000.. {
        let schedule = match &again {
            Some(kept) => Schedule::from_json(kept)?,
            None => Schedule::long(seed, EPISODE.min(faults - happened)),
        };
        happened += schedule.0.len();
        let ran = campaign.run(&mut site, &tokens, &schedule, Some(until)).await;
        println!("{}", campaign.table());
        if ran.is_err() || !campaign.wrong.is_empty() {
            println!("kept as {}\n{}", schedule.keep(&format!("seed-{seed}"))?.display(), site.last_words());
        }
        ran?;
        ensure!(campaign.wrong.is_empty(), "{:#?}", campaign.wrong);
        if again.is_some() || happened >= faults || Instant::now() >= until {
            break;
        }
    }
    site.audit().await?;
    println!("the program was started {} times; the audit finds nothing wrong", site.starts());
    // Only a program that was built for tests says its steps.
    if env::var_os("MATCHBOOK_PROGRAM").is_none() {
        let accepted = trace::check(&site.log()?)?;
        ensure!(accepted > 0, "no decision was held against the model to its end");
        println!("the model accepts {accepted} decisions");
    }
    site.stop().await;
    Ok(())
}
