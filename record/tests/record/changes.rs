//! Changes of a match as `fixtures/verdicts` writes them: entries, a value in them, and its new content.
//!
//! `resolved{dmn}:last openings.0.key = hex 09`: the entries of a kind, those that hold a text, one of them (the first
//! unless it is said), a path, a value. `opening{field}` are the openings of all entries.

use ledger::Moment;
use serde_json::{Value, json};

use crate::alterations::label;
use crate::evil_host::Piece;

/// A value in an entry: the number of the entry, and the pointer to the value.
type Place = (usize, String);

/// Makes a change.
pub(crate) fn change(pieces: &mut Vec<Piece>, line: &str) {
    let (selector, act) = split(line);
    let places = select(pieces, selector);
    assert!(!places.is_empty(), "{line}: nothing is selected");
    for (n, base) in places.into_iter().rev() {
        let (first, rest) = act.split_once(' ').unwrap_or((act, ""));
        match first {
            "by" => pieces[n].by = rest.parse().unwrap(),
            "kind" => pieces[n].kind = rest.parse().unwrap(),
            "at" => pieces[n].at = moved(pieces[n].at, rest),
            "dropped" => drop(pieces.remove(n)),
            "copied" => {
                let copy = pieces[n].clone();
                let to = if rest.is_empty() { n + 1 } else { pieces.len() };
                pieces.insert(to, copy);
            }
            path => alter(pieces, &(n, base + &pointer(path)), rest),
        }
    }
}

/// The words before the first space that is not between braces, and the rest.
fn split(line: &str) -> (&str, &str) {
    let braces = line.find('{').filter(|at| line.find(' ').is_none_or(|space| at < &space));
    let from = braces.and_then(|at| line[at..].find('}').map(|end| at + end)).unwrap_or(0);
    let at = line[from..].find(' ').map_or(line.len(), |space| from + space);
    (&line[..at], line[at..].trim_start())
}

fn select(pieces: &[Piece], selector: &str) -> Vec<Place> {
    let (kind, which) =
        selector.rsplit_once(':').filter(|(_, which)| !which.contains('}')).unwrap_or((selector, "first"));
    let (kind, holds) = kind.strip_suffix('}').and_then(|kind| kind.split_once('{')).unwrap_or((kind, ""));
    let mut all = Vec::new();
    for (n, piece) in pieces.iter().enumerate() {
        if kind == "opening" {
            let openings = piece.body["openings"].as_array().into_iter().flatten().enumerate();
            let of = openings.filter(|(_, opening)| opening.to_string().contains(holds));
            all.extend(of.map(|(at, _)| (n, format!("/openings/{at}"))));
        } else if matches(&label(piece), kind) && piece.body.to_string().contains(holds) {
            all.push((n, String::new()));
        }
    }
    match which {
        "each" => all,
        "first" => all.into_iter().take(1).collect(),
        "last" => all.pop().into_iter().collect(),
        number => all.into_iter().skip(number.parse().unwrap()).take(1).collect(),
    }
}

/// True if a label is of a kind; `drawn*` are all whose names begin so.
fn matches(label: &str, kind: &str) -> bool {
    kind.strip_suffix('*').map_or(label == kind, |start| label.starts_with(start))
}

/// `openings.0.key` as a JSON pointer; `.` is the whole body.
fn pointer(path: &str) -> String {
    if path == "." { String::new() } else { format!("/{}", path.replace('.', "/")) }
}

/// The place of a value elsewhere.
fn find(pieces: &[Piece], text: &str) -> Place {
    let (selector, path) = split(text);
    let (n, base) =
        select(pieces, selector).into_iter().next().unwrap_or_else(|| panic!("{text}: nothing is selected"));
    (n, resolved(&pieces[n].body, &(base + &pointer(path))))
}

/// The pointer with the number of each last item.
fn resolved(body: &Value, place: &str) -> String {
    let mut to = String::new();
    for name in place.split('/').skip(1) {
        let last = body.pointer(&to).and_then(Value::as_array).map_or(0, |items| items.len().saturating_sub(1));
        to += &if name == "last" { format!("/{last}") } else { format!("/{name}") };
    }
    to
}

/// A time so many seconds later, or the one that is given.
fn moved(at: Moment, to: &str) -> Moment {
    let Ok(seconds) = to.parse::<f64>() else { return to.parse().unwrap_or_else(|_| panic!("{to}: a time")) };
    Moment::from_micros(at.micros() + (seconds * 1e6).round() as i64).unwrap()
}

fn alter(pieces: &mut [Piece], (n, place): &Place, act: &str) {
    let (word, rest) = act.split_once(' ').unwrap_or((act, ""));
    let place = &resolved(&pieces[*n].body, place);
    let (parent, name) = place.rsplit_once('/').unwrap_or(("", ""));
    match word {
        "=" => {
            let new = value(pieces, rest);
            match pieces[*n].body.pointer_mut(place) {
                Some(value) => *value = new,
                None => pieces[*n].body.pointer_mut(parent).unwrap()[name] = new,
            }
        }
        "+" => {
            let value = pieces[*n].body.pointer_mut(place).unwrap_or_else(|| panic!("{place}: nothing is there"));
            *value = match value.as_i64() {
                Some(number) => json!(number + rest.parse::<i64>().unwrap()),
                None => json!(moved(value.as_str().unwrap().parse().unwrap(), rest)),
            };
        }
        "swapped" => {
            let (to, other) = find(pieces, rest.strip_prefix("with ").unwrap());
            let one = pieces[*n].body.pointer(place).unwrap().clone();
            let two = std::mem::replace(pieces[to].body.pointer_mut(&other).unwrap(), one);
            *pieces[*n].body.pointer_mut(place).unwrap() = two;
        }
        "dropped" => drop(taken(&mut pieces[*n].body, parent, name)),
        "moved" | "repeated" => {
            let repeated = pieces[*n].body.pointer(place).cloned();
            let taken = if word == "moved" { taken(&mut pieces[*n].body, parent, name) } else { repeated.unwrap() };
            let (to, list) = find(pieces, rest.strip_prefix("in ").unwrap());
            pieces[to].body.pointer_mut(&list).unwrap().as_array_mut().unwrap().push(taken);
        }
        _ => panic!("{act}: no change"),
    }
}

fn taken(body: &mut Value, parent: &str, name: &str) -> Value {
    match body.pointer_mut(parent) {
        Some(Value::Object(fields)) => fields.remove(name).unwrap_or_else(|| panic!("{name} is not there")),
        Some(Value::Array(items)) => items.remove(name.parse().unwrap()),
        _ => panic!("{parent}: no list and no object"),
    }
}

/// A value in JSON; `hex 09` is a hash of these bytes, and `@` takes it from elsewhere.
fn value(pieces: &[Piece], text: &str) -> Value {
    if let Some(from) = text.strip_prefix('@') {
        let (n, place) = find(pieces, from);
        return pieces[n].body.pointer(&place).unwrap_or_else(|| panic!("{text}")).clone();
    }
    match text.strip_prefix("hex ") {
        Some(byte) => json!(byte.repeat(32)),
        None => serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}")),
    }
}
