//! "Record move": a player's message in the chat, with the time when Discord received it.

use std::time::Duration;

use anyhow::{Result, ensure};
use ledger::Moment;
use serde_json::{Value, json};

use super::arena::{ADA, Arena, STRANGER, UMPIRE};
use super::stand_in::account;

fn on_message(arena: &Arena, author: i64, at: Moment, content: &str, edited: Option<&str>) -> Value {
    let id = arena.discord.id(at).to_string();
    let message = json!({
        "id": id, "type": 0, "content": content, "channel_id": "701", "author": account(author),
        "timestamp": at.to_string(), "edited_timestamp": edited, "attachments": [], "embeds": [], "pinned": false,
    });
    json!({ "id": "1", "type": 3, "name": "Record move", "target_id": id, "resolved": { "messages": { id: message } } })
}

#[tokio::test]
async fn the_umpire_records_what_a_player_typed() -> Result<()> {
    let (arena, id) = Arena::with_match("record", false).await?;
    arena.passes(Duration::from_secs(5));
    let sent = arena.now();
    arena.passes(Duration::from_secs(5));
    let typed = on_message(&arena, ADA, sent, " grow ", None);
    arena.gives(ADA, typed.clone()).await?.says("This is for umpires.")?;
    let seconds = sent.micros() / 1_000_000;
    arena.gives(UMPIRE, typed).await?.says("**Recorded** for Ada")?.says(&format!("Sent <t:{seconds}:T>"))?;
    let received = arena.site.app.submissions.received(id, &"d1".parse()?).await?;
    assert_eq!(received.len(), 1);

    let edited = on_message(&arena, ADA, sent, "claim", Some("2026-11-20T20:00:07.000000+00:00"));
    arena.gives(UMPIRE, edited).await?.says("was edited after it was sent")?;
    let kept = arena.site.app.recorder.late_inputs(id, &"d1".parse()?).await?;
    assert_eq!(kept.iter().map(|kept| (kept.text(), kept.sent)).collect::<Vec<_>>(), [("claim", sent)]);
    let stranger = on_message(&arena, STRANGER, sent, "claim", None);
    arena.gives(UMPIRE, stranger).await?.says("sits in no running match")?;
    let before: Moment = "2026-11-20T19:00:00.000000Z".parse()?;
    arena.gives(UMPIRE, on_message(&arena, ADA, before, "claim", None)).await?.says("before the present question")?;
    for content in ["", "gl hf", "claim claim claim", &"x".repeat(2000)] {
        let read = arena.gives(UMPIRE, on_message(&arena, ADA, sent, content, None)).await?;
        ensure!(!read.posted.content.contains("Recorded"), "{content}: {}", read.posted.content);
    }
    assert_eq!(arena.site.app.submissions.received(id, &"d1".parse()?).await?.len(), 1);
    Ok(())
}
