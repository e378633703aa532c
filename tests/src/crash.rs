//! The program killed in the middle: nothing that was acknowledged is lost, and nothing is there twice.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use reqwest::Client;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

use crate::site::Guest;
use crate::whole_match::{fixture, open};

/// A program of its own, with a private PostgreSQL.
struct Program {
    child: Child,
    address: String,
}

/// The matchbook binary beside this test.
fn binary() -> Result<PathBuf> {
    let test = std::env::current_exe()?;
    let beside = test.parent().and_then(Path::parent).context("a target folder")?.join("matchbook");
    ensure!(beside.exists(), "{} is not built: cargo build --bin matchbook", beside.display());
    Ok(beside)
}

fn command(data: &Path, arguments: &[&str]) -> Result<Command> {
    let mut command = Command::new(binary()?);
    command.args(arguments).arg("--data-dir").arg(data).env_remove("DATABASE_URL").kill_on_drop(true);
    Ok(command)
}

impl Program {
    async fn start(data: &Path) -> Result<Self> {
        let mut command = command(data, &["serve", "--listen", "127.0.0.1:0"])?;
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

    /// kill -9.
    async fn kill(mut self) -> Result<()> {
        self.child.start_kill()?;
        self.child.wait().await?;
        Ok(())
    }
}

#[tokio::test]
async fn killed_at_any_moment_a_round_is_there_once_or_not_at_all() -> Result<()> {
    let folder = tempfile::Builder::new().prefix("matchbook-crash").tempdir_in("/tmp")?;
    let data = folder.path().join("data");
    let program = Program::start(&data).await?;
    let added = command(&data, &["umpire", "add", "Ursula", "--site", &program.address])?.output().await?;
    let link = String::from_utf8(added.stdout)?;
    let http = Client::builder().cookie_store(true).timeout(Duration::from_secs(30)).build()?;
    ensure!(http.post(link.trim()).send().await?.status().is_success(), "{link}");
    let mut umpire = Guest { http, address: program.address.clone() };
    let played = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &played).await?;

    let mut program = program;
    let mut acknowledged = 0;
    for (n, step) in played.steps.iter().take(8).enumerate() {
        let page = umpire.get(&console).await?;
        let (p1, p2) = step.split_once(" / ").context("a joint step")?;
        let p1 = p1.split_once(". ").map_or(p1, |(_, sent)| sent);
        let (decision, form, head) = (page.field("decision")?, page.field("form")?, page.field("head")?);
        let fields = [("decision", decision), ("form", form), ("head", head), ("p1", p1.into()), ("p2", p2.into())];
        let url = format!("{}{console}/record", umpire.address);
        let sending = tokio::spawn(umpire.http.post(url).form(&fields).send());
        // Anywhere from before the first row to after the answer.
        tokio::time::sleep(Duration::from_millis(n as u64 * 2)).await;
        program.kill().await?;
        if matches!(sending.await?, Ok(answer) if answer.status().is_success()) {
            acknowledged += 1;
        }
        program = Program::start(&data).await?;
        umpire.address = program.address.clone();
        // The umpire does not know what became of it, and sends the same form again.
        let again = umpire.http.post(format!("{}{console}/record", umpire.address)).form(&fields).send().await?;
        let status = again.status();
        ensure!(status.is_success(), "round {}: {status}: {}", n + 1, again.text().await?);
        let lines = umpire.get(&format!("{}.ndjson", console.replace("/umpire", ""))).await?.text;
        let resolved = lines.lines().filter(|line| line.contains("\"kind\":\"resolved\"")).count();
        ensure!(resolved == n + 1, "round {} is there {resolved} times", n + 1);
    }
    let bundle = umpire.http.get(format!("{}{}.bundle", umpire.address, console.replace("/umpire", ""))).send().await?;
    let report = record::verify::verify(&record::Bundle::read(&bundle.bytes().await?)?);
    ensure!(report.is_good(), "{}", report.verdict);
    println!("8 rounds, killed in each, {acknowledged} of them after the answer");
    program.kill().await
}
