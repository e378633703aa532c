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
    let mut running = serve.stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let mut lines = BufReader::new(running.stderr.take().context("its log")?).lines();
    loop {
        let line = lines.next_line().await?.context("it says nothing of the file")?;
        let line: Value = serde_json::from_str(&line).with_context(|| line.clone())?;
        ensure!(line["timestamp"].is_string() && line["level"].is_string(), "{line}");
        if line["message"].as_str().unwrap_or_default().contains("inside the data folder") {
            ensure!(line["level"] == "WARN", "{line}");
            return Ok(());
        }
    }
}
