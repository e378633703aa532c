//! A PostgreSQL of a test's own, which can be killed and frozen, whose disk can be full, and which can have a standby.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, Uid, User};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, PgConnection};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

use crate::chaos::{Clock, Disk};
use crate::duels::PATIENCE;
use crate::wait::until;

pub(crate) struct Postgres {
    folder: PathBuf,
    /// A clock that can be set, and a disk that can be full; none if it has those of this machine.
    pub(crate) machine: Option<Machine>,
    process: Child,
}

/// The machine that a server believes to be on.
pub(crate) struct Machine {
    pub(crate) clock: Clock,
    pub(crate) disk: Disk,
}

/// The time between two looks at a server that comes back.
const BETWEEN: Duration = Duration::from_millis(25);

/// The newest one of Debian's layout.
fn program(name: &str) -> Result<PathBuf> {
    let installed = fs::read_dir("/usr/lib/postgresql")?.flatten().map(|entry| entry.path().join("bin").join(name));
    installed.filter(|path| path.exists()).max().context("PostgreSQL is not installed")
}

/// A command in a folder of the server's; as root, of the user of the package.
fn of_its_user(name: &str, folder: &Path) -> Result<Command> {
    let mut command = Command::new(program(name)?);
    command.current_dir(folder).kill_on_drop(true);
    if Uid::effective().is_root() {
        let user = User::from_name("postgres")?.context("a user postgres")?;
        chown(folder, Some(user.uid.as_raw()), Some(user.gid.as_raw()))?;
        command.uid(user.uid.as_raw()).gid(user.gid.as_raw());
    }
    Ok(command)
}

impl Postgres {
    /// Makes one in this folder, and starts it. It says fsync, as one that serves does.
    pub(crate) async fn start(folder: PathBuf, machine: Option<Machine>) -> Result<Self> {
        make(&folder)?;
        let mut initdb = of_its_user("initdb", &folder)?;
        let made = initdb.args(["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-D", "data"]).output();
        let made = made.await?;
        ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let process = run(&folder, machine.as_ref())?;
        let server = Self { folder, machine, process };
        server.answers().await?;
        Ok(server)
    }

    /// A hot standby of it, in this folder.
    pub(crate) async fn standby(&self, folder: PathBuf) -> Result<Self> {
        make(&folder)?;
        let mut copy = of_its_user("pg_basebackup", &folder)?;
        copy.args(["-U", "postgres", "-D", "data", "--write-recovery-conf", "--checkpoint=fast", "-h"])
            .arg(&self.folder);
        let copied = copy.output().await?;
        ensure!(copied.status.success(), "{}", String::from_utf8_lossy(&copied.stderr));
        let process = run(&folder, None)?;
        let server = Self { folder, machine: None, process };
        server.answers().await?;
        Ok(server)
    }

    /// Its URL.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@{}/postgres", self.folder.to_string_lossy().replace('/', "%2F"))
    }
    /// The folder of its socket.
    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// A connection past the proxy.
    pub(crate) async fn superuser(&self) -> Result<PgConnection> {
        Ok(self.options().connect().await?)
    }

    pub(crate) fn options(&self) -> PgConnectOptions {
        PgConnectOptions::new().socket(&self.folder).port(5432).username("postgres").database("postgres")
    }

    async fn answers(&self) -> Result<()> {
        until(async || Ok(self.superuser().await?.close().await?)).await
    }

    /// The postmaster and its children.
    fn pids(&self) -> Result<Vec<Pid>> {
        let postmaster = self.process.id().context("it runs")?;
        let children = fs::read_to_string(format!("/proc/{postmaster}/task/{postmaster}/children"))?;
        let pids = [postmaster.to_string()].into_iter().chain(children.split_whitespace().map(str::to_owned));
        pids.map(|pid| Ok(Pid::from_raw(pid.parse()?))).collect()
    }

    /// Sends all of them a signal. Some may have ended meanwhile.
    pub(crate) fn signal(&self, signal: Signal) -> Result<()> {
        for pid in self.pids()? {
            let _ = kill(pid, signal);
        }
        Ok(())
    }

    /// Kills it with kill -9, and starts it at once, as whoever supervises it does.
    pub(crate) async fn kill(&mut self) -> Result<()> {
        let pids = self.pids()?;
        for pid in &pids {
            let _ = kill(*pid, Signal::SIGKILL);
        }
        self.process.wait().await?;
        // What still has its memory keeps the next one from starting.
        until(async || {
            ensure!(pids.iter().all(|pid| kill(*pid, None).is_err()), "it still runs");
            Ok(())
        })
        .await?;
        self.process = run(&self.folder, self.machine.as_ref())?;
        Ok(())
    }

    /// Waits until it answers. If it has ended, it is started again, as whoever supervises it does.
    pub(crate) async fn comes_back(&mut self) -> Result<()> {
        let began = Instant::now();
        loop {
            if self.process.try_wait()?.is_some() {
                self.process = run(&self.folder, self.machine.as_ref())?;
            }
            match self.superuser().await {
                Ok(connection) => return Ok(connection.close().await?),
                Err(error) => ensure!(began.elapsed() < PATIENCE, "it does not come back: {error}"),
            }
            sleep(BETWEEN).await;
        }
    }

    /// Makes a standby the primary of its own.
    pub(crate) async fn promote(&self) -> Result<()> {
        let promoted: bool = sqlx::query_scalar("select pg_promote()").fetch_one(&mut self.superuser().await?).await?;
        ensure!(promoted, "it is not promoted");
        Ok(())
    }
}

fn make(folder: &Path) -> Result<()> {
    fs::create_dir(folder)?;
    Ok(fs::set_permissions(folder, Permissions::from_mode(0o700))?)
}

fn run(folder: &Path, machine: Option<&Machine>) -> Result<Child> {
    let mut server = of_its_user("postgres", folder)?;
    server.args(["-D", "data", "-k"]).arg(folder).args(["-c", "listen_addresses=", "-c", "max_connections=200"]);
    if let Some(Machine { clock, disk }) = machine {
        let preloaded = [clock.library(), disk.library()].map(|library| library.to_string_lossy()).join(":");
        server.env("LD_PRELOAD", preloaded).envs([clock.variable(), disk.variable()]);
    }
    let log = File::options().create(true).append(true).open(folder.with_extension("log"))?;
    server.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    Ok(server.spawn()?)
}
