//! The suggestions while a command is typed. Nothing that is typed is stored.

use app::account::chat;
use app::archive::Filter;
use app::discord::cut;
use app::slug;
use engine::{Choice, Form, Ruleset, Seat};
use record::History;
use serde_json::{Value, json};

use super::command_context::CommandContext;
use super::refusal::Refusal;
use super::submit::questions;

/// The most suggestions, and the most characters of each
/// (<https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-option-choice-structure>).
const CHOICES_MAX: usize = 25;
const CHOICE_MAX: usize = 100;

type Suggestions = Vec<(String, String)>;

/// The suggestions for an option that is being typed. After an error there are none, and it can still be typed.
pub(super) async fn choices(context: &CommandContext) -> Value {
    let Some((option, typed)) = context.interaction.typing() else { return json!([]) };
    let suggestions = match option {
        "move" => moves(context, typed).await,
        "match" => matches(context, typed).await,
        "rules" => Ok(rulesets(typed)),
        "first-items" | "second-items" => {
            Ok(of_rules(context, typed, |ruleset| ruleset.card().items.iter().map(|item| (*item).to_owned()).collect()))
        }
        "options" => Ok(of_rules(context, typed, |ruleset| {
            let each = |(name, values): &(&str, &'static [&str])| {
                let name = (*name).to_owned();
                values.iter().map(move |value| format!("{name}={value}")).collect::<Vec<_>>()
            };
            ruleset.choices().iter().flat_map(each).collect()
        })),
        _ => Ok(Vec::new()),
    };
    let suggestions = suggestions.unwrap_or_else(|refused| {
        tracing::debug!(%refused, "nothing is offered");
        Vec::new()
    });
    // A value that is too long is left out, because cutting it would change it.
    let fits = |offer: &(String, String)| !offer.1.is_empty() && offer.1.encode_utf16().count() <= CHOICE_MAX;
    let suggestions = suggestions.into_iter().filter(fits).take(CHOICES_MAX);
    suggestions.map(|(name, value)| json!({ "name": cut(&name, CHOICE_MAX), "value": value })).collect()
}

async fn moves(context: &CommandContext, typed: &str) -> Result<Suggestions, Refusal> {
    let chair = context.access(context.interaction.user().ok_or(Refusal::Incomplete)?.id).await?.seat_ref;
    let history = context.app.matches.history(chair.match_id).await?;
    Ok(words(&history, chair.seat, typed))
}

fn words(history: &History, seat: Seat, typed: &str) -> Suggestions {
    let (before, last) = match typed.rsplit_once(' ') {
        Some((before, last)) => (format!("{before} "), last),
        None => (String::new(), typed),
    };
    let mut suggestions = Vec::new();
    for (ask, _) in questions(history, seat) {
        let Some(Form::Words { choices, .. }) = history.form(seat, &ask.what) else { continue };
        for choice in choices.iter().filter(|choice| choice.barred.is_none()) {
            for (word, label) in spelled(choice) {
                if !word.starts_with(&last.to_lowercase()) {
                    continue;
                }
                let value = format!("{before}{word}");
                // Together with the text before it, a word may be no valid move.
                if history.read(seat, &ask.what, &value).is_ok() {
                    let name = if before.is_empty() { label } else { format!("{before}+ {label}") };
                    suggestions.push((name, value));
                }
            }
        }
    }
    suggestions
}

fn spelled(choice: &Choice) -> Vec<(String, String)> {
    if choice.targets.is_empty() {
        return vec![(choice.word.to_string(), choice.label.to_string())];
    }
    let target =
        |(word, label): &(&str, &str)| (format!("{}:{word}", choice.word), format!("{}: {label}", choice.label));
    choice.targets.iter().map(target).collect()
}

async fn matches(context: &CommandContext, typed: &str) -> Result<Suggestions, Refusal> {
    let user = context.interaction.user().ok_or(Refusal::Incomplete)?.id;
    let own = chat::seats(context.app.pool(), user).await?;
    let every = chat::umpire_of(context.app.pool(), user).await?.is_some() || context.interaction.words().0 == "state";
    let listed = context.app.archive().list(&Filter::running(), None).await?.matches;
    let typed = typed.to_lowercase();
    let suggestions = listed
        .into_iter()
        .filter(|listed| every || own.iter().any(|chair| slug(chair.seat_ref.match_id) == listed.slug));
    let suggestions = suggestions
        .map(|listed| (format!("{} \u{2013} {} ({})", listed.p1.name, listed.p2.name, listed.slug), listed.slug));
    Ok(suggestions.filter(|(name, _)| name.to_lowercase().contains(&typed)).collect())
}

fn of_rules(context: &CommandContext, typed: &str, words: impl Fn(&dyn Ruleset) -> Vec<String>) -> Suggestions {
    let Some(Ok(ruleset)) = context.interaction.text("rules").map(engine::ruleset) else { return Vec::new() };
    let (before, last) = match typed.rsplit_once([' ', ',']) {
        Some((before, last)) => (format!("{} ", before.trim_end_matches([' ', ','])), last),
        None => (String::new(), typed),
    };
    let fits = |word: &String| {
        word.starts_with(&last.to_lowercase()) && !before.split([' ', ',']).any(|there| there == word.as_str())
    };
    let suggestions = words(ruleset).into_iter().filter(fits);
    suggestions.map(|word| (format!("{before}{word}"), format!("{before}{word}"))).collect()
}

fn rulesets(typed: &str) -> Suggestions {
    let typed = typed.to_lowercase();
    let suggestions = engine::rulesets().map(|ruleset| {
        let card = ruleset.card();
        (card.name(), card.id.to_owned())
    });
    suggestions.filter(|(name, id)| name.to_lowercase().contains(&typed) || id.contains(&typed)).collect()
}
