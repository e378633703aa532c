//! Highlights: on a match's page and in its JSON, in the rows of lists, and as orders of lists. A reader without spoilers
//! sees none of them.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use serde_json::Value;

use crate::archive::{filled, text};
use crate::site::Site;

#[tokio::test]
async fn lists_are_sorted_by_highlights_and_tell_none_without_spoilers() -> Result<()> {
    let site = Site::start().await?;
    let (_, anybody) = filled(&site).await?;
    for (sort, name) in [("dramatic", "drama"), ("closest", "closeness"), ("late", "lateness"), ("longest", "rounds")] {
        let list: Value = serde_json::from_str(&anybody.get(&format!("/api/v1/matches?sort={sort}")).await?.text)?;
        let listed = list["matches"].as_array().context("matches")?;
        let ranks: Vec<i64> = listed.iter().map(|row| row[name].as_i64().unwrap_or(-1)).collect();
        ensure!(ranks.is_sorted_by(|one, next| one >= next) && ranks.first() > ranks.last(), "{sort}: {ranks:?}");
        let page = anybody.get(&format!("/archive?sort={sort}")).await?;
        // A match that runs is watched.
        let way = |row: &Value| if row["result"] == "*" { "/live" } else { "" };
        let slugs: Vec<String> = listed.iter().map(|row| format!("/m/{}{}", text(row, "slug"), way(row))).collect();
        assert_eq!(page.attributes(".mrow .to-match", "href")?, slugs, "{sort}");
        assert_eq!(
            page.attribute("nav .choices [aria-current], .choices [aria-current]", "href")?,
            format!("/archive?sort={sort}")
        );
    }
    anybody.get("/archive?sort=best").await?.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("There is no order “best”")?;
    anybody.get("/api/v1/matches?sort=best").await?.is(StatusCode::BAD_REQUEST)?;
    let archive = anybody.get("/archive").await?;
    archive.says("class=\"lead-line\"")?.says("class=\"pill\"")?;
    let icons = archive.contents(".mrow > svg.icon")?.len();
    assert_eq!(icons, archive.contents(".mrow .to-match")?.len(), "each row has the icon of its game");
    // A row has one tag at most, and no link but that to its match. Its highlights are on the graph of the match, each a link.
    let links = archive.contents(".mrow a")?.len();
    assert_eq!(links, icons, "the whole row is one link");
    ensure!(archive.contents(".mrow .pill")?.len() <= icons, "one tag a row");
    let listed: Value = serde_json::from_str(&anybody.get("/api/v1/matches").await?.text)?;
    let mut moments = 0;
    for row in listed["matches"].as_array().context("matches")?.iter().filter(|row| row["result"] != "*") {
        let address = format!("/m/{}", text(row, "slug"));
        let notes = anybody.get(&address).await?.attributes("#highlights a", "href")?;
        ensure!(notes.len() <= 5, "{address}: {notes:?}");
        for note in &notes {
            ensure!(note.starts_with(&format!("{address}/r/")) && note.ends_with("/after"), "{note}");
            anybody.get(note).await?.is(StatusCode::OK)?;
        }
        moments += notes.len();
    }
    ensure!(moments > 0, "no match has a highlight");
    let hidden = anybody.get("/archive?sort=closest&spoilers=no").await?;
    hidden.is(StatusCode::OK)?.says("This order would tell how matches went.")?;
    assert_eq!(
        hidden.attributes(".mrow .to-match", "href")?,
        anybody.get("/archive?spoilers=no").await?.attributes(".mrow .to-match", "href")?
    );
    for told in ["lead-line", "lead change", "swing", "more chips", "sort="] {
        ensure!(!hidden.text.contains(told), "{told}: {}", hidden.text);
    }
    Ok(())
}
