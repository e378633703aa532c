//! A seat's page while a clock is paused, and after its link was revoked: the state, the counted answer, and the next
//! step for the player.

use anyhow::{Result, ensure};
use reqwest::StatusCode;

use super::table::{RULESET, Table};
use crate::site::Site;

#[tokio::test]
async fn a_clock_that_stands_still_says_what_it_waits_for_and_what_counts() -> Result<()> {
    let table = Table::opened(Site::seeded("a live match").await?, RULESET, Some("posted"), &["p1", "p2"], &[]).await?;
    let page = table.p1.page().await?;
    page.says("60 seconds once the umpire starts the clock. You can send now, and change it. Without a move: nothing")?;
    page.says("No clock yet")?;
    let sent = table.p1.submits("grow").await?;
    sent.says("move received.")?.says("You can send now, and change it.")?.says("To change it, choose again.")?;
    table.clock("run", &[]).await?;
    let until = "until <time datetime=\"2026-11-20T20:01:00.000000Z\">20:01:00 UTC</time>.";
    table.p1.page().await?.says("You can change your move until")?.says(until)?;
    table.passes(15);
    table.clock("pause", &[("reason", "a break")]).await?;
    let page = table.p1.page().await?;
    page.says("Paused: A break. 45 seconds left.")?;
    page.says("You can still send your move, and change it.")?;
    table.passes(100);
    table.p1.submits("claim").await?.says("move received.")?;
    table.clock("run", &[]).await?;
    ensure!(!table.p1.page().await?.content(".ask-rule")?.contains("break"), "the pause is over");
    table.clock("pause", &[]).await?;
    table.p1.page().await?.says("Paused. 45 seconds left.")?;
    Ok(())
}

#[tokio::test]
async fn a_pause_is_news_while_it_lasts_and_two_acts_hide_no_table() -> Result<()> {
    let table = Table::opened(Site::seeded("a live match").await?, RULESET, Some("posted"), &["p1", "p2"], &[]).await?;
    table.clock("run", &[]).await?;
    table.clock("pause", &[("reason", "a break")]).await?;
    let said = async |css: &str| table.p1.page().await?.contents(&format!("[data-region=umpire] {css}"));
    assert_eq!(said("> dialog b").await?, ["The clock was paused."]);
    table.act("rule", &[("text", "Go on in five minutes"), ("result", ""), ("clause", "")]).await?;
    // The newest is open, and the other one press away.
    assert_eq!(said("> dialog b").await?, ["Ruling."]);
    assert_eq!(said("> .more-alerts > summary").await?, ["1 more"]);
    assert_eq!(said("> .more-alerts dialog b").await?, ["The clock was paused."]);
    table.clock("run", &[]).await?;
    assert_eq!(said("dialog b").await?, ["Ruling."]);
    let acts = table.p1.page().await?.content("[data-region=umpire-before]")?;
    ensure!(acts.contains("The clock was paused. A break."), "it is kept below: {acts}");
    Ok(())
}

#[tokio::test]
async fn an_end_by_a_ruling_says_why_and_says_once_what_it_waits_for() -> Result<()> {
    let table = Table::with_links(RULESET, false, &["p1", "p2"]).await?;
    table.act("decide", &[("decided", "forfeit-p2"), ("text", "Bo left the call"), ("clause", "")]).await?;
    let why = "Bo forfeits. Bo left the call.";
    for (player, title) in [(&table.p1, "You won"), (&table.p2, "Ada won")] {
        let page = player.page().await?;
        assert_eq!(page.content(".match-end h2")?, title);
        assert_eq!(page.content(".match-end p")?, format!("{why} Waiting for the umpire to confirm."));
        assert_eq!(page.text.matches("Waiting for the umpire to confirm").count(), 1, "{}", page.text);
    }
    let result = table.site.visitor()?.get(&table.public()).await?.content(".result")?;
    ensure!(result.contains(&format!("Ada won: the umpire's ruling. {why}")), "{result}");
    Ok(())
}

#[tokio::test]
async fn each_early_end_says_its_words_once() -> Result<()> {
    let waits = " Waiting for the umpire to confirm.";
    for (decided, added, title, why) in [
        ("forfeit-p2", "left the call", "Ada won", "Bo forfeits. Left the call."),
        ("forfeit-p2", "bo forfeits", "Ada won", "Bo forfeits."),
        ("forfeit-both", "both left", "Nobody won", "Double forfeit: both players forfeit. Both left."),
        ("annulled", "played by other rules", "The match does not count", "Annulled. Played by other rules."),
        ("walkover-p2", "", "Ada won", "Walkover: Bo did not come."),
    ] {
        let table = Table::with_links(RULESET, false, &["p2"]).await?;
        table.act("decide", &[("decided", decided), ("text", added), ("clause", "")]).await?.is(StatusCode::OK)?;
        let page = table.p2.page().await?;
        assert_eq!(page.content(".match-end h2")?, title);
        assert_eq!(page.content(".match-end p")?, format!("{why}{waits}"));
        let result = match decided {
            "forfeit-both" => "Undecided: the umpire's ruling.",
            "annulled" => "Void, by the umpire's ruling: the match does not count.",
            _ => "Ada won: the umpire's ruling.",
        };
        let public = table.site.visitor()?.get(&table.public()).await?;
        ensure!(public.content(".result")?.contains(&format!("{result} {why}")), "{}", public.content(".result")?);
        let sheet = public.contents("tr.ruling td")?.join("\n");
        ensure!(sheet.contains(&format!("Ruling. {result} {why} (")), "{sheet}");
        table.act("end", &[]).await?.is(StatusCode::OK)?;
        let posts = table.umpire.get(&table.console).await?.contents("pre")?;
        for begins in [format!("{result} {why}\n"), format!("Ruling: {why} {result}\n")] {
            ensure!(posts.iter().any(|post| post.starts_with(&begins)), "{begins} is not among {posts:#?}");
        }
    }
    Ok(())
}

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
    for (player, title) in [(&table.p1, "You won"), (&table.p2, "Ada won")] {
        let page = player.page().await?;
        assert_eq!(page.content(".match-end h2")?, title);
        assert_eq!(page.content(".match-end p")?, "Ada won: the umpire's ruling.");
    }
    let page = table.site.visitor()?.get(&table.public()).await?;
    ensure!(page.content(".result")?.contains("Ada won: the umpire's ruling."), "{}", page.content(".result")?);
    page.says("Its text was withdrawn.")?;
    Ok(())
}

#[tokio::test]
async fn a_question_that_the_first_answer_closes_says_so_while_its_clock_stands_still() -> Result<()> {
    let site = Site::seeded("a live match").await?;
    let table = Table::opened(site, "thwart-13/dm-colosseum-2", Some("posted"), &["p1", "p2"], &[]).await?;
    table
        .p1
        .page()
        .await?
        .says("60 seconds once the umpire starts the clock. Even now your first valid move counts, for good.")?;
    Ok(())
}

#[tokio::test]
async fn whoever_lost_the_seat_reads_what_to_do() -> Result<()> {
    let table = Table::laid(RULESET, false).await?;
    let link = table.link("p1").await?;
    table.revokes_all_links().await?;
    let links = table.umpire.get(&format!("{}/links", table.console)).await?;
    assert_eq!(links.text.matches("revoked. Nobody can use").count(), 2, "{}", links.text);
    ensure!(!links.text.contains("No link yet"), "{}", links.text);
    let page = table.p1.page().await?;
    page.is(StatusCode::UNAUTHORIZED)?.says("the umpire revoked it")?.says("What was received before still counts")?;
    let guest = table.site.visitor()?;
    let page = guest.read(guest.http.get(&link).send().await?).await?;
    page.is(StatusCode::GONE)?
        .says("ask the umpire for a new one")?
        .says("can enter it with the time of your message")?;
    // A visitor who never had the seat gets another message.
    guest.get(&table.p1.home).await?.says("This seat is not open in this browser")?;
    Ok(())
}

#[tokio::test]
async fn after_its_deadline_a_question_says_what_counts() -> Result<()> {
    // The deadline only rings, because the other seat has no link.
    let table = Table::with_links(RULESET, true, &["p1"]).await?;
    table.p1.page().await?.says("You can change your move until")?.says("Your turn")?;
    table.passes(600);
    let page = table.p1.page().await?;
    page.says("Time is up.</b> Without a move: nothing is played.")?;
    page.says("A move sent now is late: it counts only if the umpire admits it.")?;
    for before in ["You can change your move", "Your turn"] {
        ensure!(!page.text.contains(before), "{before}: {}", page.text);
    }
    // The form is still there, for a move that only the umpire can admit.
    table.p1.submits("grow").await?.is(StatusCode::CONFLICT)?.says("The umpire has it")?;
    table.admits("p1").await?;
    table.p1.page().await?.says("Time is up.</b> What you sent counts.")?;
    Ok(())
}
