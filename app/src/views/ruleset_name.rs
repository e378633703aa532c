//! The name of a ruleset for people.

/// The title of a ruleset for people: the game's name and the hosting's.
#[must_use]
pub fn ruleset_name(id: &str) -> String {
    engine::ruleset(id).map_or_else(
        |_| id.to_owned(),
        |ruleset| {
            let card = ruleset.card();
            format!("{}, {}", card.title, card.hosting)
        },
    )
}
