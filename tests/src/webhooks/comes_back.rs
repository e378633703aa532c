//! Killing and restarting the program: spectators catch up, and another process continues sending webhooks.

use std::time::Duration;

use anyhow::{Context, Result};
use serde_json::Value;

use super::Receiver;
use crate::browser::Browser;
use crate::play::table::RULESET;
use crate::program::{Program, started};
use crate::site::Guest;

/// Opens a match in which the umpire types, and returns its console.
async fn opened(umpire: &Guest) -> Result<String> {
    Ok(umpire.opens(&[("ruleset", RULESET), ("p1", "Ada"), ("p2", "Bo")]).await?.address)
}

async fn records(umpire: &Guest, console: &str, p1: &str, p2: &str) -> Result<()> {
    let page = umpire.get(console).await?;
    let page = umpire.fills_in(&page, &format!("{console}/record"), &[("p1", p1), ("p2", p2)]).await?;
    anyhow::ensure!(page.status.is_success(), "{}", page.text);
    Ok(())
}

#[tokio::test]
async fn a_page_that_watches_catches_up_with_a_server_that_was_away() -> Result<()> {
    let (folder, program, umpire) = started().await?;
    let data = folder.path().join("data");
    let console = opened(&umpire).await?;
    let browser = Browser::open(1100, false, true).await?;
    let live = format!("{}{}/live", umpire.address, console.replace("/umpire", ""));
    browser.client.goto(&live).await?;
    browser.until("Updates by itself").await?;
    let address = program.address.trim_start_matches("http://").to_owned();
    program.kill().await?;
    browser.until("The connection is lost.").await?;
    let program = Program::start_at(&data, &address, &[]).await?;
    records(&umpire, &console, "grow", "claim").await?;
    browser.until("Updates by itself").await?;
    browser.until("Round 1").await?;
    // Events during the outage are shown, too.
    browser.until("Grow").await?;
    browser.close().await?;
    program.kill().await
}

#[tokio::test]
async fn another_process_goes_on_sending_when_the_one_that_sends_is_killed() -> Result<()> {
    let (folder, first, umpire) = started().await?;
    let data = folder.path().join("data");
    // The first one is killed, and both are started again with permission to send to this machine.
    first.kill().await?;
    let sends = Program::start_at(&data, "127.0.0.1:0", &["--webhooks-private"]).await?;
    let umpire = Guest { http: umpire.http, address: sends.address.clone() };
    let (receiver, address) = Receiver::open().await?;
    super::make(&umpire, &address).await?;
    let console = opened(&umpire).await?;
    receiver.came(2).await?;
    let waits = Program::start_at(&data, "127.0.0.1:0", &["--webhooks-private"]).await?;
    let other = Guest { http: umpire.http, address: waits.address.clone() };
    records(&other, &console, "grow", "claim").await?;
    receiver.came(4).await?;
    sends.kill().await?;
    records(&other, &console, "score", "grow").await?;
    // The killed process holds its right to send for some seconds by the database's clock. A message that it had sent
    // and not yet noted is sent once more, with the same id.
    let mut sent: Vec<super::Message> = Vec::new();
    for count in 6.. {
        for message in receiver.came(count).await? {
            if !sent.iter().any(|one| one.id == message.id) {
                sent.push(message);
            }
        }
        if sent.len() >= 6 {
            break;
        }
    }
    let kinds: Vec<String> = sent.iter().map(super::Message::kind).collect();
    let round = ["round.resolved", "decision.asked"];
    assert_eq!(kinds, [["match.opened", "decision.asked"], round, round].concat());
    let lines: Vec<Value> = sent.iter().map(|message| message.json()["data"]["dmn"].clone()).collect();
    assert_eq!(lines.last().context("a message")?, &Value::Null);
    assert_eq!((&lines[2], &lines[4]), (&"1. grow / claim".into(), &"2. score / grow".into()));
    tokio::time::sleep(Duration::from_millis(100)).await;
    waits.kill().await
}
