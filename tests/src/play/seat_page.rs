//! The contents of a seat's page: the last submission, the last round, the deadline, and the cursor.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;

use super::forms::{DEALT, at};
use super::table::{RULESET, Table};
use crate::site::Site;

/// The part of a page with this name, which is updated by script.
fn region<'p>(page: &'p str, name: &str) -> Result<&'p str> {
    let start = page.find(&format!("data-region=\"{name}\"")).with_context(|| format!("no {name}: {page}"))?;
    let rest = &page[start + 12..];
    Ok(&rest[..rest.find("data-region=\"").unwrap_or(rest.len())])
}

#[tokio::test]
async fn what_was_received_is_told_while_its_question_stands() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    table.p1.submits("grow").await?.says("Round 1: move received.")?;
    let (home, guest) = (&table.p1.home, &table.p1.guest);
    guest.get(&format!("{home}?received=d1.0")).await?.says("Round 1: move received.")?;
    for never in ["d1.1", "d2.0", "d1", "d1.x"] {
        let page = guest.get(&format!("{home}?received={never}")).await?;
        ensure!(!page.text.contains("move received."), "{never}: {}", page.text);
    }
    table.p2.submits("claim").await?;
    table.closes().await?;
    let next = guest.get(&format!("{home}?received=d1.0")).await?;
    ensure!(!next.text.contains("move received."), "it would stand above round 2: {}", next.text);
    Ok(())
}

#[tokio::test]
async fn a_form_that_is_sent_again_after_a_later_one_does_not_say_that_it_counts() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let page = table.p1.page().await?;
    let (decision, first) = (page.field("decision")?, page.field("submit")?);
    table.p1.sends(&decision, &first, "grow").await?.says("Round 1: move received.")?;
    table.p1.submits("score").await?.says("Round 1: move received.")?;
    let again = table.p1.sends(&decision, &first, "grow").await?;
    again.says("This move was received before. A later one of yours counts.")?;
    ensure!(!again.text.contains("Round 1: move received."), "{}", again.text);
    Ok(())
}

#[tokio::test]
async fn each_players_own_name_says_you_on_their_page_alone() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    for (player, seat) in [(&table.p1, "p1"), (&table.p2, "p2")] {
        let page = player.page().await?;
        assert_eq!(page.contents(".you")?, ["you"], "{seat}");
        assert_eq!(page.contents(&format!(".state-seat[data-seat={seat}] h3 .you"))?, ["you"]);
    }
    for page in [table.site.visitor()?.get(&table.public()).await?, table.umpire.get(&table.console).await?] {
        ensure!(page.contents(".you")?.is_empty(), "{}", page.text);
    }
    Ok(())
}

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
    table.until("recorded p1: challenge").await?;
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

#[tokio::test]
async fn every_part_has_its_place_before_there_is_anything_in_it() -> Result<()> {
    let table = Table::opened(Site::seeded("a live match").await?, RULESET, Some("posted"), &["p1", "p2"], &[]).await?;
    let page = table.p1.page().await?;
    for name in ["told", "last", "ready", "board", "moves", "receipts"] {
        region(&page.text, name)?;
    }
    ensure!(region(&page.text, "ready")?.contains("I am ready"));
    ensure!(!region(&page.text, "moves")?.contains("Your moves"));
    table.clock("run", &[]).await?;
    let page = table.p1.page().await?;
    ensure!(!page.text.contains("I am ready"), "the clock has begun: {}", page.text);
    ensure!(region(&page.text, "ready")?.contains("No player and no umpire sees your move"));
    table.passes(61);
    table.until("recorded round 1: no move / no move").await?;
    let page = table.p1.page().await?;
    ensure!(region(&page.text, "moves")?.contains("This is not what I sent"), "{}", page.text);
    ensure!(!region(&page.text, "moves")?.contains("class=\"dmn\""), "“no move” is said once: {}", page.text);
    ensure!(page.content("[data-region=last]")?.contains("Round 1: what happened"), "{}", page.text);
    ensure!(region(&page.text, "last")?.contains("no move"), "{}", page.text);
    Ok(())
}

#[tokio::test]
async fn the_last_round_is_told_as_the_seat_may_know_it() -> Result<()> {
    let steps = [DEALT[0], DEALT[1], "p1: stand", "p2: stand", "host: community R5", "G5 R2 / B3 R8"];
    let table = at("devils-deal/blooming-genius", &steps).await?;
    let pages = [table.p1.page().await?, table.p2.page().await?];
    // Each seat reads its own two cards, and that the other's are sealed.
    for (page, own, others) in [(&pages[0], "reen 5", "lue 3"), (&pages[1], "lue 3", "reen 5")] {
        let told = region(&page.text, "last")?;
        ensure!(told.contains(": what happened"), "{told}");
        ensure!(told.contains(own) && told.contains('?') && !told.contains(others), "{told}");
    }
    Ok(())
}

#[tokio::test]
async fn each_action_that_failed_in_a_round_before_has_its_reason() -> Result<()> {
    let table = at(RULESET, &["steal / grow", "score / score", "grow / claim"]).await?;
    let told = table.p2.page().await?.contents(".round-before > .hint")?;
    let reasons = [
        "Ada's Score was cancelled: both players played it.",
        "Bo's Score was cancelled: both players played it.",
        "Ada's Steal failed: Bo played no Claim.",
    ];
    assert_eq!(told, reasons);
    Ok(())
}

#[tokio::test]
async fn what_comes_before_the_first_round_is_no_round_0() -> Result<()> {
    for (ruleset, steps) in
        [("devils-deal/blooming-genius", &DEALT[..]), ("higher-lower/tempo-up", &["p2: colour pink"])]
    {
        let table = at(ruleset, steps).await?;
        let page = table.p2.page().await?;
        ensure!(!page.text.contains("Round 0"), "{ruleset}: {}", page.text);
        ensure!(region(&page.text, "moves")?.contains("Before round 1"), "{ruleset}: {}", page.text);
        let picture = table.site.visitor()?.get(&format!("{}.svg", table.public())).await?.text;
        ensure!(!picture.contains("After Before"), "{ruleset}: {picture}");
    }
    Ok(())
}

#[tokio::test]
async fn a_deadline_on_another_day_has_its_date() -> Result<()> {
    let typed = [("draws", "umpire")];
    let site = Site::seeded("a live match").await?;
    let table = Table::set(site, "higher-lower/tempo-up", true, &["p1", "p2"], &typed).await?;
    table.p2.submits("colour pink").await?;
    table.until("recorded p2: colour pink").await?;
    let console = table.umpire.get(&table.console).await?;
    let due = "<time datetime=\"2026-11-21T19:00:00.000000Z\">21 Nov 2026, 19:00:00 UTC</time>";
    console.says(&format!("until {due}."))?.says(&format!("Closes {due} (+1 s grace)"))?;
    console.says("asked 20:00:00 + 23 h = 21 Nov 2026 19:00:00")?;
    console
        .says("23 h: new deadline <time datetime=\"2026-11-22T18:00:00.000000Z\">22 Nov 2026, 18:00:00 UTC</time>")?
        .says("15 s: new deadline <time datetime=\"2026-11-21T19:00:15.000000Z\">21 Nov 2026, 19:00:15 UTC</time>")?;
    table.p1.page().await?.says(due)?;
    table.site.visitor()?.get(&format!("{}/live", table.public())).await?.says(due)?;
    // On the same day, the time is shown without a date.
    table.passes(5 * 3600);
    table.p1.page().await?.says(">19:00:00 UTC</time>")?;
    table.umpire.get(&table.console).await?.says(">19:00:00 UTC</time>.")?.says(">20 Nov 2026, 20:00:00 UTC</time>")?;
    Ok(())
}

#[tokio::test]
async fn whoever_waits_for_the_other_sees_the_clock() -> Result<()> {
    let site = Site::seeded("a live match").await?;
    let table = Table::set(site, "higher-lower/tempo-up", true, &["p1", "p2"], &[("draws", "umpire")]).await?;
    let page = table.p1.page().await?;
    page.says("Waiting for Bo.")?.says(" Time until <time datetime=")?;
    let clocks = [&page, &table.p2.page().await?].map(|page| page.attribute(".bar-status .countdown", "data-deadline"));
    let [waiting, asked] = clocks;
    assert_eq!(waiting?, asked?);
    Ok(())
}

#[tokio::test]
async fn what_each_choice_does_is_one_press_away_without_scripts() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let page = table.p1.page().await?;
    let told = page.contents(".abouts dd")?;
    ensure!(told.iter().any(|does| does == "Add 1 chip to the pot"), "{told:?}");
    assert_eq!(page.contents(".abouts dt")?.len(), told.len());
    Ok(())
}

#[tokio::test]
async fn a_card_that_can_be_taken_has_its_name() -> Result<()> {
    let offer = "host: offer G5 B3 R3 R7 B6 G1 G2 G8 B5 R2 B9 G6";
    let steps = [DEALT[0], DEALT[1], "p1: refill", offer, "p1: divide R2 R3 B9 | B3 G5 G6 | aside B6 G8"];
    let table = at("devils-deal/blooming-genius", &[&steps[..], &["p1: discard R2"]].concat()).await?;
    let page = table.p2.page().await?;
    page.says("Take blue 5")?;
    ensure!(!page.text.contains("Take B5"), "{}", page.text);
    table.p2.submits("take B5").await?;
    table.until("recorded p2: take B5").await?;
    Ok(())
}

#[tokio::test]
async fn who_sends_nothing_is_asked_for_a_move() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    table.p1.submits("").await?.is(StatusCode::UNPROCESSABLE_ENTITY)?.says("Choose a move first.")?;
    table.p1.page().await?.says("None yet.")?;
    // Behind the close, what it would be refused for is no longer what matters.
    table.closes().await?;
    let late = table.p1.sends("d1", &table.fresh("late"), "").await?;
    ensure!(!late.text.contains("Choose a move first."), "{}", late.text);
    Ok(())
}
