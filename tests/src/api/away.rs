//! The database is unreachable around a deadline, and a program had submitted in time.

use std::time::Duration;

use anyhow::{Context, Result};
use app::account::Token;
use reqwest::StatusCode;
use serde_json::json;

use super::Program;
use crate::database::database;
use crate::play::table::{RULESET, Table};
use crate::site::Site;
use crate::wire::{Line, Wire};

async fn away(how: Wire) -> Result<()> {
    let options = database().await?;
    let line = Line::laid(options.clone())?;
    let site = Site::seeded_on("a live match", options.socket(&line.folder)).await?;
    let table = Table::on(site, RULESET, true, &["p1", "p2"]).await?;
    let link = table.link("p2").await?;
    let token = link.rsplit('/').next().context("a token")?.to_owned();
    table.p1.submits("grow").await?.says("move received.")?;
    table.passes(59);
    line.becomes(how);
    let body = json!({ "decision": "d1", "text": "claim" });
    let sending = tokio::spawn({
        let (program, body) = (Program::with(&table.site, token.clone()), body.clone());
        async move { program.post("/api/v1/seat/submissions", "claim", &body).await }
    });
    tokio::time::sleep(Duration::from_secs(1)).await;
    for _ in 0..3 {
        table.passes(1);
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
    tokio::time::sleep(Duration::from_secs(1)).await;
    line.becomes(Wire::Whole);
    let receipt = sending.await??.is(StatusCode::CREATED)?;
    table.until("recorded round 1: grow / claim").await?;
    // Sent again with the same key, it gets the same answer.
    let again = Program::with(&table.site, token).post("/api/v1/seat/submissions", "claim", &body).await?;
    assert_eq!(again.is(StatusCode::CREATED)?, receipt);
    Ok(())
}

#[tokio::test]
async fn what_a_program_submits_in_time_counts_when_connections_are_lost() -> Result<()> {
    away(Wire::Cut).await
}

#[tokio::test]
async fn what_a_program_submits_in_time_counts_when_the_database_is_stuck() -> Result<()> {
    away(Wire::Stuck).await
}

/// A server that was killed leaves the key of a request behind, without an answer.
#[tokio::test]
async fn a_request_that_died_with_the_server_is_answered_at_once_and_counts_from_its_arrival() -> Result<()> {
    const PATH: &str = "/api/v1/seat/submissions";
    let site = Site::seeded("a live match").await?;
    let table = Table::on(site, RULESET, true, &["p1", "p2"]).await?;
    let link = table.link("p2").await?;
    let token = link.rsplit('/').next().context("a token")?.to_owned();
    table.p1.submits("grow").await?.says("move received.")?;
    table.passes(59);
    let body = json!({ "decision": "d1", "text": "claim" });
    let app = &table.site.app;
    sqlx::query("insert into api_answers (owner, key, digest, at) values ($1, 'claim', $2, $3)")
        .bind(token.parse::<Token>()?.hash().bytes().as_slice())
        .bind(app.vault.digest(&[b"api", PATH.as_bytes(), body.to_string().as_bytes()]).bytes().as_slice())
        .bind(app.system().now().to_utc())
        .execute(app.pool())
        .await?;
    // After the deadline, and before the close.
    app.system().pass(Duration::from_millis(1_500));
    let program = Program::with(&table.site, token);
    let receipt = program.post(PATH, "claim", &body).await?.is(StatusCode::CREATED)?;
    table.closes().await?;
    table.until("recorded round 1: grow / claim").await?;
    assert_eq!(program.post(PATH, "claim", &body).await?.is(StatusCode::CREATED)?, receipt);
    Ok(())
}
