//! Public pages, and data that is not public yet.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;

use crate::page::Page;
use crate::site::{Guest, Site};
use crate::whole_match::{fixture, open, record};

/// The first match of every ruleset in the archive.
pub(crate) fn one_of_each() -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for game in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches"))? {
        for ruleset in fs::read_dir(game?.path())? {
            let files = fs::read_dir(ruleset?.path())?.map(|file| Ok(file?.path()));
            found.extend(files.collect::<Result<Vec<_>>>()?.into_iter().min());
        }
    }
    found.sort();
    Ok(found)
}

/// Enters an imported match, and returns its page.
pub(crate) async fn import(umpire: &Guest, dmn: &str) -> Result<Page> {
    let form = umpire.get("/umpire/import").await?.fields(&["form"])?;
    let entered = umpire.sends("/umpire/import", &form.with("text", dmn).with("do", "enter")).await?;
    ensure!(entered.status == StatusCode::OK, "{}: {}", entered.status, entered.text);
    umpire.get(&entered.address.replace("/umpire", "")).await
}

#[tokio::test]
async fn every_moment_of_every_game_is_reached_from_the_first() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for file in one_of_each()? {
        let name = file.display();
        let sheet = import(&umpire, &fs::read_to_string(&file)?).await?;
        let rows = sheet.text.matches("<tr role=\"row\" id=\"r").count();
        ensure!(rows > 5, "{name}: {rows} rows");
        let mut address = sheet.link("Watch from the start")?.context("a way to the first moment")?;
        let mut moments = 0;
        loop {
            let page = anybody.get(&address).await?;
            ensure!(page.status == StatusCode::OK, "{name}, {address}: {}", page.status);
            moments += 1;
            // The sheet links to the sides of each row, and the page knows its own address.
            let linked = address.contains("/act-") || sheet.text.contains(&format!("href=\"{address}\""));
            ensure!(linked, "{name}: the sheet lacks {address}");
            assert_eq!(page.related("canonical")?, Some(format!("{}{address}", site.address)), "{name}");
            match page.related("next")? {
                Some(next) => address = next,
                None => break,
            }
        }
        let slug = sheet.address.rsplit('/').next().unwrap_or_default().to_owned();
        let history = site.app.matches.history_of(&slug).await?;
        // The start, and then one press a row; where a row has several acts, one press an act.
        let presses: usize = history.rows().iter().map(|row| row.steps.len().max(1)).sum();
        assert_eq!(moments, 1 + presses, "{name}");
    }
    Ok(())
}

#[tokio::test]
async fn an_address_that_is_nearly_one_leads_to_it() -> Result<()> {
    let site = Site::start().await?;
    let anybody = site.visitor()?;
    for (asked, found) in [("/archive/?player=ada", "/archive?player=ada"), ("/players//", "/players")] {
        let page = anybody.get(asked).await?;
        assert_eq!((page.status, page.address.as_str()), (StatusCode::OK, found.split('?').next().unwrap_or_default()));
    }
    // Never to another site, and never in a loop.
    let plain = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()?;
    let asked = plain.get(format!("{}//example.com/", site.address)).send().await?;
    assert_eq!(asked.headers().get("location").and_then(|to| to.to_str().ok()), Some("/example.com"));
    anybody.get("/nowhere/").await?.is(StatusCode::NOT_FOUND)?;
    let umpire = site.umpire().await?;
    let files = one_of_each()?;
    let sheet = import(&umpire, &fs::read_to_string(files.first().context("a match")?)?).await?;
    let row = format!("{}/r/1", sheet.address);
    assert_eq!(anybody.get(&format!("{row}?spoilers=no")).await?.address, format!("{row}/before"));
    anybody.get(&format!("{}/r/99", sheet.address)).await?.is(StatusCode::NOT_FOUND)?;
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
