//! What pages and lists say of a match that the site's witnesses have not seen yet.

use std::fs;

use anyhow::{Result, ensure};
use app::cosigning::SitePolicy;

use crate::held_witness::HeldWitness;
use crate::kept::files;
use crate::pages::import;
use crate::site::Site;
use crate::wait::until;

const NOT_SHOWN: &str = "Not shown to satisfy the policy; otherwise imported";

/// Has the site check what it has not checked, once all of it is signed; returns the number.
pub(crate) async fn checked(site: &Site) -> Result<usize> {
    let size = site.app.logs.record().size().await?;
    until(async || Ok(site.app.signer().covering(size).await?)).await?;
    Ok(site.app.checks.check_some().await?)
}

/// A witness that this site asks, and that does not answer yet.
async fn asked_by(site: &Site) -> Result<HeldWitness> {
    let witness = HeldWitness::start("slow.example/one").await?;
    let folder = tempfile::tempdir()?;
    let policy = folder.path().join("policy");
    fs::write(&policy, format!("{}quorum one\n", witness.line("one")))?;
    site.app.public_log.ask_witnesses(SitePolicy::read(&policy)?).await?;
    Ok(witness)
}

#[tokio::test]
async fn a_match_has_no_lasting_verdict_before_its_witnesses_saw_it() -> Result<()> {
    let site = Site::start().await?;
    let witness = asked_by(&site).await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let address = import(&umpire, &files()?[0]).await?.address;
    let check = format!("{address}/verify");

    anybody.get(&check).await?.says(NOT_SHOWN)?.says("data-verdict=\"pending\"")?;
    anybody.get(&address).await?.says(NOT_SHOWN)?.says("data-verdict=\"pending\"")?;
    ensure!(site.app.checks.check_some().await? == 0, "its verdict would not last");
    anybody.get("/archive?check=unchecked").await?.says(&address)?;
    // The page offers other matches where it finds none.
    ensure!(!anybody.get("/archive.csv?check=imported").await?.text.contains(&address));

    witness.is_quick();
    until(async || {
        ensure!(site.app.checks.check_some().await? == 1, "it is not witnessed yet");
        Ok(())
    })
    .await?;
    anybody.get("/archive?check=imported").await?.says(&address)?;
    for page in [&address, &check] {
        let text = anybody.get(page).await?.says("data-verdict=\"imported\"")?.text.clone();
        ensure!(!text.contains(NOT_SHOWN), "{page}");
    }
    Ok(())
}

#[tokio::test]
async fn what_witnesses_saw_before_a_start_stays_seen() -> Result<()> {
    let site = Site::start().await?;
    asked_by(&site).await?.is_quick();
    let umpire = site.umpire().await?;
    let seen = import(&umpire, &files()?[0]).await?.address;
    until(async || umpire.get(&format!("{seen}/verify")).await?.says("data-verdict=\"imported\"").map(drop)).await?;
    let (database, data) = (site.database.clone(), site.data.clone());
    site.stop().await?;
    // After the start the witness is away, and the log has grown.
    let site = Site::node(database, data, "checkpoint").await?;
    let _away = asked_by(&site).await?;
    let unseen = import(&site.umpire().await?, &files()?[1]).await?.address;
    let (anybody, size) = (site.visitor()?, site.app.logs.record().size().await?);
    site.app.signer().covering(size).await?;
    anybody.get(&format!("{unseen}/verify")).await?.says(NOT_SHOWN)?;
    let page = anybody.get(&format!("{seen}/verify")).await?;
    page.says("data-verdict=\"imported\"")?.says("as many witnesses cosigned as it asks for")?;
    ensure!(!page.text.contains(NOT_SHOWN), "{}", page.text);
    Ok(())
}
