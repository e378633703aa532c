//! The words of a ruleset that differ from those of the cases, and values of a state in words.

use serde_json::Value;

/// The words of the cases that a ruleset replaces, with its own.
pub(crate) struct Wording(&'static [(&'static str, &'static str)]);

/// The words of a ruleset.
pub(crate) fn of(ruleset: &str) -> Wording {
    Wording(if ruleset == "five-card-trick/legends-untold" { &[("grow", "raise")] } else { &[] })
}

impl Wording {
    /// A line of a case in these words. Sentences are not changed.
    pub(crate) fn put_in(&self, line: &str) -> String {
        let mut line = line.to_owned();
        for (theirs, ours) in self.0 {
            let mut out = String::new();
            for piece in line.split_inclusive(|c: char| !c.is_ascii_alphanumeric()) {
                let word = piece.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
                out.push_str(if word == *theirs { ours } else { word });
                out.push_str(&piece[word.len()..]);
            }
            line = out;
        }
        line
    }
}

/// A value in words: `none` for nothing and for an empty list, the items of a list, the seats with `/` between them.
/// None for a value without words, such as an object of other keys.
pub(crate) fn words(value: &Value) -> Option<String> {
    Some(match value {
        Value::Null => "none".to_owned(),
        Value::Bool(holds) => holds.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(word) => word.clone(),
        Value::Array(list) if list.is_empty() => "none".to_owned(),
        Value::Array(list) => list.iter().map(words).collect::<Option<Vec<_>>>()?.join(" "),
        Value::Object(seats) => match (seats.get("p1"), seats.get("p2")) {
            (Some(p1), Some(p2)) if seats.len() == 2 => format!("{} / {}", words(p1)?, words(p2)?),
            _ => return None,
        },
    })
}

/// The value at a path of keys, such as `hands.p1.front`.
pub(crate) fn at<'v>(state: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.').try_fold(state, |value, key| value.get(key))
}
