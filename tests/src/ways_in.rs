//! Another way into the record: a match as a table.

use anyhow::{Context, Result, ensure};

use crate::pages::import;
use crate::site::Site;
use crate::whole_match::fixture;

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
