//! Bad input gets a clear sentence, and changes nothing.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;

use crate::page::Form;
use crate::site::{Guest, Site, follow};
use crate::whole_match::{fixture, open, record};

const FIXTURE: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";

/// The number of entries of the match.
async fn entries(anybody: &Guest, console: &str) -> Result<usize> {
    let public = console.replace("/umpire", "");
    Ok(anybody.get(&format!("{public}.ndjson")).await?.text.lines().count())
}

#[tokio::test]
async fn many_windows_at_once_record_one_round() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let console = open(&umpire, &fixture(FIXTURE)?).await?;
    let mut forms = Vec::new();
    for p1 in ["score", "grow", "claim", "steal", "score", "grow", "claim", "steal"] {
        let form = umpire.get(&console).await?.form_to(&format!("{console}/record"))?;
        forms.push(form.with("p1", p1).with("p2", "grow"));
    }
    assert_eq!(won(&umpire, &console, forms).await?, 1);
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
    ensure!(follow(&umpire.http, &used).await?.status() == StatusCode::OK);
    ensure!(follow(&anybody.http, &used).await?.status() != StatusCode::OK, "a link signs in once");
    Ok(())
}

#[tokio::test]
async fn a_form_that_is_too_large_is_refused() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let large = "x".repeat(10 * 1024 * 1024);
    umpire.post("/umpire/open", &[("p1", &large)]).await?.is(StatusCode::PAYLOAD_TOO_LARGE)?;
    Ok(())
}

/// A match opened by its ruleset alone, whose draws are typed in.
async fn opened(umpire: &Guest, ruleset: &str) -> Result<String> {
    let typed = [("ruleset", ruleset), ("p1", "Ada"), ("p2", "Bo"), ("dmo", "p2"), ("draws", "umpire")];
    let console = umpire.opens(&typed).await?;
    ensure!(console.address.starts_with("/umpire/m/"), "{}", console.text);
    Ok(console.address)
}

/// The form that asks exactly these parties, from the current console.
async fn asking(guest: &Guest, console: &str, asked: &[&str]) -> Result<Form> {
    let page = guest.get(console).await?;
    let first = page.questions(asked)?.into_iter().next();
    first.with_context(|| format!("no {asked:?} in:\n{}", page.text))
}

/// Sends all these forms at once, and returns how many are accepted: the others must be overtaken.
async fn won(umpire: &Guest, console: &str, forms: Vec<Form>) -> Result<usize> {
    let sent = forms.into_iter().map(|form| {
        let (http, url) = (umpire.http.clone(), format!("{}{console}/record", umpire.address));
        tokio::spawn(async move { http.post(url).form(form.filled_in()).send().await.map(|answer| answer.status()) })
    });
    let mut won = 0;
    for answer in sent.collect::<Vec<_>>() {
        match answer.await?? {
            StatusCode::OK => won += 1,
            StatusCode::CONFLICT => {}
            other => anyhow::bail!("{other}"),
        }
    }
    Ok(won)
}

const DEAL: &str = "deal B4 R1 R8 R9 G5 | B2 R6 B3 G2 G7";
const BOARD_A: &str = "place A A9 E2 A10 A10 A3 E8 A5 A4 E6 B10 B1 E6 A5 E2 A2 A2 E5 B9 A8 E8 A10 B6 E7 E7 A1";

#[tokio::test]
async fn many_windows_at_once_enter_one_board() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let console = opened(&umpire, "higher-lower/tempo-up").await?;
    record(&umpire, &console, "p2: colour pink").await?.is(StatusCode::OK)?;
    let (first, mut forms) = (asking(&umpire, &console, &["host"]).await?, Vec::new());
    for _ in 0..6 {
        forms.push(asking(&umpire, &console, &["host"]).await?.with("host", BOARD_A));
    }
    assert_eq!(won(&umpire, &console, forms).await?, 1);
    let lines = anybody.get(&format!("{}.ndjson", console.replace("/umpire", ""))).await?.text;
    assert_eq!(lines.lines().filter(|line| line.contains("\"kind\":\"drawn\"")).count(), 1);
    // Another board is due now. The form of the previous draw is still accepted when it is sent again.
    let next = asking(&umpire, &console, &["host"]).await?;
    let board_e = "place E A9 E7 D2 E1 A7 E4 E10 A5 D1 E6 D3 A1 E9 A4 D7 E1 E10 A1 A9 D7 A6 A6 E3 E5 A3";
    for _ in 0..2 {
        let page = next.sends(&umpire, &[("host", board_e)]).await?;
        ensure!(page.status == StatusCode::OK, "{}: {}", page.status, page.text);
    }
    let lost = first.sends(&umpire, &[("host", BOARD_A)]).await?;
    lost.is(StatusCode::CONFLICT)?.says("Somebody else was first")?.says("25 values sealed")?;
    Ok(())
}

#[tokio::test]
async fn a_draw_that_comes_from_another_site_is_refused() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let deal = opened(&umpire, "devils-deal/blooming-genius").await?;
    for path in ["draw", "record", "read"] {
        let foreign = umpire.http.post(format!("{}{deal}/{path}", site.address)).header("sec-fetch-site", "cross-site");
        assert_eq!(foreign.form(&[("host", DEAL)]).send().await?.status(), StatusCode::FORBIDDEN, "{path}");
    }
    Ok(())
}

#[tokio::test]
async fn of_a_challenge_and_the_next_selection_one_is_recorded() -> Result<()> {
    let site = Site::start().await?;
    let (ursula, other, anybody) = (site.umpire().await?, site.umpire().await?, site.visitor()?);
    let played = fixture("thwart-13/dm-colosseum-2/challenge-failed-20-p1-quill-drpelican.dmn")?;
    let at = played.steps.iter().position(|step| step == "p1: challenge").context("a challenge")?;
    for challenge_first in [true, false] {
        let console = open(&ursula, &played).await?;
        for step in &played.steps[..at] {
            ensure!(record(&ursula, &console, step).await?.status == StatusCode::OK, "{step}");
        }
        let challenge = (asking(&ursula, &console, &["p1"]).await?, vec![("p1", "challenge")]);
        // Any two cards that can be selected: a refusal comes before anything is recorded.
        let selection = (asking(&other, &console, &["p1", "p2"]).await?, vec![("p1", "-"), ("p2", "-")]);
        let (first, second) = if challenge_first { (&challenge, &selection) } else { (&selection, &challenge) };
        first.0.sends(&ursula, &first.1).await?.is(StatusCode::OK)?;
        let after = entries(&anybody, &console).await?;
        let lost = second.0.sends(&other, &second.1).await?;
        assert_eq!(lost.status, StatusCode::CONFLICT, "challenge first: {challenge_first}");
        lost.says("Somebody else was first")?.says("recorded ")?;
        assert_eq!(entries(&anybody, &console).await?, after);
    }
    Ok(())
}
