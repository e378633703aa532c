//! Live matches over HTTP: two players by their private links, each a browser-like client, and an umpire.

mod away;
mod bank;
mod bell;
mod by_hand;
mod carried;
mod challenge;
mod clock;
mod closing;
mod console;
mod crawl;
mod drawn;
mod finals;
pub(crate) mod forms;
pub(crate) mod hidden;
mod journal;
mod late;
mod later_key;
mod links;
mod missing_round;
mod nodes;
mod open_console;
mod outages;
mod positions;
mod races;
mod readable;
pub(crate) mod registered;
pub(crate) mod reveal;
mod screens;
mod scripts;
mod seat_page;
mod secrets;
mod sharer;
mod shares;

pub(crate) mod signed;
mod standstill;
mod steady;
pub(crate) mod table;
mod taps;
mod timing;
mod to_post;
mod waits;

use anyhow::{Context, Result, ensure};
use ledger::Policy;
use record::receipts::{ReceiptFile, ReceiptStatus};
use reqwest::StatusCode;
use table::{RULESET, Table};

use crate::whole_match::fixture;

#[tokio::test]
async fn a_whole_match_is_played_by_link_and_every_receipt_becomes_a_proof() -> Result<()> {
    let played = fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?;
    let table = Table::laid(RULESET, false).await?;
    for step in &played.steps {
        let (_, moves) = step.split_once(". ").unwrap_or(("", step));
        let Some((p1, p2)) = moves.split_once(" / ") else { anyhow::bail!("{step}") };
        for (player, text) in [(&table.p1, p1), (&table.p2, p2)] {
            if text != "-" {
                let page = player.submits(text).await?;
                page.says("move received.")?;
            }
        }
        table.closes().await?;
    }
    table.act("end", &[]).await?;

    let report = table.checked().await?;
    assert_eq!(report.verdict.to_string(), "verified (sealed by the server, unsigned)");
    for player in [&table.p1, &table.p2] {
        let file = player.guest.get(&format!("{}/receipts.jsonl", player.home)).await?;
        let file = ReceiptFile::read(file.text.as_bytes())?;
        let checked = file.check(&Policy::read(b"quorum none\n")?);
        ensure!(checked.len() > 10, "{} receipts", checked.len());
        for checked in checked {
            ensure!(matches!(checked.status, ReceiptStatus::Proven { counted: true, .. }), "{checked:?}");
        }
    }
    held_against_the_match(&table).await
}

/// The first player's file and the bundle, held together by the command, and against the bundle of another match.
async fn held_against_the_match(table: &Table) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let [receipts, bundle] = ["receipts.jsonl", "match.bundle"].map(|name| folder.path().join(name));
    let file = table.p1.guest.get(&format!("{}/receipts.jsonl", table.p1.home)).await?.text;
    std::fs::write(&receipts, &file)?;
    std::fs::write(&bundle, table.site.visitor()?.get(&format!("{}.bundle", table.public())).await?.text)?;
    let command = async |bundle: &std::path::Path| -> Result<(Option<i32>, String)> {
        let mut command = tokio::process::Command::new(crate::program::binary()?);
        let done = command.arg("receipt").arg(&receipts).arg(bundle).output().await?;
        Ok((done.status.code(), String::from_utf8(done.stdout)?))
    };
    let (code, said) = command(&bundle).await?;
    let count = file.lines().count() - 1;
    ensure!(code == Some(0) && said.matches("in the bundle: it counted: entry").count() == count, "{said}");
    // Sites of one seed have the same matches.
    let other = Table::on(crate::site::Site::start().await?, RULESET, false, &["p1"]).await?;
    std::fs::write(&bundle, other.site.visitor()?.get(&format!("{}.bundle", other.public())).await?.text)?;
    let (code, said) = command(&bundle).await?;
    ensure!(code == Some(1) && said.contains("the receipts are of match"), "{said}");
    Ok(())
}

#[tokio::test]
async fn what_is_replaced_sent_twice_or_late_is_answered_as_it_should_be() -> Result<()> {
    let table = Table::laid(RULESET, true).await?;
    let player = &table.p1;
    player.submits("grow").await?.says("Your receipt")?;
    let page = player.page().await?;
    page.says("Grow")?.says("counts now")?;
    // Another move replaces it; the first is marked as replaced.
    let (decision, submit) = (page.field("decision")?, page.field("submit")?);
    player.sends(&decision, &submit, "claim").await?.says("move received.")?;
    // Without the file's head, whose proof changes as the log is signed meanwhile.
    let receipts = async || -> Result<Vec<String>> {
        let file = player.guest.get(&format!("{}/receipts.jsonl", player.home)).await?.text;
        Ok(file.lines().skip(1).map(str::to_owned).collect())
    };
    let first = receipts().await?;
    let again = player.sends(&decision, &submit, "claim").await?;
    again.says("move received.")?;
    assert_eq!((first.len(), receipts().await?), (2, first), "sent twice, kept once");
    let other = player.sends(&decision, &submit, "score").await?;
    other.is(StatusCode::CONFLICT)?.says("with something else in it")?.says("value=\"score\"")?;

    // Two seconds before the deadline it is in time; after the deadline nothing is accepted, and the counted move
    // stays.
    let clock = table.open_clock().await?;
    table.passes(clock - 2);
    player.sends(&decision, &table.fresh("a"), "steal").await?.says("move received.")?;
    table.site.app.system().pass(std::time::Duration::from_micros(2_000_001));
    player
        .sends(&decision, &table.fresh("b"), "grow")
        .await?
        .is(StatusCode::CONFLICT)?
        .says("Your move came too late")?;
    table.passes(2);
    table.until("recorded round 1:").await?;
    let public = table.site.visitor()?.get(&table.public()).await?;
    public.says("Steal")?;
    // The receipt of an acknowledged submission is the same after the close.
    player.sends(&decision, &submit, "claim").await?.says("was received before")?;
    player.sends(&decision, &table.fresh("c"), "grow").await?.is(StatusCode::CONFLICT)?;
    let listed = player.page().await?;
    listed.says("is in the record")?.says("was replaced")?;
    Ok(())
}

#[tokio::test]
async fn a_submission_can_be_replaced_32_times() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    for n in 0..33 {
        table.p1.submits(if n % 2 == 0 { "grow" } else { "claim" }).await?.says("move received.")?;
    }
    table.p1.submits("score").await?.is(StatusCode::TOO_MANY_REQUESTS)?.says("This was replaced 32 times already")?;
    // What the umpire types for a seat without a link counts likewise.
    for n in 0..33 {
        table.types("p2", if n % 2 == 0 { "grow" } else { "claim" }).await?.is(StatusCode::OK)?;
    }
    table.types("p2", "score").await?.says("Bo: This was replaced 32 times already")?;
    Ok(())
}

#[tokio::test]
async fn a_move_that_is_too_large_is_refused() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let submit = table.p1.page().await?.field("submit")?;
    let refused = table.p1.sends("d1", &submit, &"x".repeat(10_000_000)).await;
    ensure!(refused.is_err() || refused?.status == StatusCode::PAYLOAD_TOO_LARGE, "10 MB are too much");
    Ok(())
}

#[tokio::test]
async fn the_answer_to_a_form_carries_its_receipt_and_names_the_one_before() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let http = reqwest::Client::builder().cookie_store(true).redirect(reqwest::redirect::Policy::none()).build()?;
    http.post(&table.link("p1").await?).send().await?;
    let mut before = ledger::Hash::ZERO;
    // The third is sent again, and gets the same answer, even though the second was replaced.
    for (text, form) in [("grow", "a"), ("claim", "b"), ("score", "c"), ("score", "c")] {
        let form = table.fresh(form);
        let fields = [("decision", "d1"), ("submit", &form), ("move", text)];
        let answer = http.post(format!("{}{}/submit", table.site.address, table.p1.home)).form(&fields).send().await?;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        let receipt = ledger::SignedReceipt::read(answer.text().await?.as_bytes())?;
        if receipt.hash() != before {
            assert_eq!(receipt.receipt.previous, before);
        }
        before = receipt.hash();
    }
    let file = table.p1.guest.get(&format!("{}/receipts.jsonl", table.p1.home)).await?;
    let file = ReceiptFile::read(file.text.as_bytes())?;
    let last = ledger::SignedReceipt::read(file.receipts.last().context("a receipt")?.receipt.as_bytes())?;
    assert_eq!((file.receipts.len(), last.hash()), (3, before));
    Ok(())
}

#[tokio::test]
async fn a_seat_is_its_own_players_alone() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let stranger = table.site.visitor()?;
    for path in ["", "/receipts.jsonl", "/receipt/d1/0", "/receipt/d1/0/file"] {
        for guest in [&stranger, &table.umpire, &table.p2.guest] {
            guest.get(&format!("{}{path}", table.p1.home)).await?.is(StatusCode::UNAUTHORIZED)?;
        }
    }
    let page = table.p2.page().await?;
    let form = page.fields(&["decision", "submit"])?.with("move", "grow");
    table.p2.guest.sends(&format!("{}/submit", table.p1.home), &form).await?.is(StatusCode::UNAUTHORIZED)?;

    // Opening the link changes nothing, and it is neither cached nor sent as a referrer.
    let link = table.link("p1").await?;
    for _ in 0..2 {
        let looked = stranger.http.get(&link).send().await?;
        assert!(looked.headers().get("set-cookie").is_none());
        assert_eq!(looked.headers()["referrer-policy"], "no-referrer");
        assert_eq!(looked.headers()["cache-control"], "no-store");
    }
    let sat = stranger.http.post(&link).send().await?;
    assert_eq!(sat.status(), StatusCode::OK);
    // Two devices at once: the last received submission counts, from either device.
    let page = stranger.get(&table.p1.home).await?;
    let form = page.fields(&["decision", "submit"])?.with("move", "grow");
    table.p1.submits("claim").await?.says("move received.")?;
    stranger.sends(&format!("{}/submit", table.p1.home), &form).await?.says("move received.")?;
    table.p1.page().await?.says("Grow")?;
    // Revoking a link also signs out the browsers that followed it.
    table.revokes_all_links().await?;
    stranger.get(&table.p1.home).await?.is(StatusCode::UNAUTHORIZED)?;
    table.p1.page().await?.is(StatusCode::UNAUTHORIZED)?;
    stranger.sends(&format!("{}/submit", table.p1.home), &form).await?.is(StatusCode::UNAUTHORIZED)?;
    assert_eq!(stranger.http.get(&link).send().await?.status(), StatusCode::GONE);
    Ok(())
}
