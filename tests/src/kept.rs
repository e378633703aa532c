//! Pages of lists are kept, and nobody is shown one of before: not after an import, a plan or a withdrawal, on whichever
//! node it happened.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use reqwest::header::{ETAG, IF_NONE_MATCH};
use sqlx::{AssertSqlSafe, Executor};

use crate::pages::{import, one_of_each};
use crate::site::{Guest, Site};

const LISTS: [&str; 9] = [
    "/",
    "/archive",
    "/archive?page=last",
    "/archive?result=ended",
    "/archive?q=ada",
    "/players",
    "/events",
    "/statistics",
    "/feed.atom",
];

/// Asks for every list twice, so that each is kept where anything is.
async fn read_all(guest: &Guest) -> Result<()> {
    for path in LISTS.into_iter().chain(LISTS) {
        let page = guest.get(path).await?;
        ensure!(page.status == StatusCode::OK, "{path}: {}", page.status);
    }
    Ok(())
}

fn files() -> Result<Vec<String>> {
    one_of_each()?.into_iter().map(|file| Ok(std::fs::read_to_string(file)?)).collect()
}

/// The name of a seat in a file of the notation.
fn name(dmn: &str, seat: &str) -> Result<String> {
    let (_, rest) = dmn.split_once(&format!("[{seat} \"")).context("a name")?;
    Ok(rest.split('"').next().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn what_changed_on_one_node_is_on_every_list_of_all_at_once() -> Result<()> {
    let one = Site::start().await?;
    let two = Site::node(one.database.clone(), one.data.clone(), "checkpoint-two").await?;
    let (umpire, here, there) = (one.umpire().await?, one.visitor()?, two.visitor()?);
    for (n, dmn) in files()?.iter().take(4).enumerate() {
        read_all(&here).await?;
        read_all(&there).await?;
        let entered = import(&umpire, dmn).await?;
        let player = name(dmn, "P1")?;
        for guest in [&here, &there] {
            for path in ["/", "/archive", "/archive?result=ended", "/archive?page=last", "/feed.atom"] {
                guest.get(path).await?.says(&entered.address).with_context(|| format!("match {n}, {path}"))?;
            }
            guest.get("/players").await?.says(&player)?;
        }
    }

    let player = name(&files()?[0], "P1")?;
    let key = player.to_lowercase().replace(' ', "%20");
    there.get("/players").await?.says(&player)?;
    umpire.post(&format!("/withdraw/players/{key}"), &[("asked", "yes")]).await?.says("Erased")?;
    for guest in [&here, &there] {
        for path in LISTS {
            ensure!(!guest.get(path).await?.text.contains(&player), "{path} still names {player}");
        }
        ensure!(guest.get(&format!("/players/{key}")).await?.status == StatusCode::NOT_FOUND);
    }
    Ok(())
}

#[tokio::test]
async fn a_list_that_is_the_same_is_not_sent_again() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, files) = (site.umpire().await?, files()?);
    import(&umpire, &files[0]).await?;
    let reader = site.visitor()?;
    let address = format!("{}/archive", site.address);
    let first = reader.http.get(&address).send().await?;
    let tag = first.headers().get(ETAG).context("a tag")?.clone();
    let again = reader.http.get(&address).header(IF_NONE_MATCH, &tag).send().await?;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    assert_eq!(again.headers().get(ETAG), Some(&tag));
    assert_eq!(again.bytes().await?.len(), 0);
    import(&umpire, &files[1]).await?;
    let changed = reader.http.get(&address).header(IF_NONE_MATCH, &tag).send().await?;
    assert_eq!(changed.status(), StatusCode::OK);
    Ok(())
}

#[tokio::test]
async fn an_umpires_list_is_shown_to_nobody_else() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for _ in 0..2 {
        umpire.get("/archive").await?.says(&site.umpire_name)?;
        ensure!(!anybody.get("/archive").await?.text.contains(&site.umpire_name));
    }
    Ok(())
}

/// A match's page tells what the last check found; the check's own page looks at every byte, and what it finds is told from
/// then on.
#[tokio::test]
async fn what_a_check_finds_is_told_by_lists_and_pages() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let entered = import(&umpire, &files()?[0]).await?;
    site.book.check_some().await?;
    anybody.get("/archive?check=verified").await?.says(&entered.address)?;
    anybody.get(&entered.address).await?.says("data-verdict=\"verified\"")?;

    let match_id = site.book.match_of(entered.address.rsplit('/').next().context("a slug")?).await?;
    let alter = "set bytes = overlay(bytes placing '\\x58'::bytea from octet_length(bytes) / 2)";
    let alter = format!("update entries {alter} where match_id = '{match_id}' and seq = 1");
    let done = site.owner().await?.execute(AssertSqlSafe(alter)).await?;
    ensure!(done.rows_affected() == 1, "nothing was altered");
    anybody.get(&format!("{}/verify", entered.address)).await?.says("Failed at entry 1")?;
    anybody.get("/archive?check=failed").await?.says(&entered.address)?.says("does not verify")?;
    // Checked anew, all of them: what was wrongly found is found otherwise, and this still.
    let other = import(&umpire, &files()?[1]).await?;
    let wrong = "update archive set verdict = 'failed', checked_words = 'failed', checked_head = head";
    site.owner().await?.execute(AssertSqlSafe(wrong)).await?;
    ensure!(site.book.check_some().await? == 0, "what was found is believed");
    ensure!(site.book.recheck().await? == 2, "both are checked");
    let failed = anybody.get("/archive?check=failed").await?;
    ensure!(!failed.says(&entered.address)?.text.contains(&other.address), "{}", failed.text);
    anybody.get("/archive?check=verified").await?.says(&other.address)?;
    // A node that has read nothing of it yet says the same as the list.
    let other = Site::node(site.database.clone(), site.data.clone(), "checkpoint-other").await?;
    let page = other.visitor()?.get(&entered.address).await?;
    ensure!(!page.text.contains("data-verdict=\"verified\""), "{}", page.text);
    Ok(())
}
