//! The umpire closes a round by hand: with a move missing, the page asks first.

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use super::table::{RULESET, Table};

#[tokio::test]
async fn closing_without_a_move_asks_first_and_names_the_player() -> Result<()> {
    for (sent, missing, question, played) in [
        (&["p1"][..], "Bo has not answered.", "Close without Bo’s move", "1. grow / -"),
        (&["p2"], "Ada has not answered.", "Close without Ada’s move", "1. - / grow"),
        (&[], "Ada and Bo have not answered.", "Close without the moves of Ada and Bo", "1. - / -"),
    ] {
        let table = Table::laid(RULESET, false).await?;
        for seat in sent {
            let player = if *seat == "p1" { &table.p1 } else { &table.p2 };
            player.submits("grow").await?.says("move received.")?;
        }
        let close = format!("{}/close", table.console);
        let page = table.umpire.get(&table.console).await?;
        page.says(&format!("{} not sent", missing.trim_end_matches(" not answered.")))?;
        let before = table.history().await?.head;
        let asked = table.umpire.fills_in(&page, &close, &[]).await?;
        asked.is(StatusCode::UNPROCESSABLE_ENTITY)?;
        // It is asked once, beside its button, and as no failure.
        let told = asked.content("form[data-question] [data-unsure]")?;
        ensure!(told.starts_with(&format!("{question}{missing} Closing now counts as no move: ")), "{told}");
        assert_eq!(asked.text.matches(missing).count(), 1, "{}", asked.text);
        ensure!(!asked.text.contains("Nothing was recorded"), "{}", asked.text);
        assert_eq!(table.history().await?.head, before, "nothing closes without a second word");
        // One button keeps it open, and the other closes it.
        ensure!(asked.link("Keep it open")?.as_deref() == Some(&*table.console), "{}", asked.text);
        let sure = asked.attribute("[data-unsure]", "value")?;
        ensure!(asked.attribute("[data-close]", "name")? == "sure", "{}", asked.text);
        table.umpire.fills_in(&asked, &close, &[("sure", &sure)]).await?.is(StatusCode::OK)?;
        assert_eq!(table.history().await?.steps[0].public, played);
    }
    Ok(())
}

#[tokio::test]
async fn closing_with_both_moves_asks_nothing() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    for player in [&table.p1, &table.p2] {
        player.submits("grow").await?.says("move received.")?;
    }
    let page = table.umpire.get(&table.console).await?;
    table.umpire.fills_in(&page, &format!("{}/close", table.console), &[]).await?.is(StatusCode::OK)?;
    assert_eq!(table.history().await?.steps[0].public, "1. grow / grow");
    Ok(())
}
