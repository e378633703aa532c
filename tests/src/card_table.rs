//! Cards where they are played: the hands of a showdown on the table, and cards in the score sheet and in what happened.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use crate::pages::import;
use crate::site::Site;

/// The address of an imported match of Devil's Deal that has a showdown.
async fn with_showdown(site: &Site) -> Result<String> {
    let umpire = site.umpire().await?;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches/devils-deal/blooming-genius");
    let mut files: Vec<_> = fs::read_dir(folder)?.filter_map(Result::ok).map(|file| file.path()).collect();
    files.sort();
    for file in files {
        let address = import(&umpire, &fs::read_to_string(file)?).await?.address;
        if umpire.get(&format!("{address}.json")).await?.text.contains("the better hand") {
            return Ok(address);
        }
    }
    anyhow::bail!("no match has a showdown")
}

#[tokio::test]
async fn a_showdown_has_both_hands_on_the_table_with_their_names() -> Result<()> {
    let site = Site::start().await?;
    let address = with_showdown(&site).await?;
    let anybody = site.visitor()?;
    let sheet = anybody.get(&address).await?;
    let moments: BTreeSet<String> = sheet.addresses("/m/")?.into_iter().filter(|at| at.ends_with("/after")).collect();
    let mut shown = 0;
    for moment in moments {
        let page = anybody.get(&moment).await?;
        let hands = page.attributes(".state-held [aria-label^='Hand, ']", "aria-label")?;
        let told = page.content("[data-part=told]")?;
        let is_showdown = ["the better hand", "hands are equal"].iter().any(|words| told.contains(words));
        ensure!(hands.is_empty() != is_showdown, "{moment}: {hands:?}");
        if hands.is_empty() {
            continue;
        }
        assert_eq!(hands.len(), 2, "{moment}");
        let names = ["a high card", "a pair", "a flush", "a straight", "a straight flush", "three of a kind"];
        ensure!(hands.iter().all(|hand| names.iter().any(|name| hand.contains(name))), "{hands:?}");
        ensure!(page.text.contains("class=\"chips-drawn\""), "{moment} draws no chips");
        // What happened is drawn with cards, and read in the notation.
        ensure!(page.text.contains("class=\"glyph\""), "{moment}");
        // Its picture shows the same hands, and says them to who cannot see it.
        let picture = anybody.get(&format!("{moment}.svg")).await?;
        for hand in &hands {
            let name = hand.split(", ").nth(1).and_then(|rest| rest.split(" of ").next()).context("a hand's name")?;
            picture.says(&format!("hand: {name} "))?;
            picture.says(&format!(">{name}<"))?;
        }
        shown += 1;
    }
    ensure!(shown > 0, "no moment is a showdown");
    Ok(())
}

#[tokio::test]
async fn the_score_sheet_of_a_card_game_draws_cards_and_keeps_the_notation() -> Result<()> {
    let site = Site::start().await?;
    let address = with_showdown(&site).await?;
    let sheet = site.visitor()?.get(&address).await?;
    let drawn = sheet.contents(".sheet .glyphs")?;
    ensure!(!drawn.is_empty(), "no cards are drawn");
    let hidden = sheet.attributes(".sheet .glyphs", "aria-hidden")?;
    ensure!(hidden.iter().all(|hidden| hidden == "true") && hidden.len() == drawn.len(), "{hidden:?}");
    let read = sheet.contents(".sheet .act-name > .sr")?;
    let first = read.iter().find(|words| words.split(' ').any(|word| word.len() == 2)).context("no card is read")?;
    ensure!(first.chars().any(|sign| sign.is_ascii_digit()), "{first}");
    Ok(())
}

/// How matches of every card game end, and how often this is on the table then: a group of cards, or a board.
const ENDS: [(&str, &str, usize); 5] = [
    // A showdown, and a fold, after which nobody showed anything.
    ("devils-deal/blooming-genius/no-chips-5-p2-ilse-marlowe.dmn", "aria-label=\"Hand, ", 2),
    ("devils-deal/blooming-genius/no-penalty-2-p2-ilse-omalley.dmn", "aria-label=\"Private cards, ", 4),
    ("thwart-13/dm-colosseum-2/more-hands-29-p1-ilse-wren.dmn", "aria-label=\"Hands, ", 6),
    ("thwart-13/legends-untold", "aria-label=\"Hands, ", 6),
    ("higher-lower/tempo-up/three-boards-3-p1-kestrel-marlowe.dmn", "<caption>Board ", 5),
];

/// The text of this fixture, or of the first one in this folder.
fn ended(path: &str) -> Result<String> {
    let mut path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/matches").join(path);
    if path.is_dir() {
        let files = fs::read_dir(&path)?.filter_map(Result::ok).map(|file| file.path());
        path = files.min().context("a match")?;
    }
    Ok(fs::read_to_string(path)?)
}

#[tokio::test]
async fn the_sheet_of_every_card_game_begins_with_the_table_at_the_end_and_draws_cards() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    for (played, name, count) in ENDS {
        let address = import(&umpire, &ended(played)?).await?.address;
        let page = anybody.get(&address).await?;
        let at = |words: &str| page.text.find(words).with_context(|| format!("{played}: no {words:?}"));
        let (table, sheet) = (at("<h2>Final position</h2>")?, at("<h2 id=\"sheet-title\">")?);
        ensure!(table < sheet, "{played}: the table is above the sheet");
        let table = &page.text[table..sheet];
        assert_eq!(table.matches(name).count(), count, "{played}: {table}");
        let cells = page.contents(".sheet .glyph")?;
        // Moves of Higher or Lower name places, and no cards.
        ensure!(cells.is_empty() == played.starts_with("higher-lower"), "{played}: {cells:?}");
        // Without spoilers nothing of it is there.
        let hidden = anybody.get(&format!("{address}?spoilers=no")).await?;
        ensure!(!hidden.text.contains("Final position"), "{played}");
    }
    Ok(())
}
