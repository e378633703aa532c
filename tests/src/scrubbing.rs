//! Scrubbing: a start holds the right edge of the tree against what was signed, and what was altered below it is found in
//! the background.

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Executor};

use crate::histories::{once, stopped};
use crate::log::{grown, signed};
use crate::site::Site;
use crate::wait::until;

#[tokio::test]
async fn what_was_altered_below_the_edge_is_found_in_the_background_and_signing_goes_on_when_it_is_mended() -> Result<()>
{
    let site = Site::start().await?;
    let size = grown(&site, 520).await?;
    signed(&site, size.0).await?;
    for (altered, said, mended) in [
        (
            "update entries set bytes = bytes || ' ' where pos = 10",
            "position 10: its bytes do not have the leaf hash beside them",
            "update entries set bytes = substring(bytes for length(bytes) - 1) where pos = 10",
        ),
        (
            "update tiles set hashes = sha256('x') || substring(hashes from 33) where level = 0 and tile = 0",
            "tile 0 of level 0 does not hold the hashes",
            "delete from tiles where level = 0 and tile = 0",
        ),
    ] {
        site.owner().await?.execute(altered).await?;
        let again = Site::node(site.database.clone(), site.data.clone(), "checkpoint").await?;
        let found = stopped(&again).await?.to_string();
        ensure!(found.contains(said), "{found}");
        site.owner().await?.execute(mended).await?;
        once(&again, |now| now.stopped.is_none()).await?;
        again.stop().await?;
    }
    let tiles = "select count(*) from tiles where level = 0";
    let tiles: i64 = sqlx::query_scalar(AssertSqlSafe(tiles)).fetch_one(&mut site.owner().await?).await?;
    ensure!(tiles.unsigned_abs() == size.0 / 256, "the missing tile was written again: {tiles}");
    Ok(())
}

#[tokio::test]
async fn healthz_says_how_far_scrubbing_is() -> Result<()> {
    let site = Site::start().await?;
    let size = grown(&site, 300).await?;
    signed(&site, size.0).await?;
    let again = Site::node(site.database.clone(), site.data.clone(), "checkpoint").await?;
    until(async || {
        let health: Value = serde_json::from_str(&again.visitor()?.get("/healthz").await?.text)?;
        let scrubbing = &health["log"]["scrubbing"];
        let whole = Value::from(size.0);
        let is_done = scrubbing["last_pass_entries"] == whole && scrubbing["compared"] == whole;
        (is_done && scrubbing["last_pass_at"].is_string()).then_some(()).with_context(|| health.to_string())
    })
    .await
}
