//! `deploy/monitoring/`, checked by the real Prometheus where it is installed.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use tokio::process::Command;

use super::Measured;
use crate::wait::until;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy/monitoring").join(name)
}

/// Runs `promtool` in the folder of the rules; false if it is not installed.
async fn promtool(arguments: &[&str]) -> Result<bool> {
    let ran = Command::new("promtool").args(arguments).current_dir(file("")).output().await;
    match ran {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // The test harness shows what is written to the stream itself.
            writeln!(
                io::stderr(),
                "PROMETHEUS IS NOT INSTALLED: deploy/monitoring was not checked. scripts/install.sh prometheus installs it."
            )?;
            Ok(false)
        }
        ran => {
            let ran = ran?;
            ensure!(ran.status.success(), "{}{}", String::from_utf8(ran.stdout)?, String::from_utf8(ran.stderr)?);
            Ok(true)
        }
    }
}

/// The words of a text that begin like the name of a metric.
fn metrics_in(text: &str) -> BTreeSet<String> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("matchbook_")).map(str::to_owned).collect()
}

/// The queries of the dashboard, for all nodes.
fn dashboard_queries() -> Result<Vec<String>> {
    let dashboard: Value = serde_json::from_str(&fs::read_to_string(file("dashboard.json"))?)?;
    let panels = dashboard["panels"].as_array().context("panels")?.iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().into_iter().flatten());
    let queries: Vec<_> = targets.filter_map(|target| target["expr"].as_str()).collect();
    ensure!(queries.len() > 10, "{queries:?}");
    Ok(queries.into_iter().map(|query| query.replace("$instance", ".*")).collect())
}

#[tokio::test]
async fn the_rules_are_valid_and_fire_when_they_should() -> Result<()> {
    if promtool(&["check", "config", "prometheus.yml"]).await? {
        promtool(&["check", "rules", "--lint-fatal", "rules.yml"]).await?;
        promtool(&["test", "rules", "rules_test.yml"]).await?;
    }
    Ok(())
}

#[test]
fn every_alert_has_a_test() -> Result<()> {
    let (rules, tests) = (fs::read_to_string(file("rules.yml"))?, fs::read_to_string(file("rules_test.yml"))?);
    let alerts: Vec<_> = rules.lines().filter_map(|line| line.trim().strip_prefix("- alert: ")).collect();
    ensure!(alerts.len() > 10, "{alerts:?}");
    let lines: Vec<_> = tests.lines().map(str::trim).collect();
    for alert in alerts {
        // It fires there: what it says then follows.
        let fires = [format!("alertname: {alert}"), "exp_alerts:".to_owned()];
        ensure!(lines.windows(2).any(|two| two == fires), "{alert} has no test in which it fires");
    }
    Ok(())
}

#[tokio::test]
async fn every_metric_that_is_asked_for_is_served() -> Result<()> {
    let measured = Measured::start().await?;
    measured.umpire.get("/readyz").await?;
    let served = measured.names().await?;
    let asked = [fs::read_to_string(file("rules.yml"))?, dashboard_queries()?.join("\n")];
    for asked in asked.iter().map(|text| metrics_in(text)) {
        ensure!(asked.len() > 10, "{asked:?}");
        let missing: Vec<_> = asked.difference(&served).collect();
        ensure!(missing.is_empty(), "nobody serves {missing:?}, but:\n{served:#?}");
    }
    measured.program.kill().await
}

#[tokio::test]
async fn prometheus_reads_a_node_and_evaluates_the_rules() -> Result<()> {
    if !promtool(&["--version"]).await? {
        return Ok(());
    }
    let measured = Measured::start().await?;
    let folder = tempfile::tempdir()?;
    let metrics = measured.metrics.trim_start_matches("http://").trim_end_matches("/metrics");
    let config = fs::read_to_string(file("prometheus.yml"))?.replace("127.0.0.1:9464", metrics).replace("15s", "1s");
    ensure!(config.contains(metrics) && config.contains("1s"), "{config}");
    fs::write(folder.path().join("prometheus.yml"), config)?;
    fs::copy(file("rules.yml"), folder.path().join("rules.yml"))?;
    // It prints no port of its own choice.
    let listen = TcpListener::bind("127.0.0.1:0")?.local_addr()?.to_string();
    let _prometheus = Command::new("prometheus")
        .args(["--config.file=prometheus.yml", "--storage.tsdb.path=data"])
        .arg(format!("--web.listen-address={listen}"))
        .current_dir(folder.path())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()?;
    let ask = async |what: &str| -> Result<Value> {
        Ok(serde_json::from_str(&reqwest::get(format!("http://{listen}/api/v1/{what}")).await?.text().await?)?)
    };
    until(async || {
        let ready = ask("query?query=matchbook_ready").await?;
        ensure!(ready["data"]["result"][0]["value"][1] == "1", "{ready}");
        Ok(())
    })
    .await?;
    let rules = until(async || {
        let rules = ask("rules").await?;
        let rules = rules["data"]["groups"][0]["rules"].as_array().context("rules")?.clone();
        ensure!(rules.iter().all(|rule| rule["health"] == "ok"), "{rules:#?}");
        Ok(rules)
    })
    .await?;
    for query in dashboard_queries()? {
        let answer = reqwest::Client::new()
            .post(format!("http://{listen}/api/v1/query"))
            .form(&[("query", &query)])
            .send()
            .await?
            .text()
            .await?;
        ensure!(answer.contains("\"status\":\"success\""), "{query}: {answer}");
    }
    // Only the witness is away.
    let firing: Vec<_> = rules.iter().filter(|rule| rule["state"] != "inactive").map(|rule| &rule["name"]).collect();
    ensure!(
        firing.iter().all(|name| **name == "MatchbookWitnessQuorumLost" || **name == "MatchbookWitnessAway"),
        "{firing:?}"
    );
    measured.program.kill().await
}
