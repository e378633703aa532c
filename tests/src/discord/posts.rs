//! The posts in a channel: every public moment once, in order, with the hash that makes the channel a witness.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use ledger::MatchId;
use reqwest::StatusCode;
use serde_json::json;

use super::arena::{ADA, Arena, BO, CHANNEL, UMPIRE, slash, text, umpires};
use super::stand_in::{Mood, Posted};
use crate::umpire_acts::perform;
use crate::wait::until;

/// A node that posts.
fn node(arena: &Arena) -> impl Future<Output = ()> + use<> {
    app::discord::post(arena.site.app.clone(), arena.application.rest().clone())
}

/// Plays a round.
async fn round(arena: &Arena) -> Result<()> {
    arena.submits(ADA, "grow").await?.says("move received.")?;
    arena.gives(UMPIRE, umpires("resolve", &[])).await?.says("Closed.")?;
    Ok(())
}

/// The entry and the hash at the end of a post.
fn witnessed(content: &str) -> Result<(usize, String)> {
    let line = content.lines().last().and_then(|line| line.strip_prefix("-# Entry ")).context("an entry")?;
    let (entry, leaf) = line.split_once(' ').context("a hash")?;
    Ok((entry.parse()?, leaf.trim_matches('`').to_owned()))
}

#[tokio::test]
async fn every_moment_is_posted_in_order_with_its_hash() -> Result<()> {
    let (arena, id) = Arena::with_match("moments", true).await?;
    for _ in 0..3 {
        round(&arena).await?;
    }
    let text = "Bo was asked twice, which is not to be done *again*";
    let ruling = [super::arena::text("text", text), super::arena::text("clause", "0.1")];
    arena.gives(UMPIRE, umpires("rule", &ruling)).await?.says("Recorded as a ruling.")?;
    let posts = arena.discord.until(5).await?;
    let mut last = None;
    for post in &posts {
        let (entry, leaf) = witnessed(&post.content)?;
        assert_eq!(arena.leaf(id, entry).await?, leaf, "{}", post.content);
        ensure!(last < Some(entry), "in order: {:#?}", posts);
        last = Some(entry);
        let [(name, bytes)] = post.files.as_slice() else { anyhow::bail!("a picture: {post:?}") };
        ensure!(name.ends_with(".png") && bytes.starts_with(b"\x89PNG"), "{name}");
    }
    ensure!(posts[0].content.contains("A match begins"), "{}", posts[0].content);
    for (n, post) in posts[1..4].iter().enumerate() {
        ensure!(post.content.contains(&format!("Round {}", n + 1)), "{}", post.content);
    }
    ensure!(posts[4].content.contains(r"not to be done \*again\*"), "{}", posts[4].content);
    Ok(())
}

/// Waits until the posting is stored as complete: a node killed before that would repeat its last post.
async fn noted(arena: &Arena, id: MatchId) -> Result<()> {
    let pool = sqlx::PgPool::connect_with(arena.site.database.clone()).await?;
    let head = i32::try_from(arena.site.app.matches.history(id).await?.head.next.0)?;
    until(async || {
        let next: i32 = sqlx::query_scalar("select next_seq from discord_channels").fetch_one(&pool).await?;
        ensure!(next == head, "what was posted is not noted: {next} of {head}");
        Ok(())
    })
    .await
}

/// The description of a post's picture.
fn alt(post: &Posted) -> String {
    post.payload["attachments"][0]["description"].as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn a_post_that_comes_late_shows_the_moment_that_it_is_about() -> Result<()> {
    let (arena, id) = Arena::with_match("late posts", false).await?;
    arena.discord.until(1).await?;
    noted(&arena, id).await?;
    // While posting is stopped, the umpire rules, two rounds are played, and one of them is struck.
    arena.posting.abort();
    arena.gives(UMPIRE, umpires("rule", &[text("text", "Go on")])).await?.says("Recorded as a ruling.")?;
    round(&arena).await?;
    round(&arena).await?;
    let history = arena.site.app.matches.history(id).await?;
    perform(&arena.site.app, &history, "strike", json!({ "from": 2, "reason": "Misheard" })).await?;
    sqlx::query("update discord_channels set leased_until = now()").execute(&mut arena.site.owner().await?).await?;
    let posting = tokio::spawn(node(&arena));
    let posts = arena.discord.until(5).await?;
    for (post, says, shows, never) in [
        (&posts[1], "Go on", ", before round 1.", "after round"),
        (&posts[2], "Round 1", ", round 1.", "round 2"),
        (&posts[3], "Round 2", ", round 2.", "after round"),
        (&posts[4], "**Back to round 2:** Misheard.", ", after round 1.", "after round 2"),
    ] {
        let alt = alt(post);
        ensure!(post.content.contains(says), "{says}: {}", post.content);
        ensure!(alt.contains(shows) && !alt.contains(never), "{says}: {alt}");
        ensure!(!post.content.contains("struck since"), "{}", post.content);
    }
    // Only the newest post has the open question.
    for (n, post) in posts.iter().enumerate().skip(1) {
        assert_eq!(post.content.contains("up to two actions"), n == 4, "{}", post.content);
    }
    posting.abort();
    Ok(())
}

#[tokio::test]
async fn an_umpires_act_is_posted_in_the_words_of_the_console() -> Result<()> {
    let (arena, id) = Arena::with_match("acts", false).await?;
    round(&arena).await?;
    let history = arena.site.app.matches.history(id).await?;
    let correction = json!({ "step": 1, "moves": { "p1": "score" }, "reason": "misheard *twice*" });
    let history = perform(&arena.site.app, &history, "correct", correction).await?;
    let warning = json!({ "seat": "p2", "clause": "1.8", "text": "slow" });
    let history = perform(&arena.site.app, &history, "warn", warning).await?;
    assert_eq!(history.warnings().p2, 1);
    let posts = arena.discord.until(4).await?;
    let corrected = "**Correction, round 1:** Misheard \\*twice\\*.\nAda\\: Score; before\\: Grow\nNow\\: Ada ";
    ensure!(posts[2].content.contains(corrected), "{}", posts[2].content);
    ensure!(posts[3].content.contains("**Warning to user602, rule 1.8:** Slow."), "{}", posts[3].content);
    Ok(())
}

#[tokio::test]
async fn a_deadline_is_told_as_every_readers_own_clock_shows_it() -> Result<()> {
    let (arena, id) = Arena::with_match("deadlines", true).await?;
    let posts = arena.discord.until(1).await?;
    ensure!(posts[0].content.contains("its clock has not started"), "{posts:#?}");
    arena.gives(UMPIRE, umpires("resume", &[])).await?.says("Done.")?;
    let deadline = async || {
        let history = arena.site.app.matches.history(id).await?;
        let due = history.clocks.last().and_then(record::Clock::deadline).context("a deadline")?;
        Ok::<_, anyhow::Error>(due.micros() / 1_000_000)
    };
    let due = deadline().await?;
    let posts = arena.discord.until(2).await?;
    ensure!(posts[1].content.contains(&format!("due <t:{due}:R>, at <t:{due}:T>")), "{posts:#?}");
    let reason = text("reason", "the server of Bo's town is *down*");
    let more = json!({ "type": 4, "name": "seconds", "value": 5 });
    arena.gives(UMPIRE, umpires("extend", &[more, reason.clone()])).await?.says("Done.")?;
    assert_eq!(deadline().await?, due + 5);
    let posts = arena.discord.until(3).await?;
    ensure!(posts[2].content.contains(r"**5 s more.** The server of Bo's town is \*down\*."), "{posts:#?}");
    ensure!(posts[2].content.contains(&format!("<t:{}:R>", due + 5)), "{posts:#?}");
    arena.gives(UMPIRE, umpires("pause", &[reason])).await?.says("its clock is paused")?;
    let posts = arena.discord.until(4).await?;
    ensure!(posts[3].content.contains("**The clock is paused.** The server of Bo's town"), "{posts:#?}");
    arena.gives(UMPIRE, umpires("pause", &[])).await?;
    let five = json!({ "type": 4, "name": "seconds", "value": 5 });
    arena.gives(UMPIRE, umpires("extend", &[five])).await?.says("No clock runs")?;
    arena.gives(UMPIRE, umpires("resume", &[])).await?.says("due <t:")?;
    let posts = arena.discord.until(5).await?;
    ensure!(posts[4].content.contains("**The clock runs again.**"), "{posts:#?}");
    Ok(())
}

#[tokio::test]
async fn limits_and_faults_are_waited_out_and_nothing_is_posted_twice() -> Result<()> {
    let (arena, _) = Arena::with_match("limits", false).await?;
    arena.discord.until(1).await?;
    let bad_gateway = Mood::Status(StatusCode::BAD_GATEWAY);
    arena.discord.moods([Mood::Limited(400, false), bad_gateway, Mood::Limited(300, true), Mood::LastOne(600)]);
    round(&arena).await?;
    round(&arena).await?;
    let posts = arena.discord.until(3).await?;
    ensure!(posts[1].content.contains("Round 1") && posts[2].content.contains("Round 2"), "{posts:#?}");
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(arena.discord.posts()?.len(), 3);
    Ok(())
}

#[tokio::test]
async fn a_webhook_that_is_gone_is_left_alone_until_somebody_links_the_channel_again() -> Result<()> {
    let (arena, _) = Arena::with_match("gone", false).await?;
    arena.discord.until(1).await?;
    arena.discord.moods([Mood::Status(StatusCode::NOT_FOUND)]);
    round(&arena).await?;
    arena.umpire().await?.until("/umpire/discord", "Stopped. Discord answers 404").await?;
    round(&arena).await?;
    let linked = arena.gives(UMPIRE, umpires("here", &[])).await?;
    ensure!(linked.open && linked.posted.content.contains("This channel follows"), "{:?}", linked.posted);
    round(&arena).await?;
    let posts = arena.discord.until(2).await?;
    ensure!(posts[1].content.contains("Round 3"), "{posts:#?}");
    Ok(())
}

#[tokio::test]
async fn a_post_that_is_refused_keeps_nothing_after_it() -> Result<()> {
    let (arena, _) = Arena::with_match("refused posts", false).await?;
    arena.discord.until(1).await?;
    let refused = || Mood::Status(StatusCode::BAD_REQUEST);
    arena.discord.moods([refused()]);
    round(&arena).await?;
    let posts = arena.discord.until(2).await?;
    ensure!(posts[1].files.is_empty(), "the picture was refused, and is left out");
    arena.discord.moods([refused(), refused()]);
    round(&arena).await?;
    round(&arena).await?;
    let posts = arena.discord.until(3).await?;
    ensure!(posts[2].content.contains("Round 4"), "{posts:#?}");
    Ok(())
}

#[tokio::test]
async fn of_several_nodes_one_posts_and_another_goes_on_where_it_ended() -> Result<()> {
    let (arena, id) = Arena::with_match("nodes", false).await?;
    let others: Vec<_> = (0..3).map(|_| tokio::spawn(node(&arena))).collect();
    for _ in 0..3 {
        round(&arena).await?;
    }
    arena.discord.until(4).await?;
    noted(&arena, id).await?;
    // Any of the nodes may have posted; another one finally takes over its lease.
    arena.posting.abort();
    others.iter().take(2).for_each(tokio::task::JoinHandle::abort);
    sqlx::query("update discord_channels set leased_until = now()").execute(&mut arena.site.owner().await?).await?;
    round(&arena).await?;
    let posts = arena.discord.until(5).await?;
    for (n, post) in posts.iter().enumerate().skip(1) {
        ensure!(post.content.contains(&format!("Round {n}")), "{posts:#?}");
    }
    Ok(())
}

#[tokio::test]
async fn a_channel_follows_one_match_and_leaves_it() -> Result<()> {
    let (arena, id) = Arena::with_match("channels", false).await?;
    arena.discord.until(1).await?;
    // A thread uses the webhook of its channel.
    let mut command =
        arena.discord.command(UMPIRE, 703, arena.now(), umpires("here", &[text("match", &app::slug(id))]));
    command.body["channel"] = json!({ "id": "703", "type": 11, "parent_id": CHANNEL.to_string() });
    ensure!(arena.delivers(&command).await?.open);
    round(&arena).await?;
    let mut places: Vec<String> = arena.discord.until(3).await?[1..].iter().map(|post| post.path.clone()).collect();
    places.sort();
    assert_eq!(places, ["9000701", "9000701 in 703"]);
    arena.gives(UMPIRE, umpires("leave", &[])).await?.says("follows no match any more")?;
    arena.gives(UMPIRE, umpires("leave", &[])).await?.says("follows no match")?;
    arena.gives(BO, slash("state", &[])).await?.says("user602")?;
    Ok(())
}
