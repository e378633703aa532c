//! Another move from a moment of a finished match: its consequences, and the marks that keep it apart from the record.

use anyhow::{Result, ensure};
use reqwest::StatusCode;
use serde_json::json;

use crate::page::Page;
use crate::pages::import;
use crate::site::{Guest, Site};
use crate::umpire_acts::perform;
use crate::whole_match::{fixture, open, record};

const COLOSSEUM: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";
const DEAL: &str = "devils-deal/blooming-genius/no-chips-5-p2-ilse-marlowe.dmn";
const BOARDS: &str = "higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe.dmn";

/// An imported match, by the path of its page.
async fn past(site: &Site, umpire: &Guest, name: &str) -> Result<String> {
    Ok(import(umpire, &fixture(name)?.text).await?.address.replace(&site.address, ""))
}

/// A page of a variation, and its path and query.
struct Line {
    page: Page,
    path: String,
}

/// Sends the form of a question from a page with this path.
async fn tries(guest: &Guest, path: &str, fields: &[(&str, &str)]) -> Result<Line> {
    let (bare, lines) = path.split_once('?').unwrap_or((path, ""));
    let mut url: reqwest::Url = format!("{}{bare}?{lines}", guest.address).parse()?;
    url.query_pairs_mut().extend_pairs(fields);
    let answer = guest.http.get(url).send().await?;
    let url = answer.url();
    let path = format!("{}?{}", url.path(), url.query().unwrap_or_default());
    Ok(Line { page: guest.read(answer).await?, path })
}

#[tokio::test]
async fn another_move_shows_what_would_have_come_of_it() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = past(&site, &umpire, COLOSSEUM).await?;
    let start = format!("{public}/r/3/before/what-if");
    for beat in ["before", "choices", "after"] {
        let link = format!("<a href=\"{public}/r/3/{beat}/what-if\" rel=\"nofollow\">Try another move from here</a>");
        anybody.get(&format!("{public}/r/3/{beat}")).await?.says(&link)?;
    }
    let sheet = anybody.get(&public).await?.text;
    let first = anybody.get(&start).await?;
    first
        .is(StatusCode::OK)?
        .says("Not official")?
        .says("<title>What if, Round 3, before: Quill \u{2013} Okapi (not official)")?;
    first.says("Leave this empty for the real move")?.says(&format!("<a href=\"{public}/r/3/before\">Back to"))?;
    // Picked for one seat and typed for the other: the page's address becomes the line.
    let picked = [("ask", "both round"), ("p1-pick", "score"), ("p1-pick", "block:grow"), ("p2-move", "cl")];
    let tried = tries(&anybody, &start, &picked).await?;
    ensure!(tried.page.status == StatusCode::OK, "{}", tried.page.text);
    assert_eq!(tried.path, format!("{start}?line=3.%20score%20block%3Agrow%20%2F%20claim"));
    tried.page.says("What would have come of it")?.says("Tried, not official")?.says("Really played here")?;
    tried
        .page
        .says("<span class=\"dmn\">3. score steal / claim</span>")?
        .says("class=\"rule\"")?
        .says("<summary>Why")?;
    tried.page.says("Now: chips")?.says("Take back the last try")?;
    // A move for one seat only, with the other's real one; then further from there, and back.
    let one = tries(&anybody, &start, &[("ask", "both round"), ("p1-move", "grow")]).await?;
    one.page.says("3. grow / claim")?;
    let on = tries(&anybody, &one.path, &[("ask", "both round"), ("p1-move", "-"), ("p2-move", "grow")]).await?;
    on.page
        .says("4. - / grow")?
        .says(&format!("<a href=\"{start}?line=3.%20grow%20%2F%20claim\" rel=\"nofollow\">Take back"))?;
    // Entering the real moves is recognized.
    let same = tries(&anybody, &start, &[("ask", "both round")]).await?;
    same.page.says("So far these are the real moves.")?.says("3. score steal / claim")?;
    // None of this is stored or listed anywhere, and nothing looks official.
    for page in [&first, &tried.page, &on.page, &same.page] {
        page.says("<meta name=\"robots\" content=\"noindex, nofollow\">")?.says("data-kind=\"what-if\"")?;
        for official in ["og:image", "rel=\"canonical\"", "class=\"stamp\"", "is-winner"] {
            ensure!(!page.text.contains(official), "{official} on a page that is not official");
        }
    }
    let answer = anybody.http.get(format!("{}{}", site.address, tried.path)).send().await?;
    assert_eq!(answer.headers()["x-robots-tag"], "noindex, nofollow");
    ensure!(anybody.get(&public).await?.text == sheet, "the match is what it was");
    Ok(())
}

#[tokio::test]
async fn what_the_host_draws_is_typed_or_as_it_was() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = past(&site, &umpire, DEAL).await?;
    let start = format!("{public}/r/0/before/what-if");
    let page = anybody.get(&start).await?;
    page.says("Leave this empty for the real draw: <span class=\"dmn\">deal G8 G1 R1 R3 B6 | B3 B4 R5 G2 B5</span>")?;
    let dealt = tries(&anybody, &start, &[("ask", "host deal")]).await?;
    dealt.page.says("So far these are the real moves.")?;
    // A card that was assigned by hand cannot also be placed by the host.
    let public = past(&site, &umpire, BOARDS).await?;
    let start = format!("{public}/r/0/before/what-if");
    let coloured = tries(&anybody, &start, &[("ask", "p1 colour")]).await?;
    coloured.page.says("So far these are the real moves.")?;
    let assigned = [("ask", "p2 assign"), ("p2-move", "assign A square B1 B9 B6")];
    let assigned = tries(&anybody, &coloured.path, &assigned).await?;
    assigned.page.says("name=\"host-move\"")?;
    ensure!(!assigned.page.text.contains("the real draw"), "{}", assigned.page.text);
    let none = tries(&anybody, &assigned.path, &[("ask", "host place")]).await?;
    assert_eq!(none.page.status, StatusCode::UNPROCESSABLE_ENTITY);
    none.page.says("No draw is typed yet.")?;
    let wrong = [("ask", "host place"), ("host-move", "place A B1 B9")];
    let wrong = tries(&anybody, &assigned.path, &wrong).await?;
    assert_eq!(wrong.page.status, StatusCode::UNPROCESSABLE_ENTITY);
    wrong.page.says("class=\"error\"")?.says("value=\"place A B1 B9\"")?;
    Ok(())
}

#[tokio::test]
async fn a_match_that_runs_and_a_round_that_was_struck_are_refused() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let console = open(&umpire, &fixture(COLOSSEUM)?).await?;
    for round in ["1. score grow / score steal", "2. grow / claim"] {
        record(&umpire, &console, round).await?;
    }
    let public = console.replace("/umpire", "");
    let slug = public.trim_start_matches("/m/");
    let tried = format!("{public}/r/2/before/what-if?line=grow+/+grow");
    anybody.get(&tried).await?.is(StatusCode::FORBIDDEN)?.says("This match still runs.")?;
    ensure!(!anybody.get(&format!("{public}/r/2/before")).await?.text.contains("what-if"), "no way there");
    let history = site.app.matches.history_of(slug).await?;
    let correction = json!({ "step": 2, "moves": { "p1": "steal" }, "reason": "Mistyped" });
    let corrected = perform(&site.app, &history, "correct", correction).await?;
    let ruling = json!({ "text": "conceded", "result": "p1" });
    let ruled = perform(&site.app, &corrected, "rule", ruling).await?;
    anybody.get(&tried).await?.is(StatusCode::FORBIDDEN)?;
    perform(&site.app, &ruled, "end", json!({})).await?;
    anybody.get(&tried).await?.says("2. grow / grow")?;
    let sheet = anybody.get(&public).await?;
    let struck = sheet.attribute("[href*='/struck/']", "href")?;
    ensure!(!anybody.get(&struck).await?.text.contains("what-if"), "no way from there");
    let gone = anybody.get(&format!("{struck}/what-if")).await?;
    gone.is(StatusCode::NOT_FOUND)?.says("This round was struck and no longer counts.")?;
    // Nor from the end of a match, or for a reader without spoilers.
    let last = anybody.get(&format!("{public}/r/2/after")).await?;
    ensure!(!last.text.contains("what-if"), "nothing is asked at the end");
    anybody.get(&format!("{public}/r/2/after/what-if")).await?.says("In this line the match would be over.")?;
    let unspoiled = anybody.get(&format!("{public}/r/1/after?spoilers=no")).await?;
    ensure!(!unspoiled.text.contains("what-if"), "it shows what was played later");
    Ok(())
}

#[tokio::test]
async fn whatever_is_asked_is_answered_with_a_sentence() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = past(&site, &umpire, COLOSSEUM).await?;
    let start = format!("{public}/r/3/before/what-if");
    let lines = |count: usize, line: &str| vec![format!("line={line}"); count].join("&");
    for (query, says) in [
        (lines(41, "-+/+-"), "at most 40 moves and draws, and this one has 41"),
        (lines(1, &"x".repeat(1300)), "has 1300 characters; 1240 are the most"),
        (lines(30, &"x".repeat(400)), "7500 are the most"),
        (lines(1, "nonsense"), "This cannot be played here"),
        (lines(1, "%D0%BE%D1%87%D0%BA%D0%B8+/+%F0%9F%83%8F"), "This cannot be played here"),
        (lines(1, "%FF%FE%00+/+grow"), "This cannot be played here"),
        (lines(1, "score%0A+/+grow%0Aumpire:+result+p1"), "This cannot be played here"),
        (lines(1, "umpire:+result+p1+I+say+so"), "Only moves and draws can be tried here"),
        (lines(2, "score+block:?+/+grow"), "Behind it, and not tried"),
        (lines(1, "<script>alert(1)</script>+/+grow"), "&#60;script&#62;"),
        ("ask=both+round&p1-move=jump&p2-move=%F0%9F%83%8F".to_owned(), "class=\"error\""),
        (format!("ask=both+round&p1-move={}&p2-move=-", "s+".repeat(400)), "600 are the most"),
    ] {
        let page = anybody.get(&format!("{start}?{query}")).await?;
        page.is(StatusCode::UNPROCESSABLE_ENTITY)?;
        page.says(says)?;
        ensure!(!page.text.contains("<script>alert"), "{query}");
    }
    for (query, status) in [
        ("ask=nobody&p1-move=grow", StatusCode::OK),
        ("line=&line=+&ask=&x=y&as=umpire", StatusCode::OK),
        ("%00=%FF&&&===", StatusCode::OK),
    ] {
        assert_eq!(anybody.get(&format!("{start}?{query}")).await?.status, status, "{query}");
    }
    for place in ["/r/99/before", "/r/3/later", "/r/%F0%9F%83%8F/after"] {
        let page = anybody.get(&format!("{public}{place}/what-if")).await?;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{place}");
    }
    // The longest accepted variation, and one more.
    let page = anybody.get(&format!("{start}?{}", lines(40, "-+/+-"))).await?;
    ensure!(page.status == StatusCode::OK || page.status == StatusCode::UNPROCESSABLE_ENTITY, "{}", page.status);
    Ok(())
}

#[tokio::test]
async fn every_game_can_be_left_at_its_first_and_at_a_later_row() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for name in [COLOSSEUM, DEAL, BOARDS] {
        let public = past(&site, &umpire, name).await?;
        let history = site.app.matches.history_of(public.trim_start_matches("/m/")).await?;
        let rows: Vec<String> = history.rows().iter().map(|row| row.label.clone()).collect();
        for row in [rows.first(), rows.get(rows.len() / 2)].into_iter().flatten() {
            let path = format!("{public}/r/{row}/before/what-if");
            let mut line = Line { page: anybody.get(&path).await?, path };
            // The real match, step by step, using only the forms.
            for step in 0..6 {
                let Ok(ask) = line.page.field("ask") else { break };
                line = tries(&anybody, &line.path, &[("ask", &ask)]).await?;
                ensure!(line.page.status == StatusCode::OK, "{name}, {row}, step {step}: {}", line.page.text);
                line.page.says("So far these are the real moves.")?;
            }
        }
    }
    Ok(())
}
