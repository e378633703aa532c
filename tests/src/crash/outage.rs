//! Killing the program inside a clock: the time for which nobody could move does not count.

use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::clock::Cast;
use crate::program::{Program, started};
use crate::wait::until;

#[tokio::test]
async fn a_player_gets_back_the_time_for_which_the_program_was_killed() -> Result<()> {
    let (folder, program, _) = started().await?;
    let data = folder.path().join("data");
    let mut cast = Cast::at_a_board(&data, &program.address).await?;
    let board = cast.board(&program.address).await?;
    // Three seconds before the end of the clock, until after the second in which it would have been closed.
    tokio::time::sleep(Cast::left(&board)?.saturating_sub(Duration::from_secs(3))).await;
    program.kill().await?;
    tokio::time::sleep(Cast::left(&board)? + Duration::from_millis(1_500)).await;
    let program = Program::start(&data).await?;
    let site = program.address.clone();

    // The move that waited in the browser is sent as soon as something answers, and is in time.
    cast.chooses(&site, &board).await?;
    let given = until(async || {
        let given = cast.extensions(&site).await?;
        ensure!(
            given.len() == 1 && given[0]["outage"].is_object(),
            "an outage, and no extension of the seat: {given:?}"
        );
        Ok(given)
    })
    .await?;
    let seconds = given[0]["seconds"].as_u64().context("seconds")?;
    ensure!((4..30).contains(&seconds), "{seconds} s");
    let report = cast.verified(&site).await?;
    let told = report.findings[3]
        .details
        .iter()
        .find(|detail| detail.text.contains("the server says that it took no moves from"));
    ensure!(told.is_some_and(|told| told.text.contains(&format!("gave {seconds} s back"))), "{report:#?}");
    program.kill().await
}
