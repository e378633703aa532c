//! The page for somebody who is going to play a player: reached in two clicks, with moments that exist, and without anybody
//! who withdrew their name.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;

use crate::archive::played;
use crate::pages::import;
use crate::site::{Guest, Site};

/// Twelve counted matches of Bram against different players, on different days.
async fn counted(site: &Site) -> Result<Vec<String>> {
    let umpire = site.umpire().await?;
    let mut matches = Vec::new();
    for n in 0..12 {
        let day = format!("2022-05-{:02}", n + 1);
        matches.push(import(&umpire, &played(&format!("Ada {n}"), "Bram", "Counted", &day, "")?).await?.address);
    }
    while app::statistics::count_some(&site.app).await? > 0 {}
    Ok(matches)
}

/// The page, by two clicks from the first one.
async fn in_two_clicks(anybody: &Guest) -> Result<String> {
    let home = anybody.get("/").await?;
    let player = home.addresses("/players/bram")?.into_iter().next().context("the match of the week names Bram")?;
    anybody.get(&player).await?.link("Study Bram’s moves")?.context("a player's page leads on")
}

#[tokio::test]
async fn a_player_is_prepared_for_in_two_clicks_with_numbers_and_moments() -> Result<()> {
    let site = Site::start().await?;
    counted(&site).await?;
    let anybody = site.visitor()?;
    let page = anybody.get(&in_two_clicks(&anybody).await?).await?;
    page.is(StatusCode::OK)?;
    page.says("You against")?.says("12 finished matches")?.says("In all situations")?.says("300 moves")?;
    page.says("First move of a match")?.says("When behind")?.says("When ahead")?.says("Right after their own")?;
    // Bram answered alike in all of them: 12 of 12 in the first round, whose interval begins at 76 %.
    page.says("12 of 12, 100\u{a0}% (76\u{a0}to\u{a0}100)")?;
    ensure!(page.text.contains("class=\"average\""), "no bar has everybody else's share");
    let moments = page.addresses("/m/")?;
    ensure!(moments.len() > 10, "{moments:?}");
    for moment in &moments {
        ensure!(moment.ends_with("/choices"), "{moment}");
    }
    anybody.get(&moments[0]).await?.is(StatusCode::OK)?;
    page.says("Round 1, against Ada 11")?;

    // With a name, the matches against each other come first.
    let form = page.form_to("/players/bram/prepare")?.with("you", "ADA 3");
    let with_name: Vec<String> = form.filled_in().iter().map(|(name, value)| format!("{name}={value}")).collect();
    let page = anybody.get(&format!("/players/bram/prepare?{}", with_name.join("&").replace(' ', "+"))).await?;
    page.says("Ada 3")?.says("1 won, 0 lost")?;
    let both = anybody.get("/players/ada%203/vs/bram").await?;
    let leads = both.link("Study Bram’s moves")?.context("the page of both leads here, too")?;
    anybody.get(&leads).await?.says("1 won, 0 lost")?;
    anybody.get("/players/bram/prepare?you=nobody").await?.says("There are no matches of nobody")?;
    for wrong in ["/players/nobody/prepare", "/players/bram/prepare?ruleset=thwart-13/legends-untold"] {
        anybody.get(wrong).await?.is(StatusCode::NOT_FOUND)?;
    }
    // Habits would tell how matches went.
    let hidden = anybody.get("/players/bram?spoilers=no").await?;
    ensure!(!hidden.text.contains("/prepare") && !hidden.text.contains("form-marks"), "{}", hidden.text);
    Ok(())
}

#[tokio::test]
async fn a_players_page_compares_with_everybody_and_has_the_form() -> Result<()> {
    let site = Site::start().await?;
    counted(&site).await?;
    let page = site.visitor()?.get("/players/bram").await?;
    page.says("After being blocked")?.says("Everybody")?.says("Usually")?;
    ensure!(page.text.contains("class=\"average\""), "bars are beside the average");
    let form = page.attributes(".form-marks a", "title")?;
    assert_eq!(form.len(), 12);
    assert_eq!(form.first().map(String::as_str), Some("Lost against Ada 11"), "the newest first");
    Ok(())
}

#[tokio::test]
async fn whoever_withdrew_their_name_is_in_no_preparation() -> Result<()> {
    let site = Site::start().await?;
    let matches = counted(&site).await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    anybody.get("/players/bram/prepare").await?.says("against Ada 11")?;
    anybody.get("/players/ada%2011/prepare").await?.is(StatusCode::OK)?;
    let newest = matches.last().context("a match")?;
    let withdrawn = [("word", "0:names.p1"), ("asked", "yes")];
    umpire.post(&format!("/withdraw{newest}"), &withdrawn).await?.says("1 text was erased")?;
    let page = anybody.get("/players/bram/prepare").await?;
    page.says("against Ada 10")?.says("275 by others")?;
    ensure!(!page.text.contains("Ada 11"), "{}", page.text);
    anybody.get("/players/ada%2011/prepare").await?.is(StatusCode::NOT_FOUND)?;
    Ok(())
}
