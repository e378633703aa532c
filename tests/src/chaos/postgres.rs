//! A PostgreSQL that is killed and frozen.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, Uid, User};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, PgConnection};
use tokio::process::{Child, Command};

use super::clock::Clock;
use crate::wait::until;

pub(super) struct Postgres {
    folder: PathBuf,
    pub(super) clock: Clock,
    process: Child,
}

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
    pub(super) async fn start(folder: PathBuf, clock: Clock) -> Result<Self> {
        fs::create_dir(&folder)?;
        fs::set_permissions(&folder, Permissions::from_mode(0o700))?;
        let mut initdb = of_its_user("initdb", &folder)?;
        let made = initdb.args(["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "-D", "data"]).output();
        let made = made.await?;
        ensure!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let process = run(&folder, &clock)?;
        let server = Self { folder, clock, process };
        server.answers().await?;
        Ok(server)
    }

    /// The folder of its socket.
    pub(super) fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// A connection past the proxy.
    pub(super) async fn superuser(&self) -> Result<PgConnection> {
        let options = PgConnectOptions::new().socket(&self.folder).port(5432).username("postgres").database("postgres");
        Ok(options.connect().await?)
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
    pub(super) fn signal(&self, signal: Signal) -> Result<()> {
        for pid in self.pids()? {
            let _ = kill(pid, signal);
        }
        Ok(())
    }

    /// Kills it with kill -9, and starts it at once, as whoever supervises it does.
    pub(super) async fn kill(&mut self) -> Result<()> {
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
        self.process = run(&self.folder, &self.clock)?;
        Ok(())
    }
}

fn run(folder: &Path, clock: &Clock) -> Result<Child> {
    let mut server = of_its_user("postgres", folder)?;
    server.args(["-D", "data", "-k"]).arg(folder).args(["-c", "listen_addresses=", "-c", "max_connections=200"]);
    let log = File::options().create(true).append(true).open(folder.with_extension("log"))?;
    server.envs(clock.variables()).stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log);
    Ok(server.spawn()?)
}
