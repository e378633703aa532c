//! The part of a ruleset's statistics that fits its game: folds and raises, how sets were claimed, the accuracy of
//! predictions, and Blocks grouped by what they are.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;

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

/// A row of the table of what became of actions: how often it was played, and how often each thing became of it.
fn fates(page: &Page, action: &str) -> Result<(i64, Vec<i64>)> {
    let begins = format!("<th scope=\"row\">{action}</th>");
    let row = page.text.split(&begins).find(|text| text.starts_with("<td class=\"num\">")).context("a row")?;
    let cells = row.split("</tr>").next().unwrap_or_default().split("<td").skip(1);
    let number = |cell: &str| -> Result<i64> {
        let (_, told) = cell.split_once('>').context("a cell")?;
        Ok(told.chars().take_while(char::is_ascii_digit).collect::<String>().parse()?)
    };
    let mut numbers = cells.map(number).collect::<Result<Vec<_>>>()?.into_iter();
    Ok((numbers.next().context("times")?, numbers.collect()))
}

#[tokio::test]
async fn predictions_are_told_with_how_often_they_were_right() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches/higher-lower/tempo-up");
    let files = fs::read_dir(folder)?.map(|file| Ok(file?.path())).collect::<Result<Vec<_>>>()?;
    let (mut said, mut right) = ([0, 0], [0, 0]);
    for file in files.iter().filter(|file| file.to_string_lossy().contains("three-boards")) {
        let address = import(&umpire, &fs::read_to_string(file)?).await?.address;
        let history = site.app.matches.history_of(address.trim_start_matches("/m/")).await?;
        for effect in history.steps.iter().flat_map(|step| &step.effects) {
            for (n, word) in ["higher", "lower"].into_iter().enumerate() {
                if effect.subject.ends_with(&format!(" {word}")) {
                    said[n] += 1;
                    right[n] += i64::from(effect.fate == engine::Fate::Resolved);
                }
            }
        }
    }
    count(&site).await?;
    let page = anybody.get("/statistics/higher-lower/tempo-up").await?;
    page.says("What became of it")?.says(">Worked<")?.says(">Failed<")?;
    for (n, action) in ["Higher", "Lower"].into_iter().enumerate() {
        let (times, became) = fates(&page, action)?;
        assert_eq!((times, became), (said[n], vec![right[n], said[n] - right[n]]), "{action}");
        ensure!(right[n] > 0 && right[n] < said[n], "{action} was right {} of {} times", right[n], said[n]);
    }
    Ok(())
}

#[tokio::test]
async fn blocks_are_one_row_that_leads_to_each_of_their_targets() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let targets = ["Steal", "Claim", "Score"];
    for (n, target) in targets.into_iter().enumerate() {
        let played = format!(
            "[DMN \"1\"]\n[Ruleset \"five-card-trick/dm-colosseum-2\"]\n[Date \"2022-05-0{}\"]\n[P1 \"Ada\"]\n\
             [P2 \"Bram\"]\n[Result \"p2\"]\n\n1. grow block:{} / steal\n2. claim / grow\numpire: result p2 walkover\n",
            n + 1,
            target.to_lowercase()
        );
        import(&umpire, &played).await?;
    }
    count(&site).await?;
    let page = anybody.get("/statistics/five-card-trick/dm-colosseum-2/explore").await?;
    page.is(StatusCode::OK)?.says("Finished matches came to this situation 3 times")?;
    // One row for all of them, which leads to their group on the same page.
    let groups = page.addresses("#alike-")?;
    let [group] = &groups[..] else { anyhow::bail!("{groups:?}") };
    let (all, own) = page.text.split_once(&format!("id={:?}", group.trim_start_matches('#'))).context("the group")?;
    for target in targets {
        ensure!(!all.contains(&format!("Block on {target}")), "{target} has a row of its own");
        ensure!(own.contains(&format!("lock on {target}")), "{target} is in the group: {own}");
    }
    // Each row of the group leads to its match.
    let lists = page.addresses("/statistics/five-card-trick/dm-colosseum-2/explore/matches?")?;
    assert_eq!(lists.len(), targets.len(), "{lists:?}");
    for list in lists {
        assert_eq!(listed(&anybody, &list).await?.len(), 1, "{list}");
    }
    Ok(())
}

/// Matches that begin with these lines, counted.
async fn begun_with(site: &Site, lines: &[&str]) -> Result<()> {
    let umpire = site.umpire().await?;
    for (n, line) in (1..).zip(lines) {
        let played = format!(
            "[DMN \"1\"]\n[Ruleset \"five-card-trick/dm-colosseum-2\"]\n[Date \"2022-05-{n:02}\"]\n[P1 \"Ada\"]\n\
             [P2 \"Bram\"]\n[Result \"p2\"]\n\n1. {line}\numpire: result p2 walkover\n"
        );
        import(&umpire, &played).await?;
    }
    count(site).await
}

#[tokio::test]
async fn a_block_is_told_by_its_kind_whatever_it_met() -> Result<()> {
    let site = Site::start().await?;
    let lines = ["grow block:steal / steal", "grow block:claim / claim", "grow block:score / score", "grow / claim"];
    begun_with(&site, &lines).await?;
    let page = site.visitor()?.get("/statistics/five-card-trick/dm-colosseum-2/explore").await?;
    page.is(StatusCode::OK)?.says("Finished matches came to this situation 4 times")?;
    // The drawing has one line for the Blocks.
    let mut drawn = page.contents("svg.matrix text.row")?;
    drawn.sort();
    assert_eq!(drawn, ["Grow", "Grow and Block"]);
    // Each row of the table is told by its kinds; the target is in the group that the row leads to.
    let (rows, groups) = page.text.split_once("id=\"alike-1\"").context("groups")?;
    ensure!(!rows.contains("Block on "), "{rows}");
    assert_eq!(page.addresses("#alike-")?.len(), 3, "{rows}");
    let names = page.contents("details > summary")?;
    for target in ["Steal", "Claim", "Score"] {
        ensure!(names.contains(&format!("Grow and Block against {target}")), "{names:?}");
        ensure!(groups.contains(&format!("Grow and Block on {target}")), "{groups}");
    }
    // Grow against Claim has no target, and leads on at once.
    assert_eq!(page.contents("table.pairs")?.len(), 4);
    Ok(())
}
