//! The program itself, started as a user would, with its own data folder and a private PostgreSQL.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use reqwest::Client;
use reqwest::cookie::Jar;
use reqwest::header::SET_COOKIE;
use reqwest::redirect::Policy;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::sync::OnceCell;

use crate::site::{Guest, follow};

/// A running program with a private PostgreSQL.
pub(crate) struct Program {
    child: Child,
    pub(crate) address: String,
    /// The address of its metrics, if it serves them.
    pub(crate) metrics: Option<String>,
}

/// The matchbook binary beside this test, or another one that is named: `make chaos` breaks the program as it is released.
pub(crate) fn binary() -> Result<PathBuf> {
    if let Some(named) = std::env::var_os("MATCHBOOK_PROGRAM") {
        return Ok(named.into());
    }
    let test = std::env::current_exe()?;
    let beside = test.parent().and_then(Path::parent).context("a target folder")?.join("matchbook");
    ensure!(beside.exists(), "{} is not built: cargo build --bin matchbook", beside.display());
    Ok(beside)
}

/// The program's command line, on a data folder.
pub(crate) fn command(data: &Path, arguments: &[&str]) -> Result<Command> {
    command_of(&binary()?, data, arguments)
}

pub(crate) fn command_of(binary: &Path, data: &Path, arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(binary);
    command.args(arguments).arg("--data-dir").arg(data).env_remove("DATABASE_URL").kill_on_drop(true);
    // Beside the data folder, out of reach of a restored backup.
    command.env("MATCHBOOK_CHECKPOINT_FILE", data.with_file_name("checkpoint"));
    Ok(command)
}

impl Program {
    pub(crate) async fn start(data: &Path) -> Result<Self> {
        Self::start_at(data, "127.0.0.1:0", &[]).await
    }

    /// At this address, with more arguments.
    pub(crate) async fn start_at(data: &Path, listen: &str, more: &[&str]) -> Result<Self> {
        Self::start_as(&binary()?, data, listen, more).await
    }

    /// The same of another version's program.
    pub(crate) async fn start_as(binary: &Path, data: &Path, listen: &str, more: &[&str]) -> Result<Self> {
        let mut command = command_of(binary, data, &["serve", "--listen", listen])?;
        command.args(more);
        Self::listening(command).await
    }

    /// Starts it by this command line, and waits until it listens.
    pub(crate) async fn listening(mut command: Command) -> Result<Self> {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut said = BufReader::new(child.stdout.take().context("its output")?).lines();
        let mut metrics = None;
        while let Some(line) = said.next_line().await? {
            if let Some(address) = line.strip_prefix("Metrics are at ") {
                metrics = Some(address.to_owned());
            }
            if let Some(address) = line.strip_prefix("Matchbook is at ") {
                let address = address.trim_end_matches('/').to_owned();
                tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
                return Ok(Self { child, address, metrics });
            }
        }
        anyhow::bail!("the program ended before it listened")
    }

    /// The number of its process.
    pub(crate) fn id(&self) -> Result<u32> {
        self.child.id().context("it runs")
    }

    /// Asks it to stop.
    pub(crate) async fn terminate(&self) -> Result<()> {
        let pid = self.child.id().context("it runs")?.to_string();
        ensure!(Command::new("kill").arg(pid).status().await?.success(), "it cannot be asked to stop");
        Ok(())
    }

    /// Waits for its end.
    pub(crate) async fn ended(mut self) -> Result<ExitStatus> {
        Ok(self.child.wait().await?)
    }

    /// Kills it with kill -9.
    pub(crate) async fn kill(mut self) -> Result<()> {
        self.child.start_kill()?;
        self.child.wait().await?;
        Ok(())
    }
}

/// A program with a signed-in umpire, on a data folder of its own.
pub(crate) async fn started() -> Result<(TempDir, Program, Guest)> {
    let first = FIRST.get_or_try_init(async || First::made(&binary()?).await).await?;
    first.started(&binary()?).await
}

/// The same of another version's program, which made its data folder too.
pub(crate) async fn started_as(binary: &Path) -> Result<(TempDir, Program, Guest)> {
    First::made(binary).await?.started(binary).await
}
/// A data folder, and an umpire's session in it. Each program under test gets a copy: to make a cluster, to migrate it
/// and to add an umpire takes longer than most tests do.
struct First {
    folder: PathBuf,
    session: String,
    /// Its standard input is a pipe from this process. When it closes, the folder goes.
    _watched: Child,
}

static FIRST: OnceCell<First> = OnceCell::const_new();

impl First {
    async fn started(&self, binary: &Path) -> Result<(TempDir, Program, Guest)> {
        let folder = tempfile::Builder::new().prefix("matchbook-test").permissions(entered_by_all()).tempdir()?;
        let copied = Command::new("cp").arg("-a").arg(self.folder.join(".")).arg(folder.path()).status().await?;
        ensure!(copied.success(), "the first data folder cannot be copied");
        let program = Program::start_as(binary, &folder.path().join("data"), "127.0.0.1:0", &[]).await?;
        let cookies = Jar::default();
        cookies.add_cookie_str(&self.session, &program.address.parse()?);
        let http = Client::builder().cookie_provider(Arc::new(cookies)).timeout(Duration::from_secs(30)).build()?;
        let umpire = Guest { http, address: program.address.clone() };
        Ok((folder, program, umpire))
    }

    async fn made(binary: &Path) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("matchbook-first").permissions(entered_by_all()).tempdir()?.keep();
        let mut end = Command::new("sh");
        end.args(["-c", "read -r _; rm -rf \"$0\""]).arg(&folder).process_group(0).stdin(Stdio::piped());
        let watched = end.spawn()?;
        let data = folder.join("data");
        let mut program = Program::start_as(binary, &data, "127.0.0.1:0", &[]).await?;
        let added =
            command_of(binary, &data, &["umpire", "add", "Ursula", "--site", &program.address])?.output().await?;
        let link = String::from_utf8(added.stdout)?;
        let signed_in = follow(&Client::builder().redirect(Policy::none()).build()?, link.trim()).await?;
        let session = signed_in.headers().get(SET_COOKIE).with_context(|| link.clone())?.to_str()?.to_owned();
        let pid = program.child.id().context("it runs")?.to_string();
        Command::new("kill").arg(pid).status().await?;
        // Asked at once after it said where it is: it stops in good order all the same.
        ensure!(program.child.wait().await?.success(), "it did not stop in good order");
        Ok(Self { folder, session, _watched: watched })
    }
}

/// The server's own user must come to its files.
pub(crate) fn entered_by_all() -> Permissions {
    Permissions::from_mode(0o711)
}
