//! oEmbed: programs show an address of a match in a frame.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;
use reqwest::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_SECURITY_POLICY};
use serde_json::Value;

use crate::page::Page;
use crate::pages::import;
use crate::play::table::{RULESET, Table};
use crate::site::{Guest, Site};
use crate::wait::until;
use crate::whole_match::{fixture, open, record};

const COLOSSEUM: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";

/// The oEmbed address on a page, if it has one.
fn told(page: &Page) -> Option<String> {
    page.attribute("link[rel=alternate][type='application/json+oembed']", "href").ok()
}

async fn asked(guest: &Guest, url: &str, more: &str) -> Result<Page> {
    let url: String = url::form_urlencoded::byte_serialize(url.as_bytes()).collect();
    guest.get(&format!("/oembed?url={url}{more}")).await
}

/// The address of the frame in an answer.
fn framed(answer: &Value) -> Result<String> {
    let html = answer["html"].as_str().context("html")?;
    let (_, src) = html.split_once("<iframe src=\"").context("a frame")?;
    Ok(src.split('"').next().unwrap_or_default().replace("&#38;", "&").replace("&amp;", "&"))
}

#[tokio::test]
async fn a_match_and_each_moment_say_how_they_are_shown_in_a_frame() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = import(&umpire, &fixture(COLOSSEUM)?.text).await?.address;
    for path in ["", "?spoilers=no", "/r/7/after", "/r/7/before?as=p1", "/r/7/choices?as=p2&spoilers=no"] {
        let page = anybody.get(&format!("{public}{path}")).await?;
        let address = told(&page).with_context(|| format!("{path} names no frame"))?;
        let answer = anybody.http.get(&address).send().await?;
        assert_eq!(answer.status(), StatusCode::OK, "{address}");
        assert_eq!(answer.headers()[ACCESS_CONTROL_ALLOW_ORIGIN], "*");
        let answer: Value = serde_json::from_str(&answer.text().await?)?;
        assert_eq!((answer["version"].as_str(), answer["type"].as_str()), (Some("1.0"), Some("rich")));
        assert_eq!((answer["width"].as_u64(), answer["height"].as_u64()), (Some(640), Some(560)));
        // The frame shows the same moment in the same view, and works on any site.
        let frame = framed(&answer)?;
        assert_eq!(frame, format!("{}/embed{public}{path}", site.address));
        let shown = anybody.http.get(&frame).send().await?;
        assert_eq!(shown.status(), StatusCode::OK, "{frame}");
        let policy = shown.headers()[CONTENT_SECURITY_POLICY].to_str()?.to_owned();
        ensure!(policy.contains("frame-ancestors *"), "{policy}");
        // Pictures take turns to be drawn, and a busy server says that it has not come to one.
        let thumbnail = answer["thumbnail_url"].as_str().context("a picture")?;
        until(async || {
            let kind = anybody.http.get(thumbnail).send().await?.headers()["content-type"].clone();
            ensure!(kind == "image/png", "{kind:?}");
            Ok(())
        })
        .await?;
    }
    let moment = format!("{}{public}/r/7/after", site.address);
    let title: Value = serde_json::from_str(&asked(&anybody, &moment, "").await?.text)?;
    ensure!(title["title"].as_str().is_some_and(|title| title.starts_with("Round 7, after: ")), "{title}");
    // Neither the frame nor the picture is larger than requested.
    for (more, width, height, pictured) in [
        ("&maxwidth=400", 400, 560, false),
        ("&maxheight=300&format=json", 640, 300, false),
        ("&maxwidth=1200&maxheight=630", 640, 560, true),
    ] {
        let answer: Value = serde_json::from_str(&asked(&anybody, &moment, more).await?.text)?;
        assert_eq!((answer["width"].as_u64(), answer["height"].as_u64()), (Some(width), Some(height)), "{more}");
        ensure!(
            answer["html"]
                .as_str()
                .is_some_and(|html| html.contains(&format!("width=\"{width}\" height=\"{height}\"")))
        );
        assert_eq!(answer.get("thumbnail_url").is_some(), pictured, "{more}");
    }
    Ok(())
}

#[tokio::test]
async fn what_is_in_no_frame_is_answered_by_none() -> Result<()> {
    let site = Site::seeded("practice").await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let console = open(&umpire, &fixture(COLOSSEUM)?).await?;
    record(&umpire, &console, "1. grow / claim").await?;
    let public = console.replace("/umpire", "");
    let strike = umpire.get(&format!("{console}/strike?from=1")).await?;
    umpire.fills_in(&strike, &format!("{console}/strike"), &[("reason", "Mistyped.")]).await?.says("struck")?;
    record(&umpire, &console, "1. grow / score").await?;
    let sheet = anybody.get(&public).await?;
    let struck = sheet.attribute("[href*='/struck/']", "href")?;
    ensure!(told(&anybody.get(&struck).await?).is_none(), "a struck round names a frame");
    tokio::spawn(site.app.deadlines.clone().run());
    let table = Table::set(site, RULESET, false, &[], &[("practice", "on")]).await?;
    let practice = anybody.get(&table.public()).await?;
    practice.is(StatusCode::OK)?;
    ensure!(told(&practice).is_none(), "practice names a frame");

    let here = &table.site.address;
    for none in [
        format!("{here}{struck}"),
        format!("{here}{}", table.public()),
        format!("{here}{public}/r/2/after"),
        format!("{here}{public}/r/1/after?as=p1"),
        format!("{here}{public}/verify"),
        format!("{here}/m/0000000000"),
        format!("{here}/archive"),
        format!("https://elsewhere.example{public}"),
        public.clone(),
        "nothing".to_owned(),
    ] {
        let page = asked(&anybody, &none, "").await?;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{none}");
        ensure!(page.text.starts_with('{'), "a program is answered in JSON: {}", page.text);
    }
    assert_eq!(asked(&anybody, &format!("{here}{public}"), "&format=xml").await?.status, StatusCode::NOT_IMPLEMENTED);
    assert_eq!(asked(&anybody, &format!("{here}{public}"), "&maxwidth=wide").await?.status, StatusCode::BAD_REQUEST);
    anybody.get("/oembed").await?.is(StatusCode::BAD_REQUEST)?;
    Ok(())
}
