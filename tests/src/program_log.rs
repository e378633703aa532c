//! The log of the program, for programs.

use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader};

use crate::program::{command, started};

#[tokio::test]
async fn the_log_is_json_where_it_is_asked_for() -> Result<()> {
    let (folder, program, _) = started().await?;
    program.kill().await?;
    let data = folder.path().join("data");
    let mut serve = command(&data, &["serve", "--listen", "127.0.0.1:0"])?;
    // Inside the data folder, which is worth a warning.
    serve.env("MATCHBOOK_CHECKPOINT_FILE", data.join("checkpoint")).env("MATCHBOOK_LOG_FORMAT", "json");
    serve.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut running = serve.spawn()?;
    let mut lines = BufReader::new(running.stderr.take().context("its log")?).lines();
    let mut waited = ["inside the data folder", "Matchbook is at http://"].into_iter().peekable();
    while let Some(words) = waited.peek() {
        let line = lines.next_line().await?.with_context(|| format!("it does not say {words}"))?;
        let line: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
        ensure!(line["timestamp"].is_string() && line["level"].is_string(), "{line}");
        if line["message"].as_str().unwrap_or_default().contains(words) {
            waited.next();
        }
    }
    // The reason of an end, too; and nothing anywhere else.
    running.start_kill()?;
    ensure!(running.wait_with_output().await?.stdout.is_empty());
    std::fs::remove_file(data.join("keys/host.key"))?;
    let refused = serve.output().await?;
    let said = String::from_utf8(refused.stderr)?;
    let last: Value = serde_json::from_str(said.lines().last().context("a reason")?).with_context(|| said.clone())?;
    ensure!(last["level"] == "ERROR" && refused.status.code() == Some(4), "{last} {}", refused.status);
    Ok(())
}
