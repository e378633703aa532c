//! Other ways into the record: a search for an umpire's rulings, a match as a table, and the pages for programmers.

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;

use crate::archive::{rows, text};
use crate::pages::import;
use crate::site::Site;
use crate::whole_match::fixture;

#[tokio::test]
async fn an_umpires_ruling_in_a_match_of_the_past_is_found_and_counted() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let decided = fixture("thwart-13/dm-colosseum-2/umpire-11-p2-noor-juniper.dmn")?;
    import(&umpire, &decided.text).await?;
    import(&umpire, &fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?.text).await?;
    for query in ["?q=walkover", "?q=seen+break", "?rulings=yes", "?ending=umpire"] {
        let found = rows(&anybody, query).await?;
        let [only] = &found[..] else { anyhow::bail!("{query}: {} matches", found.len()) };
        assert_eq!((text(only, "ending"), only["rulings"].as_i64()), ("umpire", Some(1)), "{query}");
    }
    Ok(())
}

#[tokio::test]
async fn a_match_is_a_table_with_a_row_for_each_step() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let played = fixture("five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn")?;
    let page = import(&umpire, &played.text).await?;
    let table = anybody.get(&format!("{}.csv", page.address)).await?;
    let lines: Vec<&str> = table.text.lines().collect();
    assert_eq!(lines.len(), played.steps.len() + 1);
    assert_eq!(lines.first().copied(), Some("step,row,at,line,p1,p2,host,pot,chips_p1,chips_p2"));
    let first = lines.get(1).context("a step")?;
    ensure!(first.starts_with("1,1,") && first.contains(&played.steps[0]), "{first}");
    page.says(".csv\" download>CSV</a>")?;
    Ok(())
}

#[tokio::test]
async fn whoever_writes_a_program_finds_the_way_in() -> Result<()> {
    let site = Site::start().await?;
    let anybody = site.visitor()?;
    anybody.get("/").await?.says("<a href=\"/api\">")?;
    let guide = anybody.get("/api").await?;
    guide.says("<h1>The API</h1>")?.says("id=\"record-a-match\"")?.says("href=\"/api/notation\"")?;
    // The examples have the address of this site.
    guide.says(&format!("SITE:-{}", site.address))?;
    for further in ["/api/notation", "/api/record-format", "/api/v1"] {
        ensure!(anybody.get(further).await?.status == StatusCode::OK, "{further}");
    }
    Ok(())
}
