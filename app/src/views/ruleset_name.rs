//! The name of a ruleset for people.

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
