//! The name of a ruleset for people, from a row that names it by its id. A match holds its ruleset.

use engine::Ruleset;
use engine::games::declared::DECLARED;
use record::name_key;
use record::words::row_rules;

#[must_use]
pub fn ruleset_name(id: &str) -> String {
    match row_rules(id) {
        Some(ruleset) => ruleset.card().name(),
        None if id == DECLARED => "Another game".to_owned(),
        None => id.to_owned(),
    }
}

/// What lists know a ruleset by: its id, or the title of a declared game. No title passes for a game whose rules are known
/// here.
#[must_use]
pub fn listed_ruleset(ruleset: &dyn Ruleset) -> &str {
    let is_known = |title: &str| {
        engine::rulesets()
            .map(Ruleset::card)
            .any(|card| [card.id, &card.title, &card.name()].iter().any(|name| name_key(name) == name_key(title)))
    };
    let title = ruleset.declaration().and_then(|game| game.title.as_deref());
    title.filter(|title| !is_known(title)).unwrap_or(ruleset.card().id)
}
