//! What can happen to a site.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use nix::sys::signal::Signal;
use sqlx::{AssertSqlSafe, Executor};
use tokio::time::{Instant, sleep, timeout};

use super::site::ChaosSite;
use crate::duels::PATIENCE;
use crate::wait::until;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// `kill -9` of the program.
    ServerKilled,
    /// `kill -9` of PostgreSQL, all of its processes.
    PostgresKilled,
    /// PostgreSQL freezes for so many milliseconds.
    PostgresFrozen,
    /// So many answers are cut behind a commit.
    AnswersCut,
    /// No file of the program can grow for so many milliseconds: the journal takes a part of a line.
    DiskFull,
    /// No file of PostgreSQL can grow until it has noticed, and then for so many milliseconds.
    DatabaseFull,
    /// A folder is in the place of the checkpoint file for so many milliseconds.
    CheckpointBlocked,
    /// The checkpoint file holds something else for so many milliseconds.
    CheckpointGarbage,
    /// The clock of the whole machine is set by so many seconds.
    MachineClock,
    /// The clock of the program alone is set by so many seconds, and set right after a while.
    ServerClock,
    /// The program is killed, and the database forgets every submission that has not entered yet.
    Forgotten,
}

/// A fault that happens once so many acts were acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) kind: Kind,
    pub(super) amount: i64,
    pub(super) after: usize,
}

/// How long the program's clock alone is off.
const CLOCK_OFF: Duration = Duration::from_millis(1_500);
/// Of the answers that follow a commit, every so manyth is cut.
const EVERY: usize = 5;

impl Kind {
    pub(super) const ALL: [Self; 11] = [
        Self::ServerKilled,
        Self::PostgresKilled,
        Self::PostgresFrozen,
        Self::AnswersCut,
        Self::DiskFull,
        Self::DatabaseFull,
        Self::CheckpointBlocked,
        Self::CheckpointGarbage,
        Self::MachineClock,
        Self::ServerClock,
        Self::Forgotten,
    ];

    pub(super) fn name(self) -> String {
        format!("{self:?}")
    }
}

impl Fault {
    /// Lets it happen, and gives the moments from which on nothing hinders the site any more, each of which begins a time out
    /// of service.
    pub(super) async fn happens(self, site: &mut ChaosSite) -> Result<Vec<Instant>> {
        let (begun, time) = (Instant::now(), Duration::from_millis(self.amount.unsigned_abs()));
        match self.kind {
            Kind::ServerKilled => {
                site.kill()?;
                return Ok(vec![begun]);
            }
            Kind::PostgresKilled => {
                site.postgres.kill().await?;
                return Ok(vec![begun]);
            }
            Kind::PostgresFrozen => {
                site.postgres.signal(Signal::SIGSTOP)?;
                sleep(time).await;
                site.postgres.signal(Signal::SIGCONT)?;
            }
            Kind::AnswersCut => {
                site.proxy.cut(usize::try_from(self.amount)?, EVERY);
                return timeout(PATIENCE, site.proxy.happened()).await.context("not all are cut")?;
            }
            Kind::DiskFull => {
                let journal = fs::metadata(site.checkpoint().with_extension("journal-1")).map_or(0, |file| file.len());
                site.limit_files(Some(journal + 100)).await?;
                sleep(time).await;
                site.limit_files(None).await?;
            }
            Kind::DatabaseFull => return Ok(vec![fill(site, time).await?]),
            Kind::CheckpointBlocked => {
                let (file, aside) = (site.checkpoint(), aside(site));
                fs::rename(&file, &aside)?;
                fs::create_dir(&file)?;
                sleep(time).await;
                fs::remove_dir(&file)?;
                fs::rename(&aside, &file)?;
            }
            Kind::CheckpointGarbage => {
                let (file, aside) = (site.checkpoint(), aside(site));
                fs::rename(&file, &aside)?;
                fs::write(&file, "a shopping list\n")?;
                sleep(time).await;
                fs::rename(&aside, &file)?;
            }
            Kind::MachineClock => {
                site.postgres.machine.as_mut().context("its clock")?.clock.jump(self.amount)?;
                site.clock.jump(self.amount)?;
            }
            Kind::ServerClock => {
                site.clock.jump(self.amount)?;
                sleep(CLOCK_OFF).await;
                site.clock.jump(-self.amount)?;
            }
            Kind::Forgotten => {
                forget(site).await?;
                return Ok(vec![begun]);
            }
        }
        Ok(vec![Instant::now()])
    }
}

/// Where the checkpoint file is while something else is in its place.
fn aside(site: &ChaosSite) -> PathBuf {
    site.checkpoint().with_extension("aside")
}

/// Fills the disk of PostgreSQL until it has noticed, and for this time; gives the moment from which on there is room. Without
/// room for its write-ahead log it stops, and is started again.
async fn fill(site: &mut ChaosSite, time: Duration) -> Result<Instant> {
    let disk = &site.postgres.machine.as_ref().context("its disk")?.disk;
    let before = disk.refused()?;
    disk.set_full(true)?;
    let noticed = until(async || {
        ensure!(disk.refused()? > before, "no write was refused");
        Ok(())
    })
    .await;
    sleep(time).await;
    disk.set_full(false)?;
    noticed?;
    let begun = Instant::now();
    site.postgres.comes_back().await?;
    Ok(begun)
}

async fn forget(site: &ChaosSite) -> Result<()> {
    let gate = site.hold().await;
    site.kill()?;
    site.has_ended().await?;
    site.note("forget")?;
    let mut superuser = site.postgres.superuser().await?;
    let clients = "select count(*) from pg_stat_activity where application_name like 'matchbook%'";
    until(async || {
        let mut other = site.postgres.superuser().await?;
        let left: i64 = sqlx::query_scalar(clients).fetch_one(&mut other).await?;
        ensure!(left == 0, "{left} of its connections still work");
        Ok(())
    })
    .await?;
    for table in ["escrow", "submissions"] {
        let forget = format!(
            "delete from {table} as made where seat in ('p1', 'p2') and not exists (select from entries where \
             entries.log_id = made.log_id and entries.match_id = made.match_id \
             and position(convert_to('\"decision\":\"' || made.decision || '\"', 'UTF8') in bytes) > 0 \
             and position(convert_to('\"kind\":\"asked\"', 'UTF8') in bytes) = 0)"
        );
        superuser.execute(AssertSqlSafe(forget)).await?;
    }
    drop(gate);
    Ok(())
}
