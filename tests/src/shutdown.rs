//! SIGTERM: the node is not ready first, then it accepts nothing, and everything that was begun is answered.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

use crate::play::table::RULESET;
use crate::program::{Program, command, started};
use crate::wait::until;

/// A token of the umpire.
async fn token(data: &std::path::Path) -> Result<String> {
    let made = command(data, &["token", "add", "Ursula", "a test"])?.output().await?;
    let said = String::from_utf8(made.stdout)?;
    Ok(said.split_whitespace().last().context("a token")?.to_owned())
}

/// A request that opens a match, of which the program has read the head and asks for the body.
async fn begun(address: &str, token: &str, body: &str) -> Result<BufReader<TcpStream>> {
    let host = address.trim_start_matches("http://");
    let mut connection = BufReader::new(TcpStream::connect(host).await?);
    let head = format!(
        "POST /api/v1/matches HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {token}\r\nidempotency-key: slow\r\n\
         content-type: application/json\r\nexpect: 100-continue\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    connection.write_all(head.as_bytes()).await?;
    let mut line = String::new();
    connection.read_line(&mut line).await?;
    ensure!(line.starts_with("HTTP/1.1 100"), "{line}");
    connection.read_line(&mut line).await?;
    Ok(connection)
}

#[tokio::test]
async fn a_node_that_stops_says_so_first_and_answers_what_was_begun() -> Result<()> {
    let (folder, program, _) = started().await?;
    let data = folder.path().join("data");
    program.kill().await?;
    // Longer than any test: the second signal ends it.
    let program = Program::start_at(&data, "127.0.0.1:0", &["--drain-seconds", "3600"]).await?;
    let (ready, live) = (format!("{}/readyz", program.address), format!("{}/livez", program.address));
    let answer = reqwest::get(&ready).await?;
    ensure!(answer.status() == StatusCode::OK && answer.text().await? == "ready\n");

    let body = format!(r#"{{"ruleset":"{RULESET}","players":{{"p1":"Ada","p2":"Bo"}},"mode":"recorded"}}"#);
    let (first, rest) = body.split_at(20);
    let mut slow = begun(&program.address, &token(&data).await?, &body).await?;
    slow.write_all(first.as_bytes()).await?;

    program.terminate().await?;
    until(async || {
        let answer = reqwest::get(&ready).await?;
        ensure!(answer.status() == StatusCode::SERVICE_UNAVAILABLE, "{answer:?}");
        ensure!(answer.headers()["connection"] == "close", "{answer:?}");
        ensure!(answer.text().await? == "this node is about to stop\n");
        Ok(())
    })
    .await?;
    ensure!(reqwest::get(&live).await?.status() == StatusCode::OK, "it still accepts and answers");

    program.terminate().await?;
    let host = program.address.trim_start_matches("http://").to_owned();
    until(async || {
        ensure!(TcpStream::connect(&host).await.is_err(), "it still accepts");
        Ok(())
    })
    .await?;
    slow.write_all(rest.as_bytes()).await?;
    let mut answer = String::new();
    slow.read_to_string(&mut answer).await?;
    ensure!(answer.starts_with("HTTP/1.1 201") && answer.contains("\"match\""), "{answer}");
    ensure!(program.ended().await?.success());
    Ok(())
}

#[tokio::test]
async fn without_a_proxy_a_node_stops_at_once() -> Result<()> {
    let (_folder, program, umpire) = started().await?;
    umpire.get("/readyz").await?.says("ready")?;
    program.terminate().await?;
    ensure!(program.ended().await?.success());
    Ok(())
}
