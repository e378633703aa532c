//! Guess the move: a finished match, one player's move asked before each reveal, the guesses in the address alone.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};
use reqwest::StatusCode;

use crate::pages::{import, one_of_each};
use crate::site::Site;
use crate::whole_match::fixture;

const PUZZLER: &str = "five-card-trick/genius-puzzler/dmo-40-p1-noor-marlowe.dmn";

/// Plays every game to its end, each time with the first choice.
#[tokio::test]
async fn every_game_is_guessed_to_its_end_and_nothing_is_shown_before() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let (mut games, mut guessed) = (BTreeSet::new(), BTreeSet::new());
    for file in one_of_each()? {
        let game = file.iter().rev().nth(2).context("a game")?.to_owned();
        games.insert(game.clone());
        let sheet = import(&umpire, &std::fs::read_to_string(&file)?).await?;
        let address = sheet.address.replace(&site.address, "");
        let result = sheet.content("p.result")?.trim().to_owned();
        let chosen = anybody.get(&format!("{address}/guess")).await?;
        chosen.is(StatusCode::OK)?;
        // The number of moves would tell how long the match is.
        ensure!(!chosen.text.contains("moves ("), "{address}/guess counts the moves");
        let begin = chosen.addresses(&format!("{address}/guess/p"))?.into_iter().next();
        // A match may end before anybody has a choice, but no game has none.
        let Some(mut next) = begin else { continue };
        guessed.insert(game);
        let mut asked = 0;
        loop {
            let page = anybody.get(&next).await?;
            page.is(StatusCode::OK)?;
            let choices = page.addresses(&format!("{}?g=", next.split('?').next().unwrap_or_default()))?;
            let Some(first) = choices.into_iter().next() else {
                page.says(&result)?.says(&format!(" of {asked}"))?.says("by chance")?;
                break;
            };
            ensure!(!page.text.contains(&result), "{next} says how it ends");
            page.says(&format!("Question {}. Nothing is stored.", asked + 1))?;
            (asked, next) = (asked + 1, first);
        }
        ensure!(asked > 0, "{}: nothing is asked", file.display());
    }
    assert_eq!(guessed, games);
    assert_eq!(games.len(), 5);
    Ok(())
}

#[tokio::test]
async fn the_score_is_counted_from_the_record_and_the_reveal_is_what_was_played() -> Result<()> {
    let site = Site::start().await?;
    let (umpire, anybody) = (site.umpire().await?, site.visitor()?);
    let address = import(&umpire, &fixture(PUZZLER)?.text).await?.address.replace(&site.address, "");
    let begin = format!("{address}/guess/p1");
    // One looks at every choice, and goes on with the right one: all guesses are right in the end.
    let mut digits = String::new();
    let end = loop {
        let page = anybody.get(&format!("{begin}?g={digits}")).await?;
        let choices = page.is(StatusCode::OK)?.addresses(&format!("{begin}?g="))?.len();
        if choices == 0 {
            break page;
        }
        let mut right = None;
        for choice in 0..choices {
            let page = anybody.get(&format!("{begin}?g={digits}{choice}")).await?;
            if page.text.contains("guess-reveal\" data-right=\"true\"") {
                ensure!(right.is_none(), "one choice is right: {digits}");
                right = Some(choice);
            } else {
                page.says("You said: ")?;
            }
        }
        digits.push_str(&right.context("a right choice")?.to_string());
    };
    let number = digits.len();
    end.says(&format!("You guessed {number} of {number}"))?.says("I guessed 100 % of Noor\u{2019}s moves in ")?;
    // The text to share does not tell how long the match is.
    let squares = end.text.chars().filter(|sign| ['\u{1f7e9}', '\u{2b1c}'].contains(sign)).count();
    assert_eq!(squares, 10);
    for wrong in [format!("{digits}0"), "9".to_owned(), "a".to_owned(), "-1".to_owned(), "\u{664}".to_owned()] {
        let page = anybody.get(&format!("{begin}?g={wrong}")).await?;
        page.is(StatusCode::BAD_REQUEST)?.says("do not fit the questions")?;
    }
    anybody.get(&format!("{address}/guess/host")).await?.is(StatusCode::NOT_FOUND)?;
    Ok(())
}
