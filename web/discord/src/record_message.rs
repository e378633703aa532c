//! "Record move", on a message that a player typed: the umpire records it for the seat, with the time when
//! Discord received it.

use app::commands::{TypedMove, TypedOutcome};
use app::discord::{Message, plain};
use ledger::Moment;

use super::command_context::CommandContext;
use super::refusal::Refusal;
use super::submit::match_answer;

pub(super) fn sent(context: &CommandContext) -> Moment {
    context.interaction.message().map_or(context.arrived, |message| message.id.at().min(context.arrived))
}

pub(super) async fn record(context: &CommandContext) -> Result<Message, Refusal> {
    let act = context.act().await?;
    let message = context.interaction.message().ok_or(Refusal::Incomplete)?;
    let access = context.access(message.author.id).await.map_err(|refused| match refused {
        Refusal::NotSeated | Refusal::Several => Refusal::UnknownAuthor,
        refused => refused,
    })?;
    let chair = access.seat_ref;
    let text = message.content.trim();
    if text.is_empty() {
        return Err(Refusal::Empty);
    }
    let history = context.own_live(chair.match_id).await?;
    let named = |refused: Refusal| refused.named(&history);
    let sent = sent(context);
    let matched = match_answer(&history, chair.seat, text, sent).map_err(named)?;
    let decision = matched.open.asked.decision.clone();
    let is_edited = message.edited_timestamp.is_some();
    let typed = TypedMove { decision: &decision, seat: chair.seat, text, sent: Some(sent), is_edited };
    let typed = context.app.commands.type_sent(&act, chair.match_id, typed).await;
    let is_late = typed.map_err(|refusal| named(refusal.into()))? == TypedOutcome::Late;
    let when = format!("Sent <t:{}:T> by Discord’s clock.", sent.micros().div_euclid(1_000_000));
    if is_late {
        let why = match is_edited {
            true => "this message was edited after it was sent, and cannot prove what stood there in time.".to_owned(),
            false => format!("it was sent after the deadline. {when}"),
        };
        return Ok(Message::private(format!(
            "**Kept, and counts for nothing yet**: {why} On the console you can admit it by a ruling: {}",
            context.console_link(chair.match_id)
        )));
    }
    let notes: String = matched.line.notes.iter().map(|note| format!("\n{}", plain(note))).collect();
    Ok(Message::private(format!(
        "**Recorded** for {}: {}\n> {}{notes}\n{when}",
        plain(history.name(chair.seat)),
        plain(&matched.prompt),
        plain(&matched.line.words)
    )))
}
