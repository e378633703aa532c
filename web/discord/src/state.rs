//! `/state` and `/rules`: public knowledge.

use app::account::chat;
use app::discord::{Message, bout, newest_entry, picture_file, plain, questions};
use app::views::{match_scene, ruleset_address};
use app::{named_clauses, slug};

use super::command_context::CommandContext;
use super::refusal::Refusal;
use engine::Ruleset;

/// `/state`: a picture with its words, and the newest entry. It shows only public knowledge, whoever asks.
pub(super) async fn state(context: &CommandContext) -> Result<Message, Refusal> {
    let match_id = match context.named_or_here().await {
        // If the channel follows no match, the player's own match is shown.
        Err(Refusal::NoMatchHere) => match chat::seats(context.app.pool(), context.user()?.id).await?.as_slice() {
            [one] => one.seat_ref.match_id,
            _ => return Err(Refusal::NoMatchHere),
        },
        found => found?,
    };
    let history = context.app.matches.history(match_id).await?;
    let scene = match_scene(&history);
    let mut parts = vec![format!("**{}**: {}", bout(&history), plain(&scene.moment))];
    parts.extend(questions(&history));
    parts.push(context.match_link(match_id));
    parts.push(newest_entry(history.head));
    let content = parts.join("\n");
    let message = match context.interaction.flag("show") {
        Some(true) => Message::open(content),
        _ => Message::private(content),
    };
    let entry = history.head.next.0.saturating_sub(1);
    Ok(match picture_file(&scene, format!("{}-{entry}.png", slug(match_id))).await {
        Some(file) => message.with(file),
        None => message,
    })
}

pub(super) async fn rules(context: &CommandContext) -> Result<Message, Refusal> {
    let history;
    let ruleset = match context.interaction.text("rules") {
        Some(id) => engine::ruleset(id)
            .map_err(|_| Refusal::Sentence("There are no such rules: `/rules` lists them.".to_owned()))?,
        None => {
            history = context.app.matches.history(context.named_or_here().await?).await?;
            history.ruleset()
        }
    };
    let card = ruleset.card();
    let address = format!("{}{}", context.site, ruleset_address(card.id));
    let text = match context.interaction.text("clause") {
        Some(number) => clause(ruleset, number)?,
        None => plain(card.about),
    };
    Ok(Message::private(format!("**{}, {}**\n{text}\n<{address}>", plain(&card.title), plain(card.hosting))))
}

fn clause(ruleset: &dyn Ruleset, number: &str) -> Result<String, Refusal> {
    let clauses = named_clauses(ruleset);
    let clause = clauses.iter().find(|clause| clause.number == number);
    let known = || clauses.iter().map(|clause| clause.number).collect::<Vec<_>>().join(", ");
    let missing = || Refusal::Sentence(format!("These rules have no clause {}. They have {}.", plain(number), known()));
    let clause = clause.ok_or_else(missing)?;
    Ok(format!("{} **{}**. {}", clause.number, plain(clause.title), plain(&clause.text)))
}
