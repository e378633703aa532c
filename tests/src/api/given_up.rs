//! Programs that hang up before they are answered: what they sent counts as they sent it, and leaves no time for another
//! choice.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use app::account::Token;
use ledger::Moment;
use reqwest::StatusCode;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use super::{Program, Scope};
use crate::play::table::{RULESET, Table};
use crate::site::Site;
use crate::wait::until;

const PATH: &str = "/api/v1/seat/submissions";

fn body(text: &str) -> Value {
    json!({ "decision": "d1", "text": text })
}

/// A live match whose first clock runs, and the token of seat 2.
async fn table() -> Result<(Table, String)> {
    let table = Table::on(Site::seeded("a live match").await?, RULESET, true, &["p1", "p2"]).await?;
    let link = table.link("p2").await?;
    let token = link.rsplit('/').next().context("a token")?.to_owned();
    table.p1.submits("grow").await?.says("move received.")?;
    table.passes(58);
    Ok((table, token))
}

/// Sends a move with its own key, and hangs up at once.
async fn gives_up(table: &Table, token: &str, text: &str) -> Result<()> {
    let host = table.site.address.trim_start_matches("http://").to_owned();
    let body = body(text).to_string();
    let mut connection = TcpStream::connect(&host).await?;
    let request = format!(
        "POST {PATH} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\nidempotency-key: {text}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    connection.write_all(request.as_bytes()).await?;
    Ok(connection.shutdown().await?)
}

fn receipts(answer: &Value) -> Vec<&Value> {
    answer["receipts"].as_array().into_iter().flatten().collect()
}

#[tokio::test]
async fn a_request_that_was_given_up_leaves_no_time_for_another_choice() -> Result<()> {
    let (table, token) = table().await?;
    let program = Program::with(&table.site, token.clone());
    // One key for each move that could fit, each given up. All the same it is worked on to its end.
    for (n, text) in ["steal", "score", "claim"].into_iter().enumerate() {
        gives_up(&table, &token, text).await?;
        until(async || {
            let all = program.get("/api/v1/seat/receipts").await?.is(StatusCode::OK)?;
            ensure!(receipts(&all).len() == n + 1, "{all}");
            Ok(())
        })
        .await?;
    }
    // After the deadline and before the close, the fitting one is sent again: what came last counts all the same.
    table.site.app.system().pass(Duration::from_millis(2_500));
    let again = program.post(PATH, "steal", &body("steal")).await?;
    ensure!(again.headers.contains_key("idempotency-replayed"), "{}", again.text);
    again.is(StatusCode::CREATED)?;
    table.closes().await?;
    table.until("recorded round 1: grow / claim").await
}

/// Rows without an answer stay when a server is killed. Only the last that its sender sent keeps its time.
#[tokio::test]
async fn of_several_requests_that_died_with_the_server_the_last_keeps_its_time() -> Result<()> {
    let (table, token) = table().await?;
    let app = &table.site.app;
    for text in ["steal", "claim"] {
        let digest = app.vault.digest(&[b"api", PATH.as_bytes(), body(text).to_string().as_bytes()]);
        sqlx::query("insert into api_answers (owner, key, digest, at) values ($1, $2, $3, $4)")
            .bind(token.parse::<Token>()?.hash().bytes().as_slice())
            .bind(text)
            .bind(digest.bytes().as_slice())
            .bind(app.system().now().to_utc())
            .execute(app.pool())
            .await?;
        table.passes(1);
    }
    let deadline = app.system().now();
    app.system().pass(Duration::from_millis(500));
    let program = Program::with(&table.site, token);
    program.post(PATH, "claim", &body("claim")).await?.is(StatusCode::CREATED)?;
    program.post(PATH, "steal", &body("steal")).await?.is(StatusCode::CONFLICT)?;
    table.closes().await?;
    table.until("recorded round 1: grow / claim").await?;
    // Whoever rules on it is told when it came.
    let umpire = Program::of(&table.site, Scope::Umpire).await?;
    let late = umpire.get(&format!("/api/v1/matches/{}/late", table.slug)).await?.is(StatusCode::OK)?;
    for line in late["late"].as_array().context("what came late")? {
        ensure!(line["sent_at"].as_str().context("a time")?.parse::<Moment>()? > deadline, "{late}");
    }
    Ok(())
}
