//! `/state` and `/rules`: public knowledge.

use app::account::chat;
use app::discord::{Message, bout, newest_entry, picture_file, plain, questions};
use app::slug;
use app::views::{match_scene, ruleset_address};

use super::command_context::Call;
use super::refusal::Refused;
use engine::Ruleset;

/// `/state`: a picture with its words, and the newest entry. It shows only public knowledge, whoever asks.
pub(super) async fn state(call: &Call) -> Result<Message, Refused> {
    let match_id = match call.named_or_here().await {
        // If the channel follows no match, the player's own match is shown.
        Err(Refused::NoMatchHere) => match chat::seats(call.app.pool(), call.user()?.id).await?.as_slice() {
            [one] => one.match_id,
            _ => return Err(Refused::NoMatchHere),
        },
        found => found?,
    };
    let history = call.app.matches.history(match_id).await?;
    let scene = match_scene(&history);
    let mut parts = vec![format!("**{}**: {}", bout(&history), plain(&scene.moment))];
    parts.extend(questions(&history));
    parts.push(call.match_link(match_id));
    parts.push(newest_entry(history.head));
    let content = parts.join("\n");
    let message = match call.interaction.flag("show") {
        Some(true) => Message::open(content),
        _ => Message::private(content),
    };
    let entry = history.head.next.0.saturating_sub(1);
    Ok(match picture_file(&scene, format!("{}-{entry}.png", slug(match_id))).await {
        Some(file) => message.with(file),
        None => message,
    })
}

/// `/rules`: a ruleset in a sentence, or one of its clauses.
pub(super) async fn rules(call: &Call) -> Result<Message, Refused> {
    let ruleset = match call.interaction.text("rules") {
        Some(id) => engine::ruleset(id),
        None => engine::ruleset(&call.app.matches.history(call.named_or_here().await?).await?.opened.ruleset),
    };
    let ruleset = ruleset.map_err(|_| Refused::Said("There are no such rules: `/rules` lists them.".to_owned()))?;
    let card = ruleset.card();
    let address = format!("{}{}", call.site, ruleset_address(card.id));
    let text = match call.interaction.text("clause") {
        Some(number) => clause(ruleset, number)?,
        None => plain(card.about),
    };
    Ok(Message::private(format!("**{}, {}**\n{text}\n<{address}>", plain(card.title), plain(card.hosting))))
}

fn clause(ruleset: &dyn Ruleset, number: &str) -> Result<String, Refused> {
    let clauses = ruleset.clauses();
    let clause = clauses.iter().find(|clause| clause.number == number);
    let known = || clauses.iter().map(|clause| clause.number).collect::<Vec<_>>().join(", ");
    let missing = || Refused::Said(format!("These rules have no clause {}. They have {}.", plain(number), known()));
    let clause = clause.ok_or_else(missing)?;
    Ok(format!("{} **{}**. {}", clause.number, plain(clause.title), plain(&clause.text)))
}
