//! The acts of an umpire besides recording: rulings, strikes, corrections, and the end.

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use crate::site::{Guest, Site};
use crate::whole_match::{fixture, open, record};

const OPEN_TARGETS: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";
const REFUSED_FAULTS: &str = "five-card-trick/zeros-gauntlet/dmo-40-p1-quill-tindra.dmn";
const SECRET_TARGETS: &str = "five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn";

async fn recorded(site: &Site, name: &str, rounds: &[&str]) -> Result<(Guest, String)> {
    let umpire = site.umpire().await?;
    let console = open(&umpire, &fixture(name)?).await?;
    for round in rounds {
        let page = record(&umpire, &console, round).await?;
        ensure!(page.status == StatusCode::OK, "{round}: {}", page.text);
    }
    Ok((umpire, console))
}

#[tokio::test]
async fn a_strike_shows_what_goes_and_sent_twice_strikes_once() -> Result<()> {
    let site = Site::start().await?;
    let rounds = ["1. score / grow", "2. grow / claim", "3. claim / score"];
    let (umpire, console) = recorded(&site, OPEN_TARGETS, &rounds).await?;
    let to = format!("{console}/strike");
    let dry_run = umpire.get(&format!("{to}?from=2")).await?;
    dry_run.says("Nothing is recorded yet")?.says("2. grow / claim")?.says("3. claim / score")?;
    umpire.fills_in(&dry_run, &to, &[("reason", " ")]).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("Say why")?;
    let typed = [("reason", "The clock had not started")];
    for _ in 0..2 {
        let page = umpire.fills_in(&dry_run, &to, &typed).await?;
        page.is(StatusCode::OK)?
            .says("Record round 2")?
            .says("The clock had not started")?
            .says("Ursula struck everything from step 2 on")?;
    }
    let history = site.app.matches.history_of(console.rsplit('/').next().unwrap_or_default()).await?;
    assert_eq!((history.steps.len(), history.strikes.len()), (1, 1));
    // There is nothing left to strike.
    let gone = umpire.get(&format!("{to}?from=2")).await?;
    gone.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("There is no such step to strike")?;
    Ok(())
}

#[tokio::test]
async fn a_correction_lists_every_later_round_and_is_refused_where_one_becomes_illegal() -> Result<()> {
    let site = Site::start().await?;
    let rounds = ["1. score / grow", "2. grow / score", "3. claim / -"];
    let (umpire, console) = recorded(&site, OPEN_TARGETS, &rounds).await?;
    let to = format!("{console}/correct");
    let page = umpire.get(&format!("{to}?step=2")).await?;
    page.says("value=\"grow\"")?.says("value=\"score\"")?;
    let page = umpire.fills_in(&page, &to, &[("do", "read"), ("p1", "s"), ("p2", "score")]).await?;
    page.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("Score or steal?")?;
    let dry_run = umpire.fills_in(&page, &to, &[("do", "read"), ("p1", "sc"), ("p2", "sc")]).await?;
    dry_run.is(StatusCode::OK)?.says("2 steps come out differently")?.says("2. score / score")?;
    // Meanwhile somebody makes a remark, so the confirmation no longer matches the preview.
    let fresh = umpire.get(&console).await?;
    umpire.fills_in(&fresh, &format!("{console}/note"), &[("text", "Rain")]).await?.is(StatusCode::OK)?;
    let confirmed = [("do", "correct"), ("reason", "Mistyped")];
    let lost = umpire.fills_in(&dry_run, &to, &confirmed).await?;
    lost.is(StatusCode::CONFLICT)?.says("Ursula made a remark")?.says("Mistyped")?;
    let dry_run = umpire
        .fills_in(&umpire.get(&format!("{to}?step=2")).await?, &to, &[("do", "read"), ("p1", "sc"), ("p2", "sc")])
        .await?;
    for _ in 0..2 {
        let done = umpire.fills_in(&dry_run, &to, &confirmed).await?;
        done.is(StatusCode::OK)?.says("Record round 4")?.says("Correction")?.says("Mistyped")?;
    }
    let history = site.app.matches.history_of(console.rsplit('/').next().unwrap_or_default()).await?;
    let lines: Vec<_> = history.steps.iter().map(|step| step.public.as_str()).collect();
    assert_eq!(
        (lines.as_slice(), history.strikes.len()),
        (&["1. score / grow", "2. score / score", "3. claim / -"][..], 1)
    );
    Ok(())
}

#[tokio::test]
async fn a_later_round_that_would_become_illegal_is_named() -> Result<()> {
    let site = Site::start().await?;
    let rounds = ["1. score grow / score claim", "2. score claim / grow steal", "3. grow steal / score claim"];
    let (umpire, console) = recorded(&site, REFUSED_FAULTS, &rounds).await?;
    let to = format!("{console}/correct");
    let page = umpire.get(&format!("{to}?step=1")).await?;
    // With this change, the third round would break a rule, such as repeating the second's pair.
    let refused = umpire.fills_in(&page, &to, &[("do", "read"), ("p1", "score claim"), ("p2", "score claim")]).await?;
    refused
        .is(StatusCode::UNPROCESSABLE_ENTITY)?
        .says("step 2 would become illegal")?
        .says("strike back to this step")?;
    Ok(())
}

#[tokio::test]
async fn a_secret_target_stays_secret_through_a_correction_until_the_end() -> Result<()> {
    let site = Site::start().await?;
    let rounds = ["1. score block:steal / score block:claim", "2. claim / nothing"];
    let (umpire, console) = recorded(&site, SECRET_TARGETS, &rounds).await?;
    let anybody = site.visitor()?;
    let public = console.replace("/umpire", "");
    let to = format!("{console}/correct");
    // The umpire sees the typed moves; both Blocks met, so nobody else does.
    let page = umpire.get(&format!("{to}?step=1")).await?;
    page.says("score block:steal")?.says("score block:claim")?;
    let dry_run =
        umpire.fills_in(&page, &to, &[("do", "read"), ("p1", "score block:grow"), ("p2", "score block:claim")]).await?;
    dry_run.says("score block:grow / score block:claim")?;
    let done = umpire.fills_in(&dry_run, &to, &[("do", "correct"), ("reason", "Mistyped")]).await?;
    done.is(StatusCode::OK)?;
    // The text for the chat contains no secret either.
    done.says("score block:?")?;
    for page in [&public, &format!("{public}/r/1/after"), &format!("{public}.ndjson"), &format!("{public}.dmn")] {
        let text = anybody.get(page).await?.text;
        ensure!(!text.contains("block:grow") && !text.contains("block:steal"), "{page} tells a secret:\n{text}");
    }
    let over = umpire.get(&console).await?;
    let over = umpire.fills_in(&over, &format!("{console}/decide"), &[("decided", "walkover-p2")]).await?;
    over.says("End the match and open everything")?;
    let ended = umpire.fills_in(&over, &format!("{console}/end"), &[]).await?;
    ended.says("The match is ended")?;
    anybody.get(&format!("{public}.dmn")).await?.says("1. score block:grow / score block:claim")?;
    Ok(())
}

#[tokio::test]
async fn rulings_decide_are_refused_in_words_and_open_an_ended_match_again() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, console) = recorded(&site, OPEN_TARGETS, &["1. score / grow"]).await?;
    let (rule, end) = (format!("{console}/rule"), format!("{console}/end"));
    let page = umpire.get(&console).await?;
    // A ruling can name the clauses of every game, too: each menu has them.
    let menus = page.attributes("select[name=clause] option[value='0.5']", "value")?.len();
    ensure!(menus > 2 && menus == page.attributes("select[name=clause]", "name")?.len(), "{menus} menus");
    assert_eq!(page.option("0.5 The umpire’s ruling")?, "0.5");
    // What each of two similar forms is for.
    page.says("use “End it” below")?.says("use “Make a ruling” above")?;
    let long = "x".repeat(1_001);
    for (typed, words) in [
        ([("text", ""), ("result", ""), ("clause", "")], "Say what was decided"),
        ([("text", long.as_str()), ("result", ""), ("clause", "")], "1000 are the most"),
        ([("text", "So be it"), ("result", "p3"), ("clause", "")], "A ruling decides for a player"),
        ([("text", "So be it"), ("result", ""), ("clause", "9.9")], "no such clause"),
    ] {
        let refused = umpire.fills_in(&page, &rule, &typed).await?;
        refused.is(StatusCode::UNPROCESSABLE_ENTITY)?.says(words)?.says(typed[0].1)?;
    }
    // A running match cannot be ended without a result.
    let head = page.field("head")?;
    let early = [("form", "00112233445566778899aabbccddeeff"), ("head", head.as_str())];
    umpire.post(&end, &early).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("The match still runs")?;
    let ruled = umpire.fills_in(&page, &rule, &[("text", "Okapi left"), ("result", "p1"), ("clause", "1.8")]).await?;
    ruled.says("End the match")?.says("on rule 1.8")?;
    let ended = umpire.fills_in(&ruled, &end, &[]).await?;
    ended.says("The match is ended")?;
    let other =
        umpire.fills_in(&ended, &rule, &[("text", "Okapi came back"), ("result", "void"), ("clause", "0.5")]).await?;
    other.says("on rule 0.5")?;
    let again = umpire.fills_in(&other, &end, &[]).await?;
    again.says("the match does not count")?;
    let public = console.replace("/umpire", "");
    site.visitor()?.get(&format!("{public}/verify")).await?.says("2 rulings")?;
    let links = site.visitor()?.get(&public).await?.attributes("a.rule", "href")?;
    ensure!(links.iter().any(|address| address.ends_with("#0.5")), "{links:?}");
    Ok(())
}

#[tokio::test]
async fn a_claim_priority_window_is_asked_before_the_next_round() -> Result<()> {
    let site = Site::start().await?;
    let umpire = site.umpire().await?;
    let fields = [
        ("ruleset", "five-card-trick/zeros-gauntlet-final"),
        ("p1", "Ada"),
        ("p2", "Bo"),
        ("item-claim-priority", "p2"),
    ];
    let console = umpire.opens(&fields).await?.address;
    let page = record(&umpire, &console, "1. claim grow / claim score").await?;
    page.says("Use Claim Priority")?.says("Record round 2")?.says("until the next question is answered")?;
    let page = record(&umpire, &console, "p2: use claim-priority").await?;
    page.says("Bo used Claim Priority")?.says("Record round 2")?;
    ensure!(!page.text.contains("Record the answer"), "the window is closed");
    Ok(())
}

#[tokio::test]
async fn a_program_reads_back_and_is_refused_in_json() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, console) = recorded(&site, OPEN_TARGETS, &[]).await?;
    let page = umpire.get(&console).await?;
    let (decision, head) = (page.field("decision")?, page.field("head")?);
    let ask = |path: &str, decision: &str, p1: &str| {
        let form = [
            ("decision", decision),
            ("head", &head),
            ("form", "00112233445566778899aabbccddeeff"),
            ("p1", p1),
            ("p2", "-"),
        ];
        let request = umpire.http.post(format!("{}{console}/{path}", site.address)).form(&form);
        request.header("accept", "application/json").send()
    };
    let read: serde_json::Value = serde_json::from_str(&ask("read", &decision, "s").await?.text().await?)?;
    assert_eq!(read["seats"][0]["state"], "invalid");
    assert_eq!(read["seats"][0]["error"]["found"], "s");
    assert_eq!(read["seats"][1]["state"], "defaulted");
    for (path, decision, status) in [
        ("read", "d99", StatusCode::CONFLICT),
        ("record", "d99", StatusCode::CONFLICT),
        ("record", &decision, StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer = ask(path, decision, "s").await?;
        assert_eq!(answer.status(), status, "{path} {decision}");
        assert_eq!(answer.headers()["content-type"], "application/problem+json");
    }
    Ok(())
}
