//! The answer to an address of a round that a match does not have: how far the match is.

use anyhow::Result;
use reqwest::StatusCode;

use super::forms::{DEALT, at};
use super::table::{RULESET, Table};
use crate::site::Site;

#[tokio::test]
async fn a_round_that_is_not_there_says_how_far_the_match_is() -> Result<()> {
    let table = Table::recorded(Site::start().await?, RULESET).await?;
    let anybody = table.site.visitor()?;
    let says = async |row: &str, words: &str| -> Result<()> {
        let page = anybody.get(&format!("{}/r/{row}/after", table.public())).await?;
        page.is(StatusCode::NOT_FOUND)?.says(words)?;
        Ok(())
    };
    says("1", "has been played yet.").await?;
    table.records("grow", "claim").await?;
    says("99", "so far is round 1.").await?;
    says("2", "is not over yet. It gets its page when it closes.").await?;
    table.act("rule", &[("result", "p1"), ("clause", ""), ("text", "Conceded.")]).await?;
    says("2", "so far is round 1.").await?;
    table.act("end", &[]).await?;
    says("2", "ended with round 1.").await?;
    // What comes before the first round is no round.
    let table = at("devils-deal/blooming-genius", &DEALT).await?;
    let page = table.site.visitor()?.get(&format!("{}/r/9/after", table.public())).await?;
    page.is(StatusCode::NOT_FOUND)?.says("has been played yet.")?;
    Ok(())
}
