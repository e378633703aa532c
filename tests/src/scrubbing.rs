//! Scrubbing: a start holds the right edge of the tree against what was signed, and what was altered below it is found in
//! the background.

use anyhow::{Context, Result, ensure};
use app::monitoring::Monitor;
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

/// What PostgreSQL says of a page whose checksum does not fit, to the scrubber alone.
const DAMAGED: &str = "create function damaged(pos bigint) returns boolean language plpgsql as $$ begin \
    if pos = 3 and current_setting('application_name') = 'matchbook scrubber' then \
        raise exception 'invalid page in block 5' using errcode = 'data_corrupted'; \
    end if; return true; end $$; \
    create policy reads on entries using (damaged(pos)) with check (true); \
    alter table entries enable row level security";

#[tokio::test]
async fn a_page_that_cannot_be_read_is_told() -> Result<()> {
    let site = Site::start().await?;
    let size = grown(&site, 20).await?;
    signed(&site, size.0).await?;
    let mut owner = site.owner().await?;
    owner.execute(sqlx::raw_sql(DAMAGED)).await?;
    let again = Site::node(site.database.clone(), site.data.clone(), "checkpoint").await?;
    let guest = again.visitor()?;
    guest.until("/healthz", "a page of the database is damaged (invalid page in block 5)").await?;
    guest.get("/healthz").await?.says("restore the database from a backup")?;
    let metrics = async || Monitor::new(again.app.clone(), again.data.path().to_owned()).text().await;
    ensure!(metrics().await.contains("matchbook_scrubbing_failing 1"));
    owner.execute("alter table entries disable row level security").await?;
    until(async || {
        ensure!(metrics().await.contains("matchbook_scrubbing_failing 0"), "it was not read again");
        Ok(())
    })
    .await
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
