//! The program itself, started as a user would, with its own data folder and a private PostgreSQL.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use reqwest::Client;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::site::{Guest, follow};

/// A running program with a private PostgreSQL.
pub(crate) struct Program {
    child: Child,
    pub(crate) address: String,
}

/// The matchbook binary beside this test.
pub(crate) fn binary() -> Result<PathBuf> {
    let test = std::env::current_exe()?;
    let beside = test.parent().and_then(Path::parent).context("a target folder")?.join("matchbook");
    ensure!(beside.exists(), "{} is not built: cargo build --bin matchbook", beside.display());
    Ok(beside)
}

/// The program's command line, on a data folder.
pub(crate) fn command(data: &Path, arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(binary()?);
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
        let mut command = command(data, &["serve", "--listen", listen])?;
        command.args(more);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        let mut said = BufReader::new(child.stdout.take().context("its output")?).lines();
        while let Some(line) = said.next_line().await? {
            if let Some(address) = line.strip_prefix("Matchbook is at ") {
                let address = address.trim_end_matches('/').to_owned();
                tokio::spawn(async move { while let Ok(Some(_)) = said.next_line().await {} });
                return Ok(Self { child, address });
            }
        }
        anyhow::bail!("the program ended before it listened")
    }

    /// Kills it with kill -9.
    pub(crate) async fn kill(mut self) -> Result<()> {
        self.child.start_kill()?;
        self.child.wait().await?;
        Ok(())
    }
}

/// A program with a signed-in umpire.
pub(crate) async fn started() -> Result<(TempDir, Program, Guest)> {
    let folder = tempfile::Builder::new().prefix("matchbook-test").tempdir_in("/tmp")?;
    let data = folder.path().join("data");
    let program = Program::start(&data).await?;
    let added = command(&data, &["umpire", "add", "Ursula", "--site", &program.address])?.output().await?;
    let link = String::from_utf8(added.stdout)?;
    let http = Client::builder().cookie_store(true).timeout(Duration::from_secs(30)).build()?;
    ensure!(follow(&http, link.trim()).await?.status().is_success(), "{link}");
    let umpire = Guest { http, address: program.address.clone() };
    Ok((folder, program, umpire))
}
