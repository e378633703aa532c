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
        let slugs: Vec<String> = listed.iter().map(|row| format!("/m/{}", text(row, "slug"))).collect();
        assert_eq!(page.attributes("[scope=row] .to-match", "href")?, slugs, "{sort}");
        assert_eq!(
            page.attribute("nav .choices [aria-current], .choices [aria-current]", "href")?,
            format!("/archive?sort={sort}")
        );
    }
    anybody.get("/archive?sort=best").await?.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("There is no order “best”")?;
    anybody.get("/api/v1/matches?sort=best").await?.is(StatusCode::BAD_REQUEST)?;
    let archive = anybody.get("/archive").await?;
    archive.says("class=\"lead-line\"")?.says("lead changes")?.says("more chips")?;
    let icons = archive.contents("[scope=row] > svg.icon")?.len();
    assert_eq!(icons, archive.contents("[scope=row] .to-match")?.len(), "each row has the icon of its game");
    // The deciding row and the largest swing of each match lead to their moments; what has many moments, or none of its
    // own, to the match's highlights.
    let listed: Value = serde_json::from_str(&anybody.get("/api/v1/matches").await?.text)?;
    let mut moments = Vec::new();
    for row in listed["matches"].as_array().context("matches")?.iter().filter(|row| row["result"] != "*") {
        let address = format!("/m/{}", text(row, "slug"));
        let told: Value = serde_json::from_str(&anybody.get(&format!("{address}.json")).await?.text)?;
        let highlights = ["decision", "swing"].map(|name| told["highlights"][name]["row"].as_str().map(str::to_owned));
        moments.extend(highlights.into_iter().flatten().map(|row| format!("{address}/r/{row}/after")));
    }
    let links = archive.attributes(".listing th > b a", "href")?;
    let (whole, of_moments): (Vec<_>, Vec<_>) = links.into_iter().partition(|link| link.ends_with("#highlights"));
    assert_eq!(of_moments, moments);
    for link in of_moments.first().into_iter().chain(&whole) {
        anybody.get(link).await?.is(StatusCode::OK)?;
    }
    let whole = whole.first().context("a match with changes of the lead")?;
    assert_eq!(anybody.get(whole).await?.attributes("#highlights", "class")?, ["highlights"]);
    let hidden = anybody.get("/archive?sort=closest&spoilers=no").await?;
    hidden.is(StatusCode::OK)?.says("This order would tell how matches went.")?;
    assert_eq!(
        hidden.attributes("[scope=row] .to-match", "href")?,
        anybody.get("/archive?spoilers=no").await?.attributes("[scope=row] .to-match", "href")?
    );
    for told in ["lead-line", "lead change", "swing", "more chips", "sort="] {
        ensure!(!hidden.text.contains(told), "{told}: {}", hidden.text);
    }
    Ok(())
}
