//! The metrics of a real program, which are served at an address of their own.

mod alerts;
mod prometheus;

use std::collections::BTreeSet;
use std::fs;

use anyhow::{Context, Result, ensure};
use reqwest::{Client, StatusCode};
use tempfile::TempDir;

use crate::crash::close::seated;
use crate::play::table::RULESET;
use crate::program::{Program, started};
use crate::site::Guest;
use crate::wait::until;
use crate::witness::witness_key;

/// A program that serves metrics at the address.
struct Measured {
    _folder: TempDir,
    program: Program,
    umpire: Guest,
    metrics: String,
}

impl Measured {
    async fn start() -> Result<Self> {
        let (folder, program, mut umpire) = started().await?;
        program.kill().await?;
        // A witness that is away, so that there is something to say of it.
        let policy = folder.path().join("policy");
        let key = witness_key("witness.example/away");
        fs::write(&policy, format!("witness away {} http://127.0.0.1:1\nquorum away\n", key.verifier()))?;
        let policy = policy.to_str().context("a path")?;
        let more = ["--metrics-listen", "127.0.0.1:0", "--policy", policy];
        let program = Program::start_at(&folder.path().join("data"), "127.0.0.1:0", &more).await?;
        umpire.address.clone_from(&program.address);
        let metrics = program.metrics.clone().context("the address of its metrics")?;
        Ok(Self { _folder: folder, program, umpire, metrics })
    }

    /// All metrics, as text.
    async fn text(&self) -> Result<String> {
        Ok(reqwest::get(&self.metrics).await?.error_for_status()?.text().await?)
    }

    /// The names of all metrics and their series, such as the buckets of a histogram.
    async fn names(&self) -> Result<BTreeSet<String>> {
        let text = self.text().await?;
        let series = text.lines().filter(|line| !line.starts_with('#'));
        Ok(series.filter_map(|line| line.split(['{', ' ']).next()).map(str::to_owned).collect())
    }

    async fn has(&self, series: &str, value: u32) -> Result<()> {
        let text = self.text().await?;
        let line = format!("{series} {value}.0");
        ensure!(text.lines().any(|other| other == line), "no {line}:\n{text}");
        Ok(())
    }
}

#[tokio::test]
async fn receipts_are_counted_where_only_the_operator_reads() -> Result<()> {
    let measured = Measured::start().await?;
    let umpire = &measured.umpire;
    measured.has("matchbook_ready", 1).await?;
    measured.has("matchbook_signing_stopped", 0).await?;
    measured.has("matchbook_receipts_outstanding{question=\"open\"}", 0).await?;
    let opening = [("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo"), ("live", "on")];
    let console = umpire.opens(&opening).await?.address;
    let (p1, home) = seated(umpire, &console, "p1").await?;
    seated(umpire, &console, "p2").await?;
    let form = p1.get(&home).await?.fields(&["decision", "submit"])?.with("move", "grow");
    p1.sends(&format!("{home}/submit"), &form).await?.is(StatusCode::OK)?;
    measured.has("matchbook_receipts_outstanding{question=\"open\"}", 1).await?;
    measured.has("matchbook_receipts_outstanding{question=\"closed\"}", 0).await?;
    // The site's own address says nothing of it.
    umpire.get("/metrics").await?.is(StatusCode::NOT_FOUND)?;

    let close = umpire.get(&console).await?.fields(&["decision", "form", "head"])?;
    umpire.sends(&format!("{console}/close"), &close).await?.is(StatusCode::OK)?;
    until(async || measured.has("matchbook_receipts_outstanding{question=\"open\"}", 0).await).await?;

    let text = measured.text().await?;
    let slug = console.rsplit('/').next().context("a slug")?;
    for word in [slug, "Ada", "Ursula", "127.0.0.1", "localhost/"] {
        ensure!(!text.contains(word), "{word} is in the metrics:\n{text}");
    }
    ensure!(text.contains("matchbook_request_seconds_count{method=\"POST\",route=\"/play/m/{slug}/{seat}/submit\"} 1"));
    ensure!(text.contains("route=\"none\""), "an address without a route:\n{text}");
    // A reader that keeps its connection does not keep the program.
    let reader = Client::new();
    reader.get(&measured.metrics).send().await?.text().await?;
    measured.program.terminate().await?;
    ensure!(measured.program.ended().await?.success());
    Ok(())
}
