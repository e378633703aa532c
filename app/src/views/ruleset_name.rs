//! The name of a ruleset for people, from a row that names it by its id. A match holds its ruleset.

use record::words::row_rules;

#[must_use]
pub fn ruleset_name(id: &str) -> String {
    row_rules(id).map_or_else(|| id.to_owned(), |ruleset| ruleset.card().name())
}
