//! Players submit their moves from Discord.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use engine::Seat;
use ledger::Policy;
use record::receipts::{ReceiptFile, ReceiptStatus};
use serde_json::json;

use super::arena::{ADA, Arena, BO, STRANGER, UMPIRE, slash, text, umpires, who};
use crate::wait::until;

#[tokio::test]
async fn a_round_is_played_from_discord_and_its_receipts_become_proofs() -> Result<()> {
    let (arena, id) = Arena::with_match("a round", false).await?;
    let before = arena.discord.until(1).await?.len();
    let read = arena.submits(ADA, "grow").await?;
    read.says(r"**Round 1\: move received.** For Ada.")?
        .says(r"-# Receipt for Round 1\: Grow, `")?
        .says("until the umpire closes")?;
    arena.submits(BO, "claim").await?.says("For user602")?;
    assert_eq!(arena.discord.posts()?.len(), before, "what a seat does is told nobody");
    arena.gives(UMPIRE, umpires("resolve", &[])).await?.says("Closed.")?;
    let posts = arena.discord.until(before + 1).await?;
    let told = &posts.last().context("a post")?.content;
    ensure!(told.contains("Round 1") && told.contains("Grow"), "{told}");

    let receipts = arena.gives(ADA, slash("receipt", &[])).await?;
    receipts.says(r"**Your last receipt: Round 1\: Grow.** It is in the record.")?;
    let [(name, bytes)] = receipts.posted.files.as_slice() else { anyhow::bail!("{:?}", receipts.posted) };
    ensure!(name.ends_with("-p1.receipts.jsonl"), "{name}");
    let checked = ReceiptFile::read(bytes)?.check(&Policy::read(b"quorum none\n")?);
    ensure!(matches!(checked.as_slice(), [one] if matches!(one.status, ReceiptStatus::Proven { counted: true, .. })));
    let (_, report) = arena.site.app.checks.check(id).await?;
    ensure!(report.is_good(), "{report:#?}");
    Ok(())
}

#[tokio::test]
async fn a_player_takes_a_seat_by_the_private_link() -> Result<()> {
    let (arena, id) = Arena::with_match("links", false).await?;
    arena.submits(STRANGER, "grow").await?.says("You sit in no running match here.")?;
    let none = format!("{}/play/{}", arena.address, "ab".repeat(32));
    arena.gives(STRANGER, slash("link", &[text("code", &none)])).await?.says("This opens nothing")?;
    let chair = app::account::player::SeatRef { match_id: id, seat: Seat::P1 };
    let token = app::account::player::make_link(arena.site.app.pool(), arena.site.app.system(), chair).await?;
    let link = format!("{}/play/{}", arena.address, token.reveal());
    arena.gives(STRANGER, slash("link", &[text("code", &link)])).await?.says("You play as Ada against user602")?;
    arena.gives(BO, slash("link", &[text("code", &link)])).await?.says("cannot play both seats")?;
    arena.submits(STRANGER, "grow").await?.says("move received.")?;
    // Revoking the link removes the account from the seat.
    let links = app::account::player::links(arena.site.app.pool(), id).await?;
    for link in links {
        app::account::player::revoke(arena.site.app.pool(), arena.site.app.system(), id, &link.name).await?;
    }
    for user in [STRANGER, ADA, BO] {
        arena.submits(user, "claim").await?.says("You sit in no running match here.")?;
    }
    Ok(())
}

#[tokio::test]
async fn a_command_that_is_delivered_twice_counts_once() -> Result<()> {
    let (arena, id) = Arena::with_match("twice", false).await?;
    let command = arena.discord.command(ADA, 1, arena.now(), slash("submit", &[text("move", "grow")]));
    let first = arena.delivers(&command).await?;
    let second = arena.delivers(&command).await?;
    assert_eq!(first.says("move received.")?.posted.content, second.posted.content);
    let decision = "d1".parse()?;
    assert_eq!(arena.site.app.submissions.received(id, &decision).await?.len(), 1);
    // The umpire's command, delivered twice, closes one decision.
    let resolve = arena.discord.command(UMPIRE, super::arena::CHANNEL, arena.now(), umpires("resolve", &[]));
    let (one, two) = tokio::join!(arena.delivers(&resolve), arena.delivers(&resolve));
    one?.says("Closed.")?;
    two?.says("Closed.")?;
    let history = arena.site.app.matches.history(id).await?;
    assert_eq!((history.steps.len(), history.open.len()), (1, 1));
    Ok(())
}

#[tokio::test]
async fn discords_own_clock_counts_and_not_ours() -> Result<()> {
    let (arena, id) = Arena::with_match("clocks", true).await?;
    let app = &arena.site.app;
    arena.gives(UMPIRE, umpires("resume", &[])).await?.says("due <t:")?;
    let history = app.matches.history(id).await?;
    let due = history.clocks.first().and_then(record::Clock::deadline).context("a deadline")?;
    let left = Duration::from_micros(u64::try_from(due.micros() - arena.now().micros())?);
    arena.passes(left.checked_sub(Duration::from_millis(200)).context("time")?);
    let (in_time, at) = (slash("submit", &[text("move", "grow")]), arena.now());
    let in_time = arena.discord.command(ADA, 1, at, in_time);
    // It arrives two and a half seconds after the deadline, and was given before it.
    arena.passes(Duration::from_millis(2700));
    tokio::time::sleep(Duration::from_millis(200)).await;
    arena.delivers(&in_time).await?.says("move received.")?;
    arena.submits(BO, "claim").await?.says("Your move came too late")?;
    ensure!(app.matches.history(id).await?.steps.is_empty(), "it waits for what is on its way from there");
    let received = app.submissions.received(id, &"d1".parse()?).await?;
    assert_eq!(received.iter().map(|row| row.at).collect::<Vec<_>>(), [at]);
    // A command given before a question was asked never counts for that question.
    let early = arena.discord.command(ADA, 1, arena.now(), slash("submit", &[text("move", "grow")]));
    arena.passes(Duration::from_secs(4));
    until(async || {
        ensure!(app.matches.history(id).await?.steps.len() == 1, "the decision closes");
        Ok(())
    })
    .await?;
    arena.delivers(&early).await?.says("sent before the present question was put")?;
    Ok(())
}

#[tokio::test]
async fn what_is_no_move_is_refused_in_a_sentence() -> Result<()> {
    let (arena, id) = Arena::with_match("refused", false).await?;
    for notation in ["dance", "grow grow grow", "-", "гроу", "*grow*", "@everyone", &"x".repeat(601)] {
        let read = arena.submits(ADA, notation).await?;
        ensure!(!read.open && !read.posted.content.contains("move received"), "{notation}: {}", read.posted.content);
        ensure!(!read.posted.content.contains("{p1}"), "{}", read.posted.content);
    }
    ensure!(arena.site.app.submissions.received(id, &"d1".parse()?).await?.is_empty(), "nothing is stored");
    arena.gives(ADA, slash("submit", &[])).await?.says("Nothing is written")?;
    arena.gives(ADA, slash("receipt", &[])).await?.says("no receipt of yours yet")?;
    Ok(())
}

#[tokio::test]
async fn words_are_offered_while_a_move_is_typed() -> Result<()> {
    let (arena, id) = Arena::with_match("typing", false).await?;
    let offers = async |name: &str, option: &str, typed: &str, user: i64| {
        let option = json!({ "type": 3, "name": option, "value": typed, "focused": true });
        let mut command = arena.discord.command(user, 1, arena.now(), slash(name, &[option]));
        command.body["type"] = json!(4);
        let answer = arena.discord.first_answer(&arena.address, arena.now(), &command).await?;
        arena.discord.posts()?;
        let choices = answer["data"]["choices"].as_array().context("choices")?;
        Ok::<_, anyhow::Error>(
            choices.iter().map(|choice| choice["value"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>(),
        )
    };
    ensure!(offers("submit", "move", "", ADA).await?.contains(&"grow".to_owned()));
    assert_eq!(offers("submit", "move", "gr", ADA).await?, ["grow"]);
    let second = offers("submit", "move", "grow ", ADA).await?;
    ensure!(second.contains(&"grow claim".to_owned()), "{second:?}");
    ensure!(offers("submit", "move", "", STRANGER).await?.is_empty());
    assert_eq!(offers("submit", "match", "", ADA).await?, [app::slug(id)]);
    ensure!(offers("submit", "match", "", STRANGER).await?.is_empty(), "others' matches are not offered to play");
    ensure!(offers("rules", "rules", "thwart", ADA).await?.iter().all(|id| id.starts_with("thwart-13/")));
    Ok(())
}

#[tokio::test]
async fn an_account_in_two_matches_says_which() -> Result<()> {
    let (arena, first) = Arena::with_match("two matches", false).await?;
    arena.opens(702, false).await?;
    arena.in_channel(ADA, 1, slash("submit", &[text("move", "grow")])).await?.says("more than one match")?;
    let named = slash("submit", &[text("move", "grow"), text("match", &app::slug(first))]);
    arena.in_channel(ADA, 1, named).await?.says("move received.")?;
    // A channel that follows one of the matches selects it.
    arena.in_channel(ADA, 702, slash("submit", &[text("move", "claim")])).await?.says("move received.")?;
    assert_eq!(arena.site.app.submissions.received(first, &"d1".parse()?).await?.len(), 1);
    let seat = [text("seat", "p2"), who("player", ADA)];
    arena.gives(UMPIRE, umpires("seat", &seat)).await?.says("cannot play both seats")?;
    let seat = [text("seat", "p2"), who("player", STRANGER)];
    arena.gives(UMPIRE, umpires("seat", &seat)).await?.says("plays as user602 from now on")?;
    arena.submits(STRANGER, "grow").await?.says("For user602")?;
    Ok(())
}
