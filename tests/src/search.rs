//! Searches that forgive a slip, suggestions while somebody types, and what search engines are told.

use anyhow::{Result, ensure};
use reqwest::StatusCode;
use serde_json::{Value, json};

use crate::archive::{played, rows, text};
use crate::browser::Browser;
use crate::pages::import;
use crate::site::{Guest, Site};
use crate::wait::until;

/// Matches of people whose names are easy to mistype.
async fn filled(site: &Site) -> Result<Guest> {
    let umpire = site.umpire().await?;
    import(&umpire, &played("O\u{2019}Malley", "Kestrel", "Winter Rooms", "2023-01-10", "")?).await?;
    import(&umpire, &played("Quill", "Quinn", "Harbour Open", "2023-02-10", "")?).await?;
    site.visitor()
}

#[tokio::test]
async fn a_slip_finds_what_was_meant_and_every_search_has_a_next_step() -> Result<()> {
    let site = Site::start().await?;
    let anybody = filled(&site).await?;
    // Without the mark it is the same name, also in files.
    assert_eq!(rows(&anybody, "?q=omalley").await?.len(), 1);
    let of = |page: &crate::page::Page| page.attributes("[scope=row] .to-match", "href");
    let kestrel = of(&anybody.get("/archive?player=kestrel").await?)?;
    for (slip, said) in [
        ("q=kestral", "No match has “kestral”. These are the matches with <bdi>Kestrel</bdi>."),
        ("player=omalley", "No match has “omalley”. These are the matches with <bdi>O\u{2019}Malley</bdi>."),
        ("q=kestral+winter", "These are the matches with <bdi>Kestrel winter</bdi>."),
        ("event=wintr+rooms", "These are the matches with <bdi>Winter Rooms</bdi>."),
    ] {
        let page = anybody.get(&format!("/archive?{slip}")).await?;
        page.is(StatusCode::OK)?.says(said)?;
        assert_eq!(of(&page)?, kestrel, "{slip}");
    }
    let page = anybody.get("/archive?player=qui").await?;
    page.says(
        "These are the matches with <bdi>Quill</bdi>. Did you mean the player <a href=\"/archive?player=Quinn\">",
    )?;
    for nothing in ["q=xyzzyplugh", "player=xyzzyplugh", "q=kestral&rounds_min=99"] {
        let page = anybody.get(&format!("/archive?{nothing}")).await?;
        page.is(StatusCode::OK)?.says("No matches found")?;
        let next = page.attributes(".notice a", "href")?;
        ensure!(!next.is_empty(), "{nothing} has no next step");
    }
    // Words that name a game or two players lead there.
    for (words, link) in [
        ("five+card", "<a href=\"/archive?game=five-card-trick\"><bdi>Matches of Five-Card Trick</bdi></a>"),
        (
            "kestral+vs+omalley",
            "<a href=\"/players/kestrel/vs/o%E2%80%99malley\"><bdi>Kestrel against O\u{2019}Malley</bdi></a>",
        ),
        (
            "quill+vs+kestrel",
            "<a href=\"/players/quill\"><bdi>Quill</bdi></a>; <a href=\"/players/kestrel\"><bdi>Kestrel</bdi></a>",
        ),
    ] {
        anybody.get(&format!("/archive?q={words}")).await?.says("No matches found")?.says(link)?;
    }
    ensure!(!anybody.get("/archive?q=thwart").await?.text.contains("Matches of Thwart"), "nobody played it here");
    // Whatever is typed is a search, and none is an error.
    for any in
        ["%00", "kestral%00", "%FF", "%C3%28%7F", &"x".repeat(201), &format!("{}%0A", "%F0%9F%82%A1".repeat(300))]
    {
        for list in ["/archive", "/players", "/suggest.json", "/api/v1/matches"] {
            let answer = anybody.get(&format!("{list}?q={any}")).await?;
            ensure!(answer.status == StatusCode::OK, "{list}?q={any}: {} {}", answer.status, answer.text);
        }
    }
    assert_eq!(of(&anybody.get("/archive?q=kestral%00").await?)?, kestrel);
    // The list of players forgives, too.
    for (slip, name, address) in
        [("kestral", "Kestrel", "/players/kestrel"), ("omaley", "O\u{2019}Malley", "/players/o%E2%80%99malley")]
    {
        let page = anybody.get(&format!("/players?q={slip}")).await?;
        page.is(StatusCode::OK)?.says(&format!("Did you mean <a href=\"{address}\"><bdi>{name}</bdi></a>?"))?;
        anybody.get(address).await?.is(StatusCode::OK)?;
    }
    // Without a letter it is no search, and leaves everything.
    anybody.get("/archive?q=%25_%27").await?.is(StatusCode::OK)?.says("2 matches, newest first")?;
    Ok(())
}

/// In every kind of list a name leads to its player, and the match has a link of its own.
#[tokio::test]
async fn names_in_lists_lead_to_players_and_the_match_has_its_own_link() -> Result<()> {
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
        let (names, matches) = (page.attributes(".listing .name", "href")?, page.attributes(".to-match", "href")?);
        ensure!(names.len() == 2 * matches.len() && !matches.is_empty(), "{list}: {names:?}, {matches:?}");
        ensure!(page.contents(".listing a a, .listing a button")?.is_empty(), "{list}: a link within a link");
        let said = page.contents(".listing .name")?;
        for (name, address) in said.iter().zip(&names) {
            let there = anybody.get(address).await?;
            there.is(StatusCode::OK)?;
            assert_eq!(&there.content("h1")?, name, "{list}");
        }
        let hides = list.contains("spoilers=no");
        ensure!(names.iter().chain(&matches).all(|link| link.contains("spoilers=no") == hides), "{list}: {names:?}");
        let spoken = page.contents(".to-match")?;
        ensure!(spoken.iter().all(|words| words.starts_with("See the match: ") && words.contains(" – ")), "{spoken:?}");
    }
    Ok(())
}

#[tokio::test]
async fn names_are_suggested_and_a_withdrawn_one_is_not() -> Result<()> {
    let site = Site::start().await?;
    let anybody = filled(&site).await?;
    let suggested = async |query: &str| -> Result<Vec<String>> {
        let answer: Value = serde_json::from_str(&anybody.get(&format!("/suggest.json?{query}")).await?.text)?;
        let names = answer["names"].as_array().into_iter().flatten();
        Ok(names.map(|name| text(name, "name").to_owned()).collect())
    };
    assert_eq!(suggested("q=qui").await?, ["Quill", "Quinn"]);
    assert_eq!(suggested("q=KESTRAL").await?, ["Kestrel"]);
    assert_eq!(suggested("q=harb").await?, ["Harbour Open"]);
    assert_eq!(suggested("q=harb&kind=player").await?, [""; 0]);
    for empty in ["", "q=", "q=%00", &format!("q={}", "x".repeat(300))] {
        assert_eq!(suggested(empty).await?, [""; 0], "{empty}");
    }
    let address = format!("{}/suggest.json?q=qui", anybody.address);
    let first = anybody.http.get(&address).send().await?;
    let tag = first.headers()["etag"].clone();
    let again = anybody.http.get(&address).header("if-none-match", tag).send().await?;
    assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    site.umpire().await?.post("/withdraw/players/quinn", &[("asked", "yes")]).await?.says("Erased 1 time")?;
    assert_eq!(suggested("q=qui").await?, ["Quill"]);
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
