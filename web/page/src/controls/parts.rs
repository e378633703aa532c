//! The parts of a line that are filled in one by one: numbers, texts, words, an order.

use engine::dmn::quotes::{quoted, split_outside_quotes, unquoted};
use engine::{Entry, LineField};

use super::{Fields, all, first};

/// More words than these are a list that opens.
const WORDS_MAX: usize = 8;
const NONE: &str = "none";

#[derive(Debug)]
pub(super) struct PartField {
    pub(super) label: String,
    pub(super) name: String,
    pub(super) input: PartInput,
}

#[derive(Debug)]
pub(super) enum PartInput {
    Number {
        least: i32,
        most: i32,
        sent: String,
    },
    Text {
        most: u16,
        sent: String,
    },
    Words {
        words: Vec<(String, bool)>,
        several: bool,
    },
    List(Vec<(String, bool)>),
    /// A list for each place of the order.
    Order(Vec<Vec<(String, bool)>>),
}

fn name(at: usize) -> String {
    format!("part-{at}")
}

impl PartField {
    pub(super) fn all(fields: &[LineField], sent: &Fields) -> Vec<Self> {
        fields.iter().enumerate().map(|(at, field)| Self::of(name(at), field, sent)).collect()
    }

    fn of(name: String, field: &LineField, sent: &Fields) -> Self {
        let value = || first(sent, &name).to_owned();
        let input = match &field.entry {
            Entry::Number { least, most } => PartInput::Number { least: *least, most: *most, sent: value() },
            Entry::Text(most) => PartInput::Text { most: *most, sent: value() },
            Entry::Words { words, most, .. } => {
                let mut left: Vec<&str> = all(sent, &name).collect();
                let mut offered: Vec<(String, bool)> = Vec::new();
                for word in words {
                    if *most > 1 || offered.iter().all(|(known, _)| **known != **word) {
                        let at = left.iter().position(|sent| *sent == &**word);
                        offered.push((word.to_string(), at.map(|at| left.remove(at)).is_some()));
                    }
                }
                if *most == 1 && offered.len() > WORDS_MAX {
                    PartInput::List(offered)
                } else {
                    PartInput::Words { words: offered, several: *most > 1 }
                }
            }
            Entry::Order(words) => {
                let sent: Vec<&str> = all(sent, &name).collect();
                let place = |at: usize| {
                    let chosen = sent.get(at).copied();
                    words.iter().map(|word| (word.to_string(), chosen == Some(&**word))).collect()
                };
                PartInput::Order((0..words.len()).map(place).collect())
            }
        };
        Self { label: field.label.clone(), name, input }
    }
}

/// The line of what was filled in; none if that is nothing. A part that was left out is empty, and the rules say so.
pub(super) fn compose(fields: &[LineField], sent: &Fields) -> Option<String> {
    let value = |(at, field): (usize, &LineField)| {
        let name = name(at);
        let given = first(sent, &name).to_owned();
        match &field.entry {
            Entry::Number { .. } => given,
            Entry::Text(_) if given.is_empty() => given,
            Entry::Text(_) => quoted(&given.split_whitespace().collect::<Vec<_>>().join(" ")),
            Entry::Order(_) => all(sent, &name).collect::<Vec<_>>().join(" "),
            Entry::Words { least, .. } => {
                let chosen = all(sent, &name).collect::<Vec<_>>().join(" ");
                if chosen.is_empty() && *least == 0 { NONE.to_owned() } else { chosen }
            }
        }
    };
    let values: Vec<String> = fields.iter().enumerate().map(value).collect();
    values.iter().any(|value| !value.is_empty()).then(|| values.join("; "))
}

/// What would be filled in for this line.
pub(super) fn fields_of(fields: &[LineField], line: &str) -> Option<Vec<(String, String)>> {
    let parts: Vec<&str> = split_outside_quotes(line, b';').map(|(_, part)| part.trim()).collect();
    let mut sent = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        match &fields.get(at)?.entry {
            Entry::Text(_) => sent.push((name(at), unquoted(part)?)),
            Entry::Number { .. } => sent.push((name(at), (*part).to_owned())),
            Entry::Words { .. } | Entry::Order(_) => {
                let words = part.split_whitespace().filter(|word| *word != NONE);
                sent.extend(words.map(|word| (name(at), word.to_owned())));
            }
        }
    }
    Some(sent)
}
