//! The program with a PostgreSQL behind a proxy, all of which can be broken, and whoever starts it again.

use std::fs::{self, File, Permissions};
use std::io::Write;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use reqwest::StatusCode;
use tempfile::TempDir;
use tokio::io::AsyncReadExt;
use tokio::process::Command;
use tokio::sync::{Mutex, MutexGuard};
use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::clock::Clock;
use super::disk::Disk;
use super::proxy::Proxy;
use crate::postgres::{Machine, Postgres};
use crate::program::{binary, command};
use crate::wait::until;

pub(super) struct ChaosSite {
    folder: TempDir,
    pub(super) postgres: Postgres,
    pub(super) proxy: Proxy,
    /// The clock of the program; PostgreSQL has one of its own.
    pub(super) clock: Clock,
    port: u16,
    server: Supervised,
}

/// A program that is started again whenever it ends.
struct Supervised {
    pid: Arc<AtomicI32>,
    starts: Arc<AtomicUsize>,
    /// Whoever holds it keeps the program from being started.
    gate: Arc<Mutex<()>>,
    task: JoinHandle<()>,
}

impl ChaosSite {
    pub(super) async fn start() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("matchbook-chaos").tempdir()?;
        fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
        let clock = Clock::set_up(folder.path(), "clock")?;
        let machine = Machine {
            clock: Clock::set_up(folder.path(), "postgres-clock")?,
            disk: Disk::set_up(folder.path(), "postgres-disk")?,
        };
        let postgres = Postgres::start(folder.path().join("postgres"), Some(machine)).await?;
        let proxy = Proxy::before(postgres.socket()).await?;
        fs::create_dir(folder.path().join("beside"))?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let url = format!("postgres://postgres@127.0.0.1:{}/postgres?sslmode=disable", proxy.port);
        let server = Supervised::start(&folder, &clock, port, url)?;
        let site = Self { folder, postgres, proxy, clock, port, server };
        site.is_ready().await?;
        Ok(site)
    }

    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// The checkpoint file; the journals are beside it.
    pub(super) fn checkpoint(&self) -> PathBuf {
        self.folder.path().join("beside/checkpoint")
    }

    pub(super) async fn is_ready(&self) -> Result<()> {
        let url = format!("{}/readyz", self.address());
        let ready = until(async || {
            let status = reqwest::get(&url).await?.status();
            ensure!(status == StatusCode::OK, "{url}: {status}");
            Ok(())
        });
        ready.await.with_context(|| self.last_words())
    }

    /// The program's command line on this site.
    async fn asks(&self, arguments: &[&str]) -> Result<String> {
        let mut asked = command(&self.folder.path().join("data"), arguments)?;
        asked
            .env("DATABASE_URL", format!("postgres://postgres@127.0.0.1:{}/postgres?sslmode=disable", self.proxy.port));
        let answer = asked.env("MATCHBOOK_CHECKPOINT_FILE", self.checkpoint()).output().await?;
        let said = String::from_utf8(answer.stdout)?;
        ensure!(answer.status.success(), "{arguments:?}: {said}{}", String::from_utf8_lossy(&answer.stderr));
        Ok(said.trim().to_owned())
    }

    /// A token of a new umpire.
    pub(super) async fn token(&self, name: &str) -> Result<String> {
        self.asks(&["umpire", "add", name, "--site", &self.address()]).await?;
        self.asks(&["token", "add", name, "a test", "--scope", "umpire"]).await
    }

    pub(super) async fn audit(&self) -> Result<()> {
        let said = self.asks(&["audit"]).await?;
        ensure!(said.contains("nothing is wrong"), "{said}");
        Ok(())
    }

    /// Keeps the program from being started, until this is dropped.
    pub(super) async fn hold(&self) -> MutexGuard<'_, ()> {
        self.server.gate.lock().await
    }

    /// Kills the program with kill -9.
    pub(super) fn kill(&self) -> Result<()> {
        Ok(kill(self.pid(), Signal::SIGKILL)?)
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.server.pid.load(Ordering::SeqCst))
    }

    /// How often the program was started.
    pub(super) fn starts(&self) -> usize {
        self.server.starts.load(Ordering::SeqCst)
    }

    /// Waits until the program has ended.
    pub(super) async fn has_ended(&self) -> Result<()> {
        let pid = self.pid();
        until(async || {
            ensure!(kill(pid, None).is_err(), "it still runs");
            Ok(())
        })
        .await
    }

    /// Lets no file of the program grow beyond this size, as a full disk does; none lifts the limit.
    pub(super) async fn limit_files(&self, size: Option<u64>) -> Result<()> {
        let size = size.map_or_else(|| "unlimited".to_owned(), |size| size.to_string());
        let mut limit = Command::new("prlimit");
        limit.args(["--pid", &self.pid().to_string(), &format!("--fsize={size}:unlimited")]);
        ensure!(limit.status().await?.success(), "the limit is not set");
        Ok(())
    }

    /// The log of the program: a JSON object a line.
    pub(super) fn log(&self) -> Result<String> {
        Ok(fs::read_to_string(self.folder.path().join("program.log"))?)
    }

    /// Notes a step of a test's own among those of the program.
    pub(super) fn note(&self, step: &str) -> Result<()> {
        let mut log = File::options().append(true).open(self.folder.path().join("program.log"))?;
        Ok(writeln!(log, "{{\"step\":\"{step}\"}}")?)
    }

    /// The end of the program's log and of the server's.
    pub(super) fn last_words(&self) -> String {
        let end = |name: &str| {
            let log = fs::read_to_string(self.folder.path().join(name)).unwrap_or_default();
            let lines: Vec<&str> = log.lines().filter(|line| !line.contains("\"step\"")).collect();
            format!("== {name}\n{}\n", lines[lines.len().saturating_sub(40)..].join("\n"))
        };
        format!("the program was started {} times\n{}{}", self.starts(), end("program.log"), end("postgres.log"))
    }

    /// Ends the program.
    pub(super) async fn stop(self) {
        self.server.task.abort();
        drop(self.server.task.await);
    }
}

impl Supervised {
    fn start(folder: &TempDir, clock: &Clock, port: u16, url: String) -> Result<Self> {
        let (pid, starts, gate) =
            (Arc::<AtomicI32>::default(), Arc::<AtomicUsize>::default(), Arc::<Mutex<()>>::default());
        let mut log = File::options().create(true).append(true).open(folder.path().join("program.log"))?;
        let mut serve = Command::new("sh");
        // A write beyond the limit for its files is an error, and no signal.
        serve.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(binary()?);
        serve.args(["serve", "--listen", &format!("127.0.0.1:{port}"), "--api-rate", "1000000", "--data-dir"]);
        serve.arg(folder.path().join("data")).env("DATABASE_URL", url);
        serve.envs([("LD_PRELOAD", clock.library()), clock.variable()]);
        serve.env("MATCHBOOK_CHECKPOINT_FILE", folder.path().join("beside/checkpoint"));
        // The program says its steps, which are held against the model.
        serve.env("MATCHBOOK_LOG", "info,sqlx=warn,protocol=trace").env("MATCHBOOK_LOG_FORMAT", "json");
        serve.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        let (its_pid, its_starts, its_gate) = (pid.clone(), starts.clone(), gate.clone());
        let task = tokio::spawn(async move {
            loop {
                let may_start = its_gate.lock().await;
                let _ = log.write_all(b"{\"step\":\"start\"}\n");
                let Ok(mut child) = serve.spawn() else { return };
                its_pid.store(child.id().and_then(|id| id.try_into().ok()).unwrap_or_default(), Ordering::SeqCst);
                its_starts.fetch_add(1, Ordering::SeqCst);
                drop(may_start);
                // Through a pipe: the limit for its files is none for its log. It ends with the program.
                let mut said = [0; 1 << 14];
                while let Some(from) = &mut child.stderr
                    && let Ok(size @ 1..) = from.read(&mut said).await
                {
                    let _ = log.write_all(&said[..size]);
                }
                drop(child.wait().await);
                // One that cannot start would keep a processor busy.
                sleep(Duration::from_millis(20)).await;
            }
        });
        Ok(Self { pid, starts, gate, task })
    }
}
