//! Comments on moments: who writes and withdraws them, when they are seen, and that they are in no record.

use anyhow::{Context, Result, ensure};
use app::views::match_address;
use fantoccini::Locator;
use reqwest::StatusCode;
use reqwest::header::{ETAG, IF_NONE_MATCH};
use serde_json::json;

use super::screens::WALK;
use super::{COLOSSEUM, SHIFT_MAX, correct, found};
use crate::browser::{Browser, DEAL};
use crate::page::Page;
use crate::pages::import;
use crate::play::table::{RULESET, Table};
use crate::site::{Guest, Site};
use crate::whole_match::{fixture, open, record};

const NOTE: &str = "Comments are not part of the record.";
const WORDS: &str = "The best Block of the season";

/// A match of the past, as its umpire entered it.
async fn entered(site: &Site, umpire: &Guest) -> Result<String> {
    Ok(import(umpire, &fixture(COLOSSEUM)?.text).await?.address.replace(&site.address, ""))
}

/// Adds a comment with the form on the page of a moment.
async fn add(guest: &Guest, public: &str, moment: &str, text: &str) -> Result<Page> {
    let page = found(guest, &format!("{public}{moment}")).await?;
    guest.fills_in(&page, &format!("{public}/comments"), &[("text", text)]).await
}

/// Withdraws the first comment on the page of a moment that this guest may withdraw.
async fn withdraw(guest: &Guest, public: &str, moment: &str) -> Result<Page> {
    found(guest, &format!("{public}{moment}")).await?.form_with("withdraw")?.sends(guest, &[]).await
}

/// The texts of the comments on a page.
async fn comments(guest: &Guest, address: &str) -> Result<Vec<String>> {
    found(guest, address).await?.contents(".comment")
}

#[tokio::test]
async fn a_comment_is_on_the_kept_page_at_once_and_gone_at_once() -> Result<()> {
    let one = Site::start().await?;
    let two = Site::node(one.database.clone(), one.data.clone(), "checkpoint-two").await?;
    let (umpire, here, there) = (one.umpire().await?, one.visitor()?, two.visitor()?);
    let public = entered(&one, &umpire).await?;
    let moment = format!("{public}/r/2/after");
    // Until now nobody has written anything, and the pages say nothing of comments.
    for guest in [&here, &there] {
        for address in [&moment, &public] {
            for _ in 0..2 {
                ensure!(!found(guest, address).await?.text.contains("omment"), "{address}");
            }
        }
    }
    let tag = here.http.get(format!("{}{moment}", one.address)).send().await?.headers()[ETAG].clone();
    add(&umpire, &public, "/r/2/after", WORDS).await?.is(StatusCode::OK)?;
    found(&here, &moment).await?.says(WORDS)?.says(NOTE)?;
    let known = here.http.get(format!("{}{moment}", one.address)).header(IF_NONE_MATCH, tag).send().await?;
    assert_eq!(known.status(), StatusCode::OK, "who has the page of before gets it anew");
    found(&here, &public).await?.says("Comments (1)")?.says(&format!("{moment}#comments"))?;
    two.app.index.follow().await?;
    found(&there, &moment).await?.says(WORDS)?;
    found(&there, &public).await?.says("Comments (1)")?;

    // No other moment has it, and no page whose reader may not know what comes later.
    for other in ["/r/2/before", "/r/2/choices", "/r/1/after", "/r/3/before", "/r/3/after"] {
        ensure!(!found(&here, &format!("{public}{other}")).await?.text.contains("omment"), "{other}");
    }
    let hidden = [format!("{moment}?spoilers=no"), format!("{public}?spoilers=no"), format!("{public}/guess")];
    let more = [format!("{public}/guess/p1"), format!("/embed{moment}"), format!("{public}/r/2/before/what-if")];
    for address in hidden.iter().chain(&more) {
        for guest in [&here, &umpire] {
            ensure!(!found(guest, address).await?.text.contains("omment"), "{address}");
        }
    }

    withdraw(&umpire, &public, "/r/2/after").await?.is(StatusCode::OK)?;
    for address in [&moment, &public] {
        ensure!(!found(&here, address).await?.text.contains("omment"), "{address}");
    }
    two.app.index.follow().await?;
    ensure!(!found(&there, &moment).await?.text.contains(WORDS), "the other node shows it");
    let mut owner = one.owner().await?;
    let left: Vec<(String, bool)> =
        sqlx::query_as("select text, withdrawn_at is not null and withdrawn_by = umpire from comments")
            .fetch_all(&mut owner)
            .await?;
    assert_eq!(left, [(String::new(), true)]);
    Ok(())
}

#[tokio::test]
async fn no_file_of_the_record_has_a_comment() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = entered(&site, &umpire).await?;
    let history = site.app.matches.history_of(public.trim_start_matches("/m/")).await?;
    assert_eq!(match_address(history.match_id), public);
    site.app.public_log.placed(history.match_id, &[ledger::Seq(0)]).await?;
    let read = async || {
        let mut files = Vec::new();
        for file in [".ndjson", ".dmn", ".json", ".csv", "/verify", ".bundle", "/verify.html"] {
            files.push(found(&anybody, &format!("{public}{file}")).await?.text);
        }
        anyhow::Ok(files)
    };
    let before = read().await?;
    add(&umpire, &public, "/r/2/after", WORDS).await?.says(WORDS)?;
    let after = read().await?;
    assert_eq!(before[..4], after[..4]);
    ensure!(!after.iter().any(|file| file.contains(WORDS)), "a file has the comment");
    let entries = site.app.matches.history_of(public.trim_start_matches("/m/")).await?.head;
    assert_eq!(entries, history.head, "nothing was entered");
    for list in ["/archive.ndjson", "/feed.atom", &format!("/api/v1/matches{}", public.replacen("/m", "", 1))] {
        ensure!(!found(&anybody, list).await?.text.contains(WORDS), "{list} has it");
    }
    Ok(())
}

#[tokio::test]
async fn nothing_is_written_on_a_moment_that_is_not_public() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p1", "p2"]).await?;
    let (public, umpire) = (table.public(), &table.umpire);
    table.p1.submits("grow").await?;
    table.p2.submits("claim").await?;
    table.closes().await?;
    // The next round is open, and one player has sent something.
    table.p1.submits("score").await?;
    let to = format!("{public}/comments");
    let form = found(umpire, &format!("{public}/r/1/after")).await?.form_to(&to)?.with("text", WORDS);
    for (row, beat) in
        [("2", "before"), ("2", "choices"), ("2", "after"), ("1", "act-1"), ("7", "after"), ("", "after")]
    {
        umpire.sends(&to, &form.clone().with("row", row).with("beat", beat)).await?.is(StatusCode::NOT_FOUND)?;
        if !row.is_empty() {
            umpire.get(&format!("{public}/r/{row}/{beat}")).await?.is(StatusCode::NOT_FOUND)?;
        }
    }
    umpire.sends(&to, &form.clone().with("beat", "never")).await?.is(StatusCode::NOT_FOUND)?;
    // A step that the page did not show, as after a correction.
    let stale = umpire.sends(&to, &form.clone().with("place", "1:999")).await?;
    stale.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("This moment was changed")?.says(WORDS)?;
    let too_long = umpire.sends(&to, &form.clone().with("text", &"é".repeat(501))).await?;
    too_long.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("This has 501 characters; 500 are the most.")?.says("ééé")?;
    umpire.sends(&to, &form.clone().with("text", "\u{200b} ")).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?;
    umpire.post(&to, &[("withdraw", "nothing")]).await?.is(StatusCode::NOT_FOUND)?;
    let number = async || {
        let number: i64 = sqlx::query_scalar("select count(*) from comments").fetch_one(table.site.app.pool()).await?;
        anyhow::Ok(number)
    };
    assert_eq!(number().await?, 0);
    // The same form twice is one comment.
    for _ in 0..2 {
        umpire.sends(&to, &form).await?.is(StatusCode::OK)?;
    }
    assert_eq!(number().await?, 1);
    // On the way back a browser has the form that was sent. With other words it is not lost in silence, and adds nothing.
    let other = umpire.sends(&to, &form.clone().with("text", "Better words")).await?;
    other
        .is(StatusCode::UNPROCESSABLE_ENTITY)?
        .says("Another comment was sent with this form before")?
        .says("Better words")?;
    withdraw(umpire, &public, "/r/1/after").await?.is(StatusCode::OK)?;
    umpire.sends(&to, &form).await?.is(StatusCode::UNPROCESSABLE_ENTITY)?.says(WORDS)?;
    assert_eq!(number().await?, 1);
    Ok(())
}

#[tokio::test]
async fn a_comment_stays_with_what_it_was_written_about() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let console = open(&umpire, &fixture(COLOSSEUM)?).await?;
    for round in ["1. score grow / score steal", "2. grow / claim", "3. score / score grow"] {
        record(&umpire, &console, round).await?;
    }
    let public = console.replace("/umpire", "");
    for moment in ["/r/1/after", "/r/2/after", "/r/3/before"] {
        add(&umpire, &public, moment, moment).await?.says(moment)?;
    }
    correct(&site, &public, 2, "steal").await?;
    assert_eq!(comments(&anybody, &format!("{public}/r/1/after")).await?, ["/r/1/after"]);
    let sheet = found(&anybody, &public).await?;
    sheet.says("Comments (3)")?.says("Round 2, after, struck")?;
    for moment in ["/r/2/after", "/r/3/before"] {
        assert_eq!(comments(&anybody, &format!("{public}{moment}")).await?, [""; 0], "{moment} is another one now");
        let address = sheet.addresses(&format!("{public}/struck/"))?;
        let address = address.iter().find(|address| address.ends_with(&format!("{moment}#comments")));
        let address = address.map(|address| address.replace("#comments", "")).unwrap_or_default();
        assert_eq!(comments(&anybody, &address).await?, [moment]);
        let page = found(&umpire, &address).await?;
        ensure!(page.text.contains("Withdraw it") && !page.text.contains("Add a comment"), "{}", page.text);
    }

    // A row that goes on has the moment in its middle.
    let played = fixture(DEAL)?;
    let whole = import(&umpire, &played.text).await?.address.replace(&site.address, "");
    let whole = site.app.matches.history_of(whole.trim_start_matches("/m/")).await?;
    let (label, first) = whole
        .rows()
        .iter()
        .find(|row| row.steps.len() > 3)
        .and_then(|row| Some((row.label.clone(), row.steps.first()?.number as usize)))
        .context("a row of several acts")?;
    let console = open(&umpire, &played).await?;
    let (mut steps, public) = (played.steps.iter(), console.replace("/umpire", ""));
    for step in steps.by_ref().take(first + 1) {
        record(&umpire, &console, step).await?.is(StatusCode::OK)?;
    }
    add(&umpire, &public, &format!("/r/{label}/after"), WORDS).await?.says(WORDS)?;
    record(&umpire, &console, steps.next().context("one more")?).await?.is(StatusCode::OK)?;
    let middle = format!("{public}/r/{label}/act-2");
    assert_eq!(comments(&anybody, &middle).await?, [WORDS]);
    assert_eq!(comments(&anybody, &format!("{public}/r/{label}/after")).await?, [""; 0]);
    found(&anybody, &public).await?.says(&format!("{middle}#comments"))?;
    Ok(())
}

#[tokio::test]
async fn hostile_words_are_words_and_keep_the_page_in_its_place() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let public = entered(&site, &umpire).await?;
    let script = "<script>alert(1)</script><img src=x onerror=\"alert(2)\"> & {{ text }}\n\u{202e}</p></section>";
    let arabic = "هذه أفضل حركة في الموسم، ".repeat(12);
    let word = "W".repeat(500);
    let written = [script, arabic.trim(), &word];
    for text in written {
        for moment in ["/r/1/before", "/r/1/choices", "/r/1/after"] {
            add(&umpire, &public, moment, text).await?.is(StatusCode::OK)?;
        }
    }
    let page = found(&anybody, &format!("{public}/r/1/after")).await?;
    assert_eq!(page.contents(".comment")?, written);
    ensure!(!page.text.contains("<script>alert") && !page.text.contains("<img src=x"), "{}", page.text);
    assert_eq!(page.attributes(".comment", "dir")?, ["auto"; 3]);

    // Neither they nor the form push the table or the controls out of a screen.
    let browser = Browser::open(390, false, true).await?;
    browser.client.goto(&site.sign_in_link().await?).await?;
    browser.sign_in().await?;
    for (width, height) in [(390, 664), (1280, 800)] {
        browser.resize((width, height)).await?;
        browser.client.goto(&format!("{}{public}/r/1/before", site.address)).await?;
        let told = browser.client.execute_async(WALK, vec![json!(4), json!(width), json!(height)]).await?;
        ensure!(told[0].as_u64().is_some_and(|seen| seen > 3), "{told}");
        ensure!(told[1].as_f64().is_some_and(|moved| moved <= SHIFT_MAX), "{told}");
        ensure!(told[2].as_array().is_some_and(Vec::is_empty), "{width}: {told}");
    }
    // The replay brings the comments of the moment that it shows, and the form for it. It does not play on while somebody is
    // there.
    browser.client.goto(&format!("{}{public}/r/1/before", site.address)).await?;
    browser.press(".stage-bar [data-play]").await?;
    browser.press("#comments > details > summary").await?;
    assert_eq!(browser.attribute(".stage-bar [data-play]", "aria-pressed").await?.as_deref(), Some("false"));
    browser.client.goto(&format!("{}{public}/r/1/before", site.address)).await?;
    browser.press("a[rel=next].step").await?;
    browser.client.wait().for_element(Locator::Css("input[name=beat][value=after]")).await?;
    browser.press("#comments > details > summary").await?;
    browser.types_into("#comment", "From the replay").await?;
    browser.press("#comments > details button").await?;
    browser.until("From the replay").await?;
    let last = comments(&anybody, &format!("{public}/r/1/after")).await?;
    assert_eq!(last.last().map(String::as_str), Some("From the replay"));
    browser.close().await
}
