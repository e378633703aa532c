//! The database is unreachable around a deadline, and a move had been sent from Discord in time.

use std::time::Duration;

use anyhow::{Context, Result, ensure};

use super::arena::{ADA, Arena, BO, CHANNEL, UMPIRE, slash, text, umpires};
use crate::database::database;
use crate::site::Site;
use crate::wait::until;
use crate::wire::{Line, Wire};

async fn away(how: Wire) -> Result<()> {
    let options = database().await?;
    let line = Line::laid(options.clone())?;
    let arena = Arena::on(Site::seeded_on("away", options.socket(&line.folder)).await?).await?;
    arena.knows_the_umpire().await?;
    let id = arena.opens(CHANNEL, true).await?;
    arena.gives(UMPIRE, umpires("resume", &[])).await?.says("due <t:")?;
    arena.submits(ADA, "grow").await?.says("move received.")?;
    arena.passes(Duration::from_secs(59));
    line.becomes(how);
    let command = arena.discord.command(BO, CHANNEL, arena.now(), slash("submit", &[text("move", "claim")]));
    let passing = async {
        for _ in 0..5 {
            tokio::time::sleep(Duration::from_secs(1)).await;
            arena.passes(Duration::from_secs(1));
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
        line.becomes(Wire::Whole);
    };
    let (read, ()) = tokio::join!(arena.delivers(&command), passing);
    read?.says("move received.")?;
    let app = &arena.site.app;
    until(async || {
        let history = app.matches.history(id).await?;
        let step = history.steps.first().context("nothing is resolved")?;
        ensure!(step.public.contains("grow / claim"), "{}", step.public);
        Ok(())
    })
    .await
}

#[tokio::test]
async fn what_was_sent_in_time_counts_when_connections_are_lost() -> Result<()> {
    away(Wire::Cut).await
}

#[tokio::test]
async fn what_was_sent_in_time_counts_when_the_database_is_stuck() -> Result<()> {
    away(Wire::Stuck).await
}
