//! Alerts by webhook: once for each change, after a minute.

use std::fs;
use std::time::Duration;

use anyhow::{Result, ensure};
use app::monitoring::{AlertWebhook, Monitor};
use app::signing::NOT_SIGNED;
use axum::http::StatusCode;
use serde_json::Value;
use sqlx::Executor;

use crate::site::Site;
use crate::wait::until;
use crate::webhooks::Receiver;
use crate::whole_match::{fixture, open};

#[tokio::test]
async fn what_is_wrong_for_a_minute_is_told_once_and_what_is_well_again_too() -> Result<()> {
    let site = Site::start().await?;
    open(&site.umpire().await?, &fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?).await?;
    let (receiver, address) = Receiver::open().await?;
    let monitor = Monitor::new(site.app.clone(), site.data.path().to_owned());
    let mut alerts = AlertWebhook::new(monitor, address, "https://record.example.org".to_owned());
    let seconds = Duration::from_secs;
    alerts.check(seconds(0)).await;

    // Without the file nothing is signed.
    let (file, away) = (site.data.path().join("checkpoint"), site.data.path().join("away"));
    until(async || Ok(fs::rename(&file, &away)?)).await?;
    until(async || {
        ensure!(site.app.signer().stopped().is_some(), "it still signs");
        Ok(())
    })
    .await?;
    alerts.check(seconds(100)).await;
    alerts.check(seconds(159)).await;
    ensure!(receiver.sent().is_empty(), "it is not wrong for a minute yet: {:?}", receiver.sent());
    // What nobody received is sent again, and what somebody received is not.
    receiver.will_answer(StatusCode::INTERNAL_SERVER_ERROR);
    for time in [160, 170, 180, 1_000] {
        alerts.check(seconds(time)).await;
    }
    let messages: Vec<Value> = receiver.sent().iter().map(crate::webhooks::Message::json).collect();
    let [first, raised] = messages.as_slice() else { anyhow::bail!("{messages:#?}") };
    ensure!(first["alert"] == raised["alert"] && raised["alert"] == "not_signed", "{messages:#?}");
    ensure!(raised["type"] == "alert.raised" && raised["site"] == "https://record.example.org", "{raised}");
    ensure!(raised["text"] == format!("https://record.example.org: {NOT_SIGNED}. /healthz says why."), "{raised}");

    fs::rename(&away, &file)?;
    until(async || {
        ensure!(site.app.signer().stopped().is_none(), "it does not sign");
        Ok(())
    })
    .await?;
    for time in [1_010, 1_020] {
        alerts.check(seconds(time)).await;
    }
    let messages: Vec<Value> = receiver.sent().iter().skip(2).map(crate::webhooks::Message::json).collect();
    let [cleared] = messages.as_slice() else { anyhow::bail!("{messages:#?}") };
    ensure!(cleared["type"] == "alert.cleared" && cleared["alert"] == "not_signed", "{cleared}");
    Ok(())
}

#[tokio::test]
async fn a_move_that_is_found_missing_is_told_for_an_hour() -> Result<()> {
    let site = Site::start().await?;
    let (receiver, address) = Receiver::open().await?;
    let monitor = Monitor::new(site.app.clone(), site.data.path().to_owned());
    let mut alerts = AlertWebhook::new(monitor, address, "https://record.example.org".to_owned());
    let mut owner = site.owner().await?;
    let found = "insert into missing_submissions (log_id, match_id, decision, seat, ordinal, came, at) \
                 values (1, gen_random_uuid(), 'd1', 'p1', 0, now(), now())";
    owner.execute(found).await?;
    for time in [0, 60, 70] {
        alerts.check(Duration::from_secs(time)).await;
    }
    owner.execute("update missing_submissions set at = at - interval '1 hour'").await?;
    for time in [80, 90] {
        alerts.check(Duration::from_secs(time)).await;
    }
    let messages: Vec<Value> = receiver.sent().iter().map(crate::webhooks::Message::json).collect();
    let [raised, cleared] = messages.as_slice() else { anyhow::bail!("{messages:#?}") };
    ensure!(raised["type"] == "alert.raised" && raised["alert"] == "missing", "{raised}");
    ensure!(cleared["type"] == "alert.cleared" && cleared["alert"] == "missing", "{cleared}");
    Ok(())
}
