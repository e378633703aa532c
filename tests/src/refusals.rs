//! Bad input: it gets a clear sentence, and changes nothing.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;

use crate::site::{Guest, Site};
use crate::whole_match::{fixture, open, record};

const FIXTURE: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";

/// How many entries the match has.
async fn entries(anybody: &Guest, console: &str) -> Result<usize> {
    let public = console.replace("/umpire", "");
    Ok(anybody.get(&format!("{public}.ndjson")).await?.text.lines().count())
}

#[tokio::test]
async fn a_refused_round_says_why_keeps_what_was_typed_and_changes_nothing() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let console = open(&umpire, &fixture(FIXTURE)?).await?;
    let before = entries(&anybody, &console).await?;
    let long = "score ".repeat(2_000);
    for (step, words) in [
        ("s / claim", "core or steal?"),
        ("score score / claim", "Score is named twice"),
        ("score grow claim / claim", "At most two actions may be named"),
        ("jump / claim", "Expected score, grow, claim, steal, block or nothing"),
        ("score / block:?", "Sealed until the end of the match"),
        ("score:grow / claim", "Only Block names a target"),
        ("score<script>alert(1)</script> / claim", "Expected score"),
        ("score / \u{202e}claim", "Expected score"),
    ] {
        let page = record(&umpire, &console, step).await?;
        ensure!(page.status == StatusCode::UNPROCESSABLE_ENTITY, "{step}: {}", page.status);
        page.says(words)?;
        ensure!(!page.text.contains("<script>alert"), "{step}");
    }
    let page = record(&umpire, &console, &format!("{long} / claim")).await?;
    ensure!(page.status.is_client_error(), "{}", page.status);
    assert_eq!(entries(&anybody, &console).await?, before);
    Ok(())
}

#[tokio::test]
async fn a_form_that_is_sent_twice_acts_once_and_a_stale_one_is_shown_what_happened() -> Result<()> {
    let site = Site::start().await?;
    let (ursula, anybody) = (site.umpire().await?, site.visitor()?);
    let other = site.umpire().await?;
    let console = open(&ursula, &fixture(FIXTURE)?).await?;
    let field = |page: &crate::site::Page, name: &str| page.field(name);
    let (mine, theirs) = (ursula.get(&console).await?, other.get(&console).await?);
    let fields = |page: &crate::site::Page, p1: &'static str| -> Result<Vec<(&'static str, String)>> {
        Ok(vec![
            ("decision", field(page, "decision")?),
            ("form", field(page, "form")?),
            ("head", field(page, "head")?),
            ("p1", p1.to_owned()),
            ("p2", "claim".to_owned()),
        ])
    };
    let send = async |guest: &Guest, fields: &[(&'static str, String)]| {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        guest.post(&format!("{console}/record"), &fields).await
    };
    let (first, second) = (fields(&mine, "score")?, fields(&theirs, "grow")?);
    ensure!(send(&ursula, &first).await?.status == StatusCode::OK);
    let after = entries(&anybody, &console).await?;
    ensure!(send(&ursula, &first).await?.status == StatusCode::OK, "the same form again is the same answer");
    let overtaken = send(&other, &second).await?;
    ensure!(overtaken.status == StatusCode::CONFLICT, "{}", overtaken.status);
    let mut reused = fields(&mine, "steal")?;
    reused[1] = first[1].clone();
    ensure!(send(&ursula, &reused).await?.status == StatusCode::CONFLICT);
    assert_eq!(entries(&anybody, &console).await?, after, "nothing of it entered");
    Ok(())
}

#[tokio::test]
async fn many_windows_at_once_record_one_round() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let console = open(&umpire, &fixture(FIXTURE)?).await?;
    let mut windows = Vec::new();
    for _ in 0..8 {
        let page = umpire.get(&console).await?;
        windows.push((page.field("decision")?, page.field("form")?, page.field("head")?));
    }
    let sent = windows.iter().zip(["score", "grow", "claim", "steal", "score", "grow", "claim", "steal"]).map(
        |((decision, form, head), p1)| {
            let (http, url) = (umpire.http.clone(), format!("{}{console}/record", site.address));
            let fields = [("decision", decision), ("form", form), ("head", head), ("p2", &"grow".to_owned())];
            let fields: Vec<(String, String)> =
                fields.into_iter().map(|(name, value)| (name.to_owned(), value.clone())).collect();
            tokio::spawn(async move {
                let fields: Vec<_> = fields.into_iter().chain([("p1".to_owned(), p1.to_owned())]).collect();
                http.post(url).form(&fields).send().await.map(|answer| answer.status())
            })
        },
    );
    let mut won = 0;
    for answer in sent.collect::<Vec<_>>() {
        match answer.await?? {
            StatusCode::OK => won += 1,
            StatusCode::CONFLICT => {}
            other => anyhow::bail!("{other}"),
        }
    }
    assert_eq!(won, 1);
    let lines = anybody.get(&format!("{}.ndjson", console.replace("/umpire", ""))).await?.text;
    assert_eq!(lines.lines().filter(|line| line.contains("\"kind\":\"resolved\"")).count(), 1);
    assert_eq!(lines.lines().filter(|line| line.contains("\"kind\":\"sealed\"")).count(), 2);
    Ok(())
}

#[tokio::test]
async fn strangers_and_other_sites_get_nowhere() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let console = open(&umpire, &fixture(FIXTURE)?).await?;
    for path in ["/umpire", "/umpire/open", "/umpire/import", console.as_str()] {
        assert_eq!(anybody.get(path).await?.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    assert_eq!(anybody.post("/umpire/open", &[("p1", "a")]).await?.status, StatusCode::UNAUTHORIZED);
    let foreign = umpire.http.post(format!("{}/umpire/open", site.address)).header("sec-fetch-site", "cross-site");
    assert_eq!(foreign.form(&[("p1", "a")]).send().await?.status(), StatusCode::FORBIDDEN);
    for path in ["/m/nothere", "/m/3t16wed731.dmn", "/m/nothere/r/1/after", "/rules/chess/fide", "/nowhere"] {
        assert_eq!(anybody.get(path).await?.status, StatusCode::NOT_FOUND, "{path}");
    }
    let program = anybody.http.get(format!("{}/m/nothere", site.address)).header("accept", "application/json");
    let answer = program.send().await?;
    let kind = answer.headers().get("content-type").context("a type")?.to_str()?.to_owned();
    assert_eq!((answer.status(), kind.as_str()), (StatusCode::NOT_FOUND, "application/problem+json"));
    let used = site.sign_in_link().await?;
    ensure!(umpire.http.post(&used).send().await?.status() == StatusCode::OK);
    ensure!(anybody.http.post(&used).send().await?.status() != StatusCode::OK, "a link signs in once");
    Ok(())
}

#[tokio::test]
async fn a_form_that_is_too_large_is_refused() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let large = "x".repeat(10 * 1024 * 1024);
    let answer = umpire.post("/umpire/open", &[("p1", &large)]).await?;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE);
    Ok(())
}
