//! Cached list pages are never outdated: not after an import, a plan or a withdrawal on any node.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use reqwest::header::{COOKIE, ETAG, IF_NONE_MATCH};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};

use crate::pages::{import, one_of_each};
use crate::site::{Guest, Site};
use crate::tampered::another;
use crate::verdicts::checked;
use crate::wait::until;

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

/// Requests every list twice, so that it is cached if possible.
async fn read_all(guest: &Guest) -> Result<()> {
    for path in LISTS.into_iter().chain(LISTS) {
        guest.get(path).await?.is(StatusCode::OK)?;
    }
    Ok(())
}

pub(crate) fn files() -> Result<Vec<String>> {
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
        guest.get(&format!("/players/{key}")).await?.is(StatusCode::NOT_FOUND)?;
    }
    Ok(())
}

/// Words are erased together with the notification to other nodes, so that a node that heeds it never reads them again.
/// The test recreates the former gap between notification and erasure: erasing takes a second.
#[tokio::test]
async fn a_node_that_hears_of_a_withdrawal_early_forgets_the_words_as_well() -> Result<()> {
    let one = Site::start().await?;
    let two = Site::node(one.database.clone(), one.data.clone(), "checkpoint-two").await?;
    let (umpire, there) = (one.umpire().await?, two.visitor()?);
    let dmn = &files()?[0];
    let address = import(&umpire, dmn).await?.address;
    let public = address.replace("/umpire", "");
    let (public, player) = (public.split('?').next().context("an address")?.to_owned(), name(dmn, "P1")?);
    two.app.index.follow().await?;
    there.get(&public).await?.says(&player)?;
    let mut owner = PgConnection::connect_with(&one.database).await?;
    owner
        .execute(
            "create function slowly() returns trigger language plpgsql as \
             'begin perform pg_sleep(1); return old; end'; \
             create trigger slowly before delete on texts for each row execute function slowly()",
        )
        .await?;
    let key = player.to_lowercase().replace(' ', "%20");
    let withdrawn = tokio::spawn(async move {
        umpire.post(&format!("/withdraw/players/{key}"), &[("asked", "yes")]).await?.says("Erased").map(drop)
    });
    while !withdrawn.is_finished() {
        two.app.index.follow().await?;
        there.get(&public).await?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    withdrawn.await??;
    two.app.index.follow().await?;
    for path in [public.clone(), format!("{public}.json"), format!("{public}.dmn"), "/archive".to_owned()] {
        ensure!(!there.get(&path).await?.text.contains(&player), "{path} still names {player}");
    }
    Ok(())
}

#[tokio::test]
async fn a_page_says_what_the_last_check_found() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, reader) = (site.umpire().await?, site.visitor()?);
    let address = import(&umpire, &files()?[0]).await?.address.replace("/umpire", "");
    let address = address.split('?').next().context("an address")?;
    for _ in 0..2 {
        reader.get(address).await?.says("data-verdict=\"imported\"")?;
    }
    // Behind the server's back, and without a change of the head.
    let mut owner = PgConnection::connect_with(&site.database).await?;
    let altered = "alter table entries disable trigger all; \
                   update entries set bytes = replace(convert_from(bytes, 'UTF8'), '\"reasons\"', '\"Reasons\"')::bytea \
                   where seq = 1";
    owner.execute(altered).await?;
    reader.get(&format!("{address}/verify")).await?.says("data-verdict=\"failed\"")?;
    reader.get(address).await?.says("data-verdict=\"failed\"")?;
    Ok(())
}

/// Requests with a forged session, and requests for the head of a page, are answered as well.
#[tokio::test]
async fn a_made_up_session_and_a_question_for_the_head_are_answered_in_turn() -> Result<()> {
    let site = Site::start().await?;
    let reader = site.visitor()?;
    let address = format!("{}/archive", site.address);
    let cookie = format!("matchbook-session={}", "a".repeat(64));
    let told = reader.http.get(&address).header(COOKIE, cookie).send().await?;
    assert_eq!(told.status(), StatusCode::OK);
    let head = reader.http.head(&address).send().await?;
    assert_eq!((head.status(), head.bytes().await?.len()), (StatusCode::OK, 0));
    Ok(())
}

#[tokio::test]
async fn a_list_that_is_the_same_is_not_sent_again() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, files) = (site.umpire().await?, files()?);
    import(&umpire, &files[0]).await?;
    let reader = site.visitor()?;
    let lists = ["/archive", "/archive.csv", "/archive.ndjson", "/archive.dmn", "/api/v1/matches.ndjson"];
    let mut tags = Vec::new();
    for list in lists {
        let address = format!("{}{list}", site.address);
        let first = reader.http.get(&address).send().await?;
        let tag = first.headers().get(ETAG).context("a tag")?.clone();
        let again = reader.http.get(&address).header(IF_NONE_MATCH, &tag).send().await?;
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED, "{list}");
        assert_eq!(again.headers().get(ETAG), Some(&tag));
        assert_eq!(again.bytes().await?.len(), 0);
        tags.push((address, tag));
    }
    import(&umpire, &files[1]).await?;
    for (address, tag) in tags {
        let changed = reader.http.get(&address).header(IF_NONE_MATCH, &tag).send().await?;
        assert_eq!(changed.status(), StatusCode::OK, "{address}");
    }
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

/// A match's page shows the result of the last check. The check's own page reads every byte, and its result is shown
/// from then on.
#[tokio::test]
async fn what_a_check_finds_is_told_by_lists_and_pages() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let entered = import(&umpire, &files()?[0]).await?;
    let other = import(&umpire, &files()?[1]).await?;
    until(async || {
        checked(&site).await?;
        anybody.get("/archive?check=imported").await?.says(&entered.address)?.says(&other.address).map(drop)
    })
    .await?;
    anybody.get(&entered.address).await?.says("data-verdict=\"imported\"")?;

    let match_id = site.app.matches.match_of(entered.address.rsplit('/').next().context("a slug")?).await?;
    let alter = format!("set bytes = {}", another("bytes", "octet_length(bytes) / 2"));
    let alter = format!("update entries {alter} where match_id = '{match_id}' and seq = 1");
    let done = site.owner().await?.execute(AssertSqlSafe(alter)).await?;
    ensure!(done.rows_affected() == 1, "nothing was altered");
    anybody.get(&format!("{}/verify", entered.address)).await?.says("Failed at entry 1")?;
    anybody.get("/archive?check=failed").await?.says(&entered.address)?.says("Does not verify")?;
    // All are checked again: the wrong result is corrected, and this one stays.
    let wrong = "update archive set verdict = 'failed', checked_words = 'failed', checked_head = head";
    site.owner().await?.execute(AssertSqlSafe(wrong)).await?;
    ensure!(site.app.checks.check_some().await? == 0, "what was found is believed");
    site.app.checks.forget().await?;
    let checked = site.app.checks.check_some().await?;
    ensure!(checked == 2, "both are checked, and not {checked}");
    let failed = anybody.get("/archive?check=failed").await?;
    ensure!(!failed.says(&entered.address)?.text.contains(&other.address), "{}", failed.text);
    anybody.get("/archive?check=imported").await?.says(&other.address)?;
    // A node without anything cached shows the same as the list.
    let other = Site::node(site.database.clone(), site.data.clone(), "checkpoint-other").await?;
    let page = other.visitor()?.get(&entered.address).await?;
    ensure!(!page.text.contains("data-verdict=\"imported\""), "{}", page.text);
    Ok(())
}
