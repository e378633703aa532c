//! The part of a ruleset's statistics that fits its game: folds and raises, and how sets were claimed.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::page::Page;
use crate::pages::import;
use crate::site::Site;
use crate::statistics::{count, listed};

/// A table: its caption's number of answers, and each row's words and count.
type Counts = (i64, Vec<(String, i64)>);

/// The tables below a heading.
fn tables(page: &Page, id: &str) -> Result<Vec<Counts>> {
    let (_, section) = page.text.split_once(&format!("id=\"{id}\"")).context("a section")?;
    let section = section.split("<h2").next().unwrap_or_default();
    let table = |text: &str| -> Result<Counts> {
        let caption =
            text.split_once(" move").and_then(|(before, _)| before.rsplit(' ').next()).context("a caption")?;
        let rows = text.split("<th scope=\"row\">").skip(1).map(|row| -> Result<(String, i64)> {
            let (words, rest) = row.split_once("</th><td>").context("a row")?;
            Ok((words.to_owned(), rest.split(' ').next().unwrap_or_default().parse()?))
        });
        Ok((caption.parse()?, rows.collect::<Result<_>>()?))
    };
    section.split("<table").skip(1).map(table).collect()
}

#[tokio::test]
async fn folds_and_raises_and_claims_have_a_section_of_their_own() -> Result<()> {
    let site = Site::seeded("sections").await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let matches = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches");
    for folder in ["devils-deal/blooming-genius", "thwart-13/legends-untold"] {
        for file in fs::read_dir(matches.join(folder))? {
            import(&umpire, &fs::read_to_string(file?.path())?).await?;
        }
    }
    count(&site).await?;
    let bets = anybody.get("/statistics/devils-deal/blooming-genius").await?;
    bets.says("Folds and raises")?;
    let [(first, opened), (after, answered)] = &tables(&bets, "answers")?[..] else { anyhow::bail!("two tables") };
    // Nobody calls before a raise, and each raise is answered once, unless an umpire ended the match.
    let of = |rows: &[(String, i64)], kind: &str| rows.iter().find(|row| row.0 == kind).map_or(0, |row| row.1);
    ensure!(of(opened, "Calls") == 0 && of(answered, "Calls") > 0, "{opened:?}, {answered:?}");
    let sum = |rows: &[(String, i64)]| rows.iter().map(|row| row.1).sum::<i64>();
    assert_eq!([*first, *after], [sum(opened), sum(answered)]);
    let raises = of(opened, "Raises") + of(answered, "Raises");
    ensure!((raises - 2..=raises).contains(after), "{after} answers to {raises} raises");
    let lists = bets.addresses("/statistics/devils-deal/blooming-genius/matches?")?;
    let list = lists.iter().find(|list| list.contains("after_p1=raise")).context("the folds to a raise")?;
    ensure!(!listed(&anybody, list).await?.is_empty(), "{list}");
    anybody.get(list).await?.says(", right after Seat 1: Raises")?;
    // A seat that was not asked is not told as one that answered.
    ensure!(!bets.text.contains("Not asked"), "{}", bets.text);
    let followed = bets.addresses("/statistics/devils-deal/blooming-genius/followed?what=bet&p1=raise")?;
    let followed = anybody.get(followed.first().context("what followed a raise")?).await?;
    followed.says("What followed \u{201c}Seat 1: Raises\u{201d}")?.says("The matches with this")?;

    let sets = anybody.get("/statistics/thwart-13/legends-untold").await?;
    sets.says("How sets were claimed")?.says("Each selected card: ")?.says("Claims the card to the front hand")?;
    let [cards, shown] = &tables(&sets, "answers")?[..] else { anyhow::bail!("two tables") };
    ensure!(cards.1.len() >= 4 && cards.0 > 100 && shown.0 > 0, "{cards:?}, {shown:?}");
    // A player's page has the same answers as habits, beside everybody's.
    let player = anybody.get("/players/ilse").await?;
    player.says("Bet, ")?.says("Raises")?.says("Folds")?;
    ensure!(
        !anybody.get("/statistics/five-card-trick/dm-colosseum-2").await?.text.contains("id=\"answers\""),
        "a section for a game that has none"
    );
    Ok(())
}
