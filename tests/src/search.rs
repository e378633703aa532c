//! Searches that forgive a slip, suggestions while somebody types, and what search engines are told.

use anyhow::{Result, ensure};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::archive::{played, rows, text};
use crate::browser::Browser;
use crate::pages::import;
use crate::site::{Guest, Site};
use crate::wait::until;
use crate::whole_match::fixture;

/// Matches of people whose names are easy to mistype.
async fn filled(site: &Site) -> Result<Guest> {
    let umpire = site.umpire().await?;
    import(&umpire, &played("O\u{2019}Malley", "Kestrel", "Winter Rooms", "2023-01-10", "")?).await?;
    import(&umpire, &played("Quill", "Quinn", "Harbour Open", "2023-02-10", "")?).await?;
    site.visitor()
}

/// In every kind of list a match is one row, and the whole row is one link.
#[tokio::test]
async fn a_match_in_a_list_is_one_link_with_both_names() -> Result<()> {
    let site = Site::start().await?;
    let anybody = filled(&site).await?;
    for list in [
        "/",
        "/archive",
        "/archive?q=omalley",
        "/archive?spoilers=no",
        "/events/winter%20rooms",
        "/players/kestrel",
        "/players/kestrel/vs/o%E2%80%99malley",
    ] {
        let page = anybody.get(list).await?;
        let (links, matches) = (page.attributes(".mrow a", "href")?, page.attributes(".mrow .to-match", "href")?);
        ensure!(links == matches && !matches.is_empty(), "{list}: {links:?}, {matches:?}");
        assert_eq!(page.contents(".mrow bdi")?.len(), 2 * matches.len(), "{list}");
        let hides = list.contains("spoilers=no");
        ensure!(matches.iter().all(|link| link.contains("spoilers=no") == hides), "{list}: {matches:?}");
        for address in &matches {
            anybody.get(address).await?.is(StatusCode::OK)?;
        }
        ensure!(!hides || page.contents(".mrow .pill, .mrow .lead-line, .mrow .is-winner")?.is_empty(), "{list}");
    }
    Ok(())
}

#[tokio::test]
async fn a_search_finds_games_forgives_and_never_ends_in_nothing() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, filled(&site).await?);
    let thwart = fixture("thwart-13/dm-colosseum-2/challenge-met-12-p2-ilse-noor.dmn")?;
    import(&umpire, &thwart.text).await?;
    let all = anybody.get("/archive").await?.attributes(".to-match", "href")?.len();
    for (words, found) in
        [("thwart", 1), ("Thwart%2013", 1), ("thwort", 1), ("five%20card", all - 1), ("five%20crad", all - 1)]
    {
        let page = anybody.get(&format!("/archive?q={words}")).await?;
        assert_eq!(page.is(StatusCode::OK)?.attributes(".to-match", "href")?.len(), found, "{words}");
    }
    anybody.get("/archive?q=kestral").await?.says("Nothing for \u{201c}kestral\u{201d}; showing")?;
    let nothing = anybody.get("/archive?q=zzzzzzzz").await?;
    ensure!(!nothing.says("No matches found")?.attributes(".to-match", "href")?.is_empty(), "it ends in nothing");
    Ok(())
}

/// The names under the search of every page.
const SUGGESTED: &str = "return [...document.querySelectorAll('.masthead datalist option')].map((one) => one.value)";

#[tokio::test]
async fn names_are_suggested_while_somebody_types() -> Result<()> {
    let site = Site::start().await?;
    filled(&site).await?;
    let browser = Browser::open(1280, false, true).await?;
    browser.client.goto(&format!("{}/rules", site.address)).await?;
    for (typed, names) in [("qui", json!(["Quill", "Quinn"])), ("l", json!(["Quill"]))] {
        browser.types_into(".masthead [data-suggest]", typed).await?;
        until(async || {
            let shown = browser.client.execute(SUGGESTED, vec![]).await?;
            ensure!(shown == names, "{shown}");
            Ok(())
        })
        .await?;
    }
    browser.close().await
}

#[tokio::test]
async fn search_engines_find_every_match_and_no_view_of_one_seat() -> Result<()> {
    let site = Site::start().await?;
    let anybody = filled(&site).await?;
    let robots = anybody.get("/robots.txt").await?;
    robots.is(StatusCode::OK)?.says("User-agent: *")?.says("Disallow: /*?as=")?.says("Disallow: /*spoilers=")?;
    robots.says("Disallow: /*/what-if")?.says(&format!("Sitemap: {}/sitemap.xml", site.address))?;
    let index = anybody.get("/sitemap.xml").await?;
    let mut listed = Vec::new();
    for part in index.contents("loc")? {
        let page = anybody.get(&part.replace(&site.address, "")).await?;
        page.is(StatusCode::OK)?;
        listed.extend(page.contents("loc")?);
    }
    for row in rows(&anybody, "").await? {
        ensure!(listed.iter().any(|address| address == text(&row, "address")), "{row}");
    }
    for address in &listed {
        anybody.get(&address.replace(&site.address, "")).await?.is(StatusCode::OK)?;
    }
    ensure!(listed.iter().any(|address| address.ends_with("/players/kestrel")), "{listed:?}");
    anybody.get("/sitemap/0.xml").await?.is(StatusCode::NOT_FOUND)?;
    let [first, ..] = &rows(&anybody, "").await?[..] else { anyhow::bail!("a match") };
    let page = anybody.get(&text(first, "address").replace(&site.address, "")).await?;
    let data: Value = serde_json::from_str(&page.content("script[type='application/ld+json']")?)?;
    assert_eq!((text(&data, "@type"), text(&data, "url")), ("SportsEvent", text(first, "address")));
    ensure!(!data.to_string().contains("won"), "{data}");
    assert_eq!(
        anybody.get("/archive?sort=closest").await?.related("canonical")?,
        Some(format!("{}/archive", site.address))
    );
    Ok(())
}
