//! The acts of an umpire around the game: warnings, decisions, handovers, private notes, and planned matches.

use anyhow::{Result, ensure};
use app::archive::Filter;

use crate::site::Site;
use crate::whole_match::{fixture, open, record};

const FIXTURE: &str = "five-card-trick/dm-colosseum-2/more-chips-25-p1-quill-okapi.dmn";

#[tokio::test]
async fn a_match_is_handed_over_and_the_archive_knows_both_umpires() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, vera) = (site.umpire().await?, site.umpire_called("Vera").await?);
    let console = open(&umpire, &fixture(FIXTURE)?).await?;
    let page = umpire.get(&console).await?;
    let id = page.option("Vera")?;
    let to = format!("{console}/hand");
    // A closed account cannot take over a match.
    let (pool, system) = (site.app.pool(), site.app.system());
    let gus = app::account::add(pool, system, &app::account::OPERATOR, "Gus").await?;
    umpire.get(&console).await?.says(">Gus<")?;
    app::account::set_closed(pool, system, &app::account::OPERATOR, &gus, true).await?;
    ensure!(!umpire.get(&console).await?.text.contains(">Gus<"), "the account is closed");
    umpire.fills_in(&page, &to, &[("to", &gus.id), ("text", "x")]).await?.says("Say whose match it becomes")?;
    umpire.fills_in(&page, &to, &[("to", &id), ("text", "")]).await?.says("Say why")?;
    umpire.fills_in(&page, &to, &[("to", "nobody"), ("text", "x")]).await?.says("Say whose match it becomes")?;
    umpire
        .fills_in(&page, &to, &[("to", &id), ("text", "Ursula plays herself")])
        .await?
        .says("The match has its new umpire.")?;
    umpire.get(&console).await?.says("This is the match of Vera")?.says("Ursula handed the match to Vera")?;
    let hers = vera.get(&console).await?;
    ensure!(!hers.text.contains("This is the match of"), "it is hers");
    record(&vera, &console, "1. score / grow").await?;
    let mut both = Vec::new();
    for name in ["Ursula", "Vera"] {
        let id = app::account::named(site.app.pool(), name).await?.id;
        let listed = site.app.archive().list(&Filter { umpire: Some(id.clone()), ..Filter::default() }, None).await?;
        assert_eq!(listed.matches.len(), 1, "{name} has run it");
        both.push(id);
    }
    let umpires: Vec<String> =
        sqlx::query_scalar("select umpires from archive").fetch_one(&mut site.owner().await?).await?;
    assert_eq!(umpires, both);
    let public = console.replace("/umpire", "");
    let verified = site.visitor()?.get(&format!("{public}/verify")).await?;
    verified.says("Handed to another umpire once")?.says("Ursula plays herself")?;
    Ok(())
}
