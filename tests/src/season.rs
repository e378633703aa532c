//! The page of a tournament: evening by evening who met whom, who won, and who fell.

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use crate::archive::played;
use crate::pages::import;
use crate::play::table::RULESET;
use crate::site::Site;
use crate::whole_match::{Played, open};

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
    ensure!(page.content(".lead")?.ends_with("from 1 Mar 2023 to 15 Mar 2023."), "{}", page.content(".lead")?);
    // One day is one date.
    import(&umpire, &played("Flo", "Gus", "Autumn", "2023-09-01", "")?).await?;
    assert_eq!(anybody.get("/events/autumn").await?.content(".lead")?, "1 match, on 1 Sep 2023.");
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

#[tokio::test]
async fn a_void_match_counts_in_no_table_and_the_pages_say_so() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let mut last = String::new();
    for (p2, day) in [("Bo", "2023-03-01"), ("Cy", "2023-03-08"), ("Dov", "2023-03-15")] {
        last = import(&umpire, &played("Ada", p2, "Spring", day, "")?).await?.address;
    }
    let console = format!("/umpire{last}");
    let page = umpire.get(&console).await?;
    umpire.fills_in(&page, &format!("{console}/rule"), &[("text", "Entered twice")]).await?.is(StatusCode::OK)?;
    while app::statistics::count_some(&site.app).await? > 0 {}
    let event = anybody.get("/events/spring").await?;
    event.says("3 matches, from")?.says("Void matches are left out.")?.says("and the match is void")?;
    assert_eq!(event.contents("table[aria-labelledby=standings] tbody th")?, ["Ada", "Bo", "Cy"]);
    assert_eq!(event.contents("table[aria-labelledby=standings] tbody tr:first-child td")?, ["1", "2", "0"]);
    let columns = "table[aria-labelledby=standings] thead th";
    assert_eq!(event.contents(columns)?, ["Place", "Player", "Won", "Lost"], "an empty column is left out");
    let ada = anybody.get("/players/ada").await?;
    ada.says("2 matches ended: 2 won, 0 lost. 1 void match is left out.")?;
    assert_eq!(ada.contents(".form-marks a")?.len(), 2, "as many as ended and count");
    assert_eq!(ada.contents(".form-marks .hint")?, ["W won, L lost"]);
    assert_eq!(ada.contents(".scored [data-label=Ended]")?, ["2", "2"], "by ruleset, and in seat 1");
    anybody.get("/players/ada/prepare").await?.says("2 finished matches, at most the latest 100. Void")?;
    anybody.get("/players/ada/vs/dov").await?.says("Ada won 0, Dov won 0. 1 void match is left out.")?;
    anybody.get("/players/dov/prepare").await?.says("No finished match of <bdi>Dov</bdi>")?;
    // One in which somebody has something is there.
    let running = format!(
        "[DMN \"1\"]\n[Ruleset \"{RULESET}\"]\n[Event \"Spring\"]\n[P1 \"Ada\"]\n[P2 \"Eve\"]\n[Result \"*\"]\n\n"
    );
    open(&umpire, &Played { text: running, steps: Vec::new() }).await?;
    assert_eq!(anybody.get("/events/spring").await?.contents(columns)?.last().map(String::as_str), Some("Running"));
    Ok(())
}
