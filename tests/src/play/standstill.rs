//! A seat's page while a clock is paused, and after its link was revoked: the state, the counted answer, and the next
//! step for the player.

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use super::table::{RULESET, Table};

/// Everything that people or programs read of the match: its seats, its pages and files, and what an umpire may post.
async fn everywhere(table: &Table) -> Result<Vec<(String, String)>> {
    let (anybody, public) = (table.site.visitor()?, table.public());
    let files = [".dmn", ".json", ".bundle", ".svg", "/live", "/verify"].map(|end| format!("{public}{end}"));
    let mut all = vec![
        ("a seat".to_owned(), table.p1.page().await?.text),
        ("the other seat".to_owned(), table.p2.page().await?.text),
        ("the console".to_owned(), table.umpire.get(&table.console).await?.text),
    ];
    for address in [&[public][..], &files].concat() {
        all.push((address.clone(), anybody.get(&address).await?.is(StatusCode::OK)?.text.clone()));
    }
    Ok(all)
}

#[tokio::test]
async fn an_end_whose_ruling_was_withdrawn_says_who_won_and_nothing_of_its_words() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p1", "p2"]).await?;
    table.act("decide", &[("decided", "forfeit-p2"), ("text", "Bo left the call"), ("clause", "")]).await?;
    table.act("end", &[]).await?.is(StatusCode::OK)?;
    // A rematch is the same game with the seats swapped.
    let again = table.umpire.get(&table.console).await?.attribute(".clock-tools a", "href")?;
    let form = table.umpire.get(&again).await?;
    let filled = |css: &str| form.attribute(css, "value");
    assert_eq!([filled("#ruleset [selected]")?, filled("#p1")?, filled("#p2")?], [RULESET, "Bo", "Ada"]);
    let said = everywhere(&table).await?;
    let telling = said.iter().filter(|(_, text)| text.contains("left the call")).count();
    ensure!(telling > 4, "{telling} of {} say why", said.len());
    let ruling = table.history().await?.remarks.last().map(|remark| remark.entry.0).unwrap_or_default();
    let (to, word) = (format!("/withdraw{}", table.public()), format!("{ruling}:text"));
    table.umpire.post(&to, &[("word", &word), ("asked", "yes")]).await?.says("1 text was erased")?;
    for (place, text) in everywhere(&table).await? {
        for word in ["left the call", "forfeit"] {
            ensure!(!text.contains(word) || place == "the console" && word == "forfeit", "{place} has {word}:\n{text}");
        }
    }
    for (player, title) in [(&table.p1, "You won"), (&table.p2, "You lost")] {
        let page = player.page().await?;
        assert_eq!(page.content(".match-end h2")?, title);
        assert_eq!(page.content(".match-end .reason")?, "Ada won: the umpire's ruling.");
    }
    let page = table.site.visitor()?.get(&table.public()).await?;
    ensure!(page.content(".result")?.contains("Ada won: the umpire's ruling."), "{}", page.content(".result")?);
    page.says("Its text was withdrawn.")?;
    Ok(())
}
