//! The contents of a seat's page: the last submission, the last round, the deadline, and the cursor.

use anyhow::{Context, Result, ensure};

use super::forms::at;
use super::table::Table;

#[tokio::test]
async fn an_answer_that_closes_its_question_is_told_until_something_else_is_played() -> Result<()> {
    let table = Table::laid("thwart-13/dm-colosseum-2", true).await?;
    let page = table.p1.page().await?;
    page.says("Bo must show a valid set")?;
    let history = table.history().await?;
    let open =
        history.open.iter().find(|open| open.asked.what == "challenge" && app::recorder::asks(open, engine::Seat::P1));
    let decision = open.context("a challenge is possible")?.asked.decision.to_string();
    table.p1.sends(&decision, &table.fresh("c"), "challenge").await?.says("move received.")?;
    table.until("recorded the move of Ada: challenge").await?;
    let received = format!("{}?received={decision}.0", table.p1.home);
    table.p1.guest.get(&received).await?.says("It closed the question.")?;
    Ok(())
}

#[tokio::test]
async fn the_cursor_stands_where_the_match_waits() -> Result<()> {
    let table = at("thwart-13/dm-colosseum-2", &["TH / 2C", "back / front"]).await?;
    let history = table.history().await?;
    let select = history.open.iter().find(|open| open.asked.what == "select").context("the selection")?;
    for player in [&table.p1, &table.p2] {
        let page = player.page().await?;
        assert_eq!(page.text.matches(" data-cursor").count(), 1);
        page.says(&format!("id=\"{}-move\"", select.asked.decision))?;
        let before = page.text.split(" data-cursor").next().unwrap_or_default();
        let asked = before.rfind("data-question=\"").map(|place| &before[place..]).context("a question")?;
        ensure!(asked.starts_with(&format!("data-question=\"{}\"", select.asked.decision)), "{asked}");
    }
    Ok(())
}
