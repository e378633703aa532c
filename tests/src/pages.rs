//! What anybody may read, and what nobody may yet.

use anyhow::{Result, ensure};

use crate::site::Site;
use crate::whole_match::{fixture, open, record};

#[tokio::test]
async fn a_target_that_stays_sealed_is_nowhere_before_the_end() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let puzzler = fixture("five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn")?;
    let console = open(&umpire, &puzzler).await?;
    // Both Blocks are cancelled: nobody may learn what they named.
    record(&umpire, &console, "1. score block:steal / grow block:claim").await?;
    record(&umpire, &console, "2. claim / nothing").await?;
    let public = console.replace("/umpire", "");
    let pages = ["", "/r/1/before", "/r/1/choices", "/r/1/after", "/r/2/before", "/r/2/after", "/verify"];
    for path in pages.into_iter().chain([".dmn", ".json", ".ndjson", ".bundle"]) {
        let page = anybody.get(&format!("{public}{path}")).await?;
        ensure!(page.status.is_success(), "{path}: {}", page.status);
        for secret in [
            "block:steal",
            "block:claim",
            "naming Steal",
            "naming Claim",
            "\"value\":\"steal\"",
            "\"value\":\"claim\",\"key",
        ] {
            ensure!(!page.text.contains(secret), "{path} shows {secret}:\n{}", page.text);
        }
    }
    anybody.get(&format!("{public}.dmn")).await?.says("1. score block:? / grow block:?")?;
    anybody.get(&format!("{public}/verify")).await?.says("not yet")?;
    Ok(())
}

#[tokio::test]
async fn a_page_that_did_not_change_is_not_sent_again() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let console = open(&umpire, &fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?).await?;
    let address = format!("{}{}", site.address, console.replace("/umpire", ""));
    for path in ["", ".dmn", ".json"] {
        let first = anybody.http.get(format!("{address}{path}")).send().await?;
        let tag = first.headers().get("etag").cloned();
        let tag = tag.ok_or_else(|| anyhow::anyhow!("{path} has no ETag"))?;
        let again = anybody.http.get(format!("{address}{path}")).header("if-none-match", &tag).send().await?;
        assert_eq!(again.status().as_u16(), 304, "{path}");
    }
    record(&umpire, &console, "1. grow / claim").await?;
    let first = anybody.http.get(format!("{address}.json")).send().await?;
    ensure!(first.status().as_u16() == 200);
    Ok(())
}
