//! "Record submission", on a message that a player typed: the umpire records it for the seat, with the time when
//! Discord received it.

use app::commands::TypedOutcome;
use app::discord::{Message, plain};
use ledger::Moment;

use super::command_context::Call;
use super::refusal::Refused;
use super::submit::meant;

/// The time when the message was sent, which its own id contains.
pub(super) fn sent(call: &Call) -> Moment {
    call.interaction.message().map_or(call.arrived, |message| message.id.at().min(call.arrived))
}

/// The message command.
pub(super) async fn record(call: &Call) -> Result<Message, Refused> {
    let act = call.act().await?;
    let message = call.interaction.message().ok_or(Refused::Incomplete)?;
    let chair = call.chair(message.author.id).await.map_err(|refused| match refused {
        Refused::NotSeated | Refused::Several => Refused::Stranger,
        refused => refused,
    })?;
    let text = message.content.trim();
    if text.is_empty() {
        return Err(Refused::Empty);
    }
    let history = call.live(chair.match_id).await?;
    let named = |refused: Refused| refused.named(&history);
    let sent = sent(call);
    let meant = meant(&history, chair.seat, text, sent).map_err(named)?;
    let decision = meant.open.asked.decision.clone();
    if message.edited_timestamp.is_some() {
        let kept = call.app.commands.keep_apart(&act, chair.match_id, &decision, chair.seat, text, sent).await;
        kept.map_err(|refusal| named(refusal.into()))?;
        return Ok(Message::private(format!(
            "**Kept, and counts for nothing yet**: this message was edited after it was sent, and cannot prove what stood \
             there in time. On the console you can admit it by a ruling: {}",
            call.console_link(chair.match_id)
        )));
    }
    let typed = call.app.commands.type_sent(&act, chair.match_id, &decision, chair.seat, text, Some(sent)).await;
    let when = format!("Sent <t:{}:T> by Discord’s clock.", sent.micros().div_euclid(1_000_000));
    if typed.map_err(|refusal| named(refusal.into()))? == TypedOutcome::Late {
        return Ok(Message::private(format!(
            "**Kept, and counts for nothing yet**: it was sent after the deadline. {when} On the console you can admit it \
             by a ruling: {}",
            call.console_link(chair.match_id)
        )));
    }
    let notes: String = meant.line.notes.iter().map(|note| format!("\n{}", plain(note))).collect();
    Ok(Message::private(format!(
        "**Recorded** for {}: {}\n> {}{notes}\n{when}",
        plain(history.name(chair.seat)),
        plain(&meant.prompt),
        plain(&meant.line.words)
    )))
}
