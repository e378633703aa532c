//! The page of a tournament: evening by evening who met whom, who won, and who fell.

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use crate::archive::played;
use crate::pages::import;
use crate::site::Site;

#[tokio::test]
async fn a_tournament_is_told_evening_by_evening() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    // Typed in out of order. The first seat wins.
    for (p1, p2, day) in [
        ("Cy", "Ada", "2023-03-15"),
        ("Ada", "Bo", "2023-03-01"),
        ("Ada", "Dov", "2023-03-08"),
        ("Cy", "Eve", "2023-03-08"),
    ] {
        import(&umpire, &played(p1, p2, "Spring", day, "")?).await?;
    }
    let page = anybody.get("/events/spring").await?;
    page.says("Day by day")?;
    let told: Vec<String> = page.contents(".season > li")?;
    ensure!(told.len() == 3, "{told:?}");
    let within = |evening: usize, words: &[&str]| words.iter().all(|words| told[evening].contains(words));
    ensure!(within(0, &["1 Mar 2023", "Ada beat Bo", "Bo is out"]), "{told:?}");
    ensure!(within(1, &["8 Mar 2023", "Ada beat Dov", "Dov is out", "Cy beat Eve", "Eve is out"]), "{told:?}");
    ensure!(within(2, &["15 Mar 2023", "Cy beat Ada", "Ada is out"]), "{told:?}");
    for link in page.attributes(".season a", "href")? {
        anybody.get(&link).await?.is(StatusCode::OK)?;
    }
    page.says("Who met whom")?;
    let cells = page.attributes(".meetings td a", "href")?;
    assert_eq!(cells.len(), 8, "four pairs, from both sides");
    ensure!(cells.contains(&"/players/cy/vs/ada".to_owned()), "{cells:?}");
    // Without spoilers nobody wins, and nobody falls.
    let hidden = anybody.get("/events/spring?spoilers=no").await?;
    ensure!(
        !hidden.text.contains("fell") && !hidden.text.contains("is out") && !hidden.text.contains("class=\"season\""),
        "{}",
        hidden.text
    );
    Ok(())
}
